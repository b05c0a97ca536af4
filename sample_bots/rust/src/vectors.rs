//! The worked examples of the protocol, which every language reads and writes alike.

use std::sync::Arc;
use std::time::{Duration, Instant};

use prost::Message as _;
use serde_json::{Value, json};

use crate::action::{Action, legal_actions};
use crate::clock::SystemClock;
use crate::entropy::Entropies;
use crate::say;
use crate::turn::{Table, Turn};
use crate::v1::{self, BotMessage, Card, EntropyStep, Phase, PlayRequest, PlayResponse, bot_message, server_message};

const VECTORS: &str = include_str!("../../../proto/vectors/frames.json");

fn vectors(frame: &str) -> Vec<Value> {
    let all: Vec<Value> = serde_json::from_str(VECTORS).unwrap();
    let of_frame: Vec<Value> = all.into_iter().filter(|vector| vector["frame"] == frame).collect();
    assert!(of_frame.len() > 5, "no vectors of {frame}");
    of_frame
}

fn bytes(hex: &Value) -> Vec<u8> {
    let digits = hex.as_str().unwrap().as_bytes();
    let pairs = digits.chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

fn texts<T: ToString>(all: &[T]) -> Value {
    all.iter().map(ToString::to_string).collect()
}

fn turn_meaning(decision: &v1::Decision) -> Value {
    let came = Instant::now();
    let turn = Turn::new(decision, Arc::new(Table::default()), Arc::new(SystemClock), came);
    let phase = match turn.phase {
        Phase::Unspecified => "nothing",
        Phase::Catch => "catch",
        Phase::Free => "free",
        Phase::Pickup => "pick-up",
        Phase::Lead => "lead",
    };
    json!({
        "is": "decision",
        "decision": turn.decision_id,
        "phase": phase,
        "seat": turn.seat,
        "hand": texts(&turn.hand),
        "top": turn.top.unwrap_or_default().to_string(),
        "legal": texts(&turn.legal),
        "events": [turn.first_event, decision.events.len()],
        "time_left_us": micros(turn.time_left),
        "think_at_most_us": micros(turn.deadline() - came),
    })
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap()
}

fn server_meaning(message: &v1::ServerMessage) -> Value {
    use server_message::Message;
    match message.message.as_ref() {
        None => json!({"is": "nothing"}),
        Some(Message::Welcome(_)) => json!({"is": "welcome"}),
        Some(Message::MatchStart(start)) => json!({"is": "match_start", "match": start.match_id}),
        Some(Message::Seating(seating)) => json!({"is": "seating", "match": seating.match_id}),
        Some(Message::Decision(decision)) => turn_meaning(decision),
        Some(Message::Accepted(accepted)) => json!({"is": "accepted", "decision": accepted.decision_id}),
        Some(Message::Refusal(refusal)) => json!({
            "is": "refusal",
            "decision": refusal.decision_id,
            "open": refusal.legal.is_some(),
            "legal": texts(&refusal.legal.as_ref().map(legal_actions).unwrap_or_default()),
        }),
        Some(Message::MatchEnd(end)) => json!({"is": "match_end", "match": end.match_id, "places": end.places}),
        Some(Message::Drain(_)) => json!({"is": "drain"}),
        Some(Message::EntropyRequest(_)) => json!({"is": "entropy_request"}),
        Some(Message::Ping(_)) => json!({"is": "ping"}),
        Some(Message::MatchSync(sync)) => json!({"is": "match_sync", "match": sync.match_id}),
    }
}

/// The action that a meaning names, as a bot would pick it.
fn action(text: &str) -> Action {
    let cards = (1..=52).map(|value| Action::Play(Card::try_from(value).unwrap()));
    let others = (1..=5).map(Action::Take).chain([Action::Turn, Action::Pass]);
    cards.chain(others).find(|action| action.to_string() == text).expect(text)
}

/// The message that a bot says for the values of its JSON, by this client's own means.
fn said(json: &Value, meaning: &Value) -> BotMessage {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let small = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
    match text(&meaning["is"]).as_str() {
        "hello" => {
            let json = &json["hello"];
            let named = json["match_ids"].as_array().into_iter().flatten().map(text).collect();
            let mut message = say::hello(&text(&json["bot_version"]), small(&meaning["capacity"]), named);
            let Some(bot_message::Message::Hello(hello)) = &mut message.message else {
                panic!("not a Hello: {message:?}");
            };
            (hello.sdk, hello.language) = (text(&json["sdk"]), text(&json["language"]));
            message
        }
        "ready" => say::ready(&text(&meaning["match"])),
        "pong" => say::pong(text(&json["pong"]["nonce"]).parse().unwrap()),
        "answer" => {
            let json = &json["answer"];
            let thought = json.get("think_time_us").map(|time| Duration::from_micros(text(time).parse().unwrap()));
            let decision = small(&meaning["decision"]);
            let action = action(&text(&meaning["action"]));
            let mut answer = say::answer(&text(&json["match_id"]), decision, action, thought.unwrap_or_default());
            answer.think_time_us = answer.think_time_us.filter(|_| thought.is_some());
            answer.into()
        }
        "entropy" => {
            let json = &json["entropy"];
            let mut entropies = Entropies::new(|| Some(vec![1, 2, 3, 4]));
            let request = |step: EntropyStep| v1::EntropyRequest {
                tournament_id: text(&json["tournament_id"]),
                step: step.into(),
                master_commitment: Vec::new(),
            };
            let committed = entropies.answer(&request(EntropyStep::Commit)).unwrap();
            if meaning.get("sha256_of").is_some() {
                assert_eq!(bytes(&meaning["sha256_of"]), [1, 2, 3, 4]);
                return committed.into();
            }
            entropies.answer(&request(EntropyStep::Reveal)).unwrap().into()
        }
        "goodbye" => say::goodbye(),
        "resync" => say::resync(&text(&json["resync"]["match_id"])),
        other => panic!("no way to say {other}"),
    }
}

#[test]
fn every_frame_of_the_server_is_read_as_what_it_means() {
    for vector in vectors("PlayResponse") {
        let frame = PlayResponse::decode(bytes(&vector["bytes"]).as_slice()).unwrap();

        let meaning: Value = frame.messages.iter().map(server_meaning).collect();
        assert_eq!(meaning, vector["meaning"], "{}", vector["name"]);
        if vector.get("newer").is_none() {
            assert_eq!(frame.encode_to_vec(), bytes(&vector["bytes"]), "{}", vector["name"]);
        }
    }
}

#[test]
fn every_frame_of_a_bot_is_written_as_the_same_bytes() {
    for vector in vectors("PlayRequest") {
        let messages = vector["json"]["messages"].as_array().unwrap();
        let meaning = vector["meaning"].as_array().unwrap();
        assert_eq!(messages.len(), meaning.len());

        let frame = PlayRequest { messages: messages.iter().zip(meaning).map(|(json, is)| said(json, is)).collect() };

        assert_eq!(frame.encode_to_vec(), bytes(&vector["bytes"]), "{}", vector["name"]);
        assert_eq!(PlayRequest::decode(bytes(&vector["bytes"]).as_slice()).unwrap(), frame, "{}", vector["name"]);
    }
}
