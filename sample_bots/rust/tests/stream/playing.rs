//! A match from its offer to its end, and several at once.

use std::time::Duration;

use kitumaija_bot::v1::bot_message::Message as Said;
use kitumaija_bot::v1::server_message::Message;
use kitumaija_bot::v1::{EntropyRequest, EntropyStep, Ping, Pong};
use kitumaija_bot::{Action, Bot, Clock, MatchEnding, Offer, Phase, Turn};
use tokio::sync::mpsc::unbounded_channel;

use crate::bots::{EIGHT, MATCH, Play, Seen, answer, decision, gate, match_end, numbers, ready, seating, start};
use crate::clock::TestClock;

#[tokio::test]
async fn hello_is_said_first_with_the_token_in_the_metadata() {
    let play = Play::first_legal().await;

    let mut stream = play.server.accept().await;

    assert_eq!(stream.metadata["authorization"], "Bearer secret");
    let Said::Hello(hello) = stream.hears().await else { panic!("not Hello") };
    assert_eq!((hello.capacity, hello.bot_version.as_str(), hello.language.as_str()), (3, "7", "rust"));
    assert!(hello.match_ids.is_empty() && hello.sdk.starts_with("kitumaija-rust/"));
}

#[tokio::test]
async fn a_match_is_played_from_its_offer_to_its_end() {
    let mut play = Play::first_legal().await;

    let mut stream = play.ask_first().await;
    assert_eq!(stream.hears().await, answer(MATCH, 1, EIGHT));
    let Some(Seen::Start(offer)) = play.seen.recv().await else { panic!("not started first") };
    let first = play.turn().await;
    stream.say([decision(MATCH, 2, 4, 2)]);
    assert_eq!(stream.hears().await, answer(MATCH, 2, EIGHT));
    let second = play.turn().await;
    stream.say([match_end(MATCH, 6, 3)]);
    let end = play.end().await;

    assert_eq!((offer.match_id.as_str(), offer.seats, offer.limits.is_some()), (MATCH, 2, true));
    assert_eq!((first.seat, first.seats, first.phase, first.top), (0, 2, Phase::Catch, None));
    assert_eq!(first.table.players[1].bot_id, "bot-1");
    assert!(first.table.limits.is_some());
    assert_eq!(numbers(&first.events), [0, 1, 2, 3]);
    assert_eq!((second.first_event, numbers(&second.events)), (4, vec![4, 5]));
    assert_eq!((end.first_event, numbers(&end.events)), (6, vec![6, 7, 8]));
    assert_eq!((end.ending, end.places.as_slice()), (MatchEnding::Played, &[1, 2][..]));
}

#[tokio::test]
async fn a_bot_that_thinks_holds_up_neither_pongs_nor_other_matches() {
    let (open, wait) = gate();
    let mut play = Play::choosing(move |turn| {
        if turn.table.match_id == MATCH {
            wait();
        }
        turn.legal[0]
    })
    .await;

    let mut stream = play.ask_first().await;
    play.turn().await;
    stream.hears_nothing_before_pong(1).await;
    stream.say([start("b")]);
    assert_eq!(stream.hears().await, ready("b"));
    stream.say([seating("b"), decision("b", 1, 0, 0)]);
    assert_eq!(stream.hears().await, answer("b", 1, EIGHT));
    open.send(()).unwrap();

    assert_eq!(stream.hears().await, answer(MATCH, 1, EIGHT));
}

#[tokio::test]
async fn a_bot_that_panics_costs_its_own_decision_and_nothing_else() {
    let mut play = Play::choosing(|turn| {
        assert!(turn.table.match_id != MATCH || turn.decision_id != 1, "on purpose");
        turn.legal[0]
    })
    .await;

    let mut stream = play.ask_first().await;
    play.turn().await;
    stream.say([start("b")]);
    assert_eq!(stream.hears().await, ready("b"));
    stream.say([seating("b"), decision("b", 1, 0, 0)]);
    assert_eq!(stream.hears().await, answer("b", 1, EIGHT));
    stream.say([decision(MATCH, 2, 4, 0)]);

    assert_eq!(stream.hears().await, answer(MATCH, 2, EIGHT));
}

/// A bot that does not want to play one of its matches.
struct Picky;

impl Bot for Picky {
    fn start(&mut self, offer: &Offer) {
        assert!(offer.match_id != MATCH, "on purpose");
    }

    fn choose(&mut self, turn: &Turn) -> Action {
        turn.legal[0]
    }
}

#[tokio::test]
async fn a_bot_that_fails_as_it_starts_is_not_ready_and_others_play() {
    let (clock, sleeps) = TestClock::new();
    let play = Play::of(clock, sleeps, unbounded_channel().1, || Picky).await;
    let (mut stream, _) = play.greet(&[]).await;

    stream.say([start(MATCH), start("b")]);

    assert_eq!(stream.hears().await, ready("b"));
    stream.hears_nothing_before_pong(1).await;
}

#[tokio::test]
async fn the_deadline_is_what_is_left_less_the_round_trip_and_thinking_is_told() {
    let (clock, sleeps) = TestClock::new();
    let ticking = clock.clone();
    let mut play = Play::by_clock(clock.clone(), sleeps, move |turn| {
        let before = turn.remaining();
        ticking.advance(Duration::from_millis(30));
        assert_eq!(before.checked_sub(turn.remaining()), Some(Duration::from_millis(30)));
        turn.legal[0]
    })
    .await;

    let came = clock.now();
    let mut stream = play.ask_first().await;
    let turn = play.turn().await;
    let Said::Answer(answer) = stream.hears().await else { panic!("not an answer") };

    assert_eq!(turn.deadline() - came, Duration::from_millis(11_000 - 20));
    assert_eq!(answer.think_time_us, Some(30_000));
    assert!(!turn.is_over());
    clock.advance(Duration::from_secs(11));
    assert!(turn.is_over() && turn.remaining().is_zero());
}

#[tokio::test]
async fn many_messages_at_once_are_answered_in_order_in_frames_that_the_server_takes() {
    let play = Play::first_legal().await;
    let (mut stream, _) = play.greet(&[]).await;

    stream.say((0..5000).map(|nonce| Message::Ping(Ping { nonce: u64::MAX - nonce })));

    for nonce in 0..5000 {
        assert_eq!(stream.hears().await, Said::Pong(Pong { nonce: u64::MAX - nonce }));
    }
}

#[tokio::test]
async fn entropy_is_committed_to_and_revealed_on_a_later_stream_too() {
    let mut play = Play::first_legal().await;
    let request = |step: EntropyStep| {
        let master_commitment = vec![9; 32];
        Message::EntropyRequest(EntropyRequest {
            tournament_id: "spring".to_owned(),
            step: step.into(),
            master_commitment,
        })
    };

    let (mut stream, _) = play.greet(&[]).await;
    stream.say([request(EntropyStep::Commit)]);
    let Said::Entropy(commit) = stream.hears().await else { panic!("no entropy") };
    stream.cut();
    let (mut stream, _) = play.greet_again(&[]).await;
    stream.say([request(EntropyStep::Reveal)]);
    let Said::Entropy(reveal) = stream.hears().await else { panic!("no entropy") };

    let hash = ring::digest::digest(&ring::digest::SHA256, &reveal.value);
    assert_eq!((commit.step(), commit.value.as_slice()), (EntropyStep::Commit, hash.as_ref()));
    assert_eq!((reveal.step(), reveal.tournament_id.as_str()), (EntropyStep::Reveal, "spring"));
}
