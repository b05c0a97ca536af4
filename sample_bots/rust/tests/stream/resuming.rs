//! The line breaks, the bot dials again, and every match goes on where it stood.

use std::sync::Arc;
use std::time::Duration;

use kitumaija_bot::v1::Resync;
use kitumaija_bot::v1::bot_message::Message as Said;
use kitumaija_bot::v1::server_message::Message;
use kitumaija_bot::{Action, Bot, Offer, Turn};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::bots::{EIGHT, MATCH, Play, answer, asked, decision, gate, match_end, numbers, ready, seating, start, sync};
use crate::clock::TestClock;
use crate::server::{soon, status};

#[tokio::test]
async fn an_answer_that_was_not_accepted_is_sent_again_and_thought_about_once() {
    let mut play = Play::first_legal().await;
    let mut stream = play.ask_first().await;
    let first = stream.hears().await;
    play.turn().await;
    stream.cut();

    let (mut stream, named) = play.greet_again(&[MATCH]).await;
    stream.say([sync(MATCH, 4), decision(MATCH, 1, 4, 0)]);

    assert_eq!(named, [MATCH]);
    assert_eq!(stream.hears().await, first);
    stream.say([decision(MATCH, 2, 4, 1)]);
    assert_eq!(play.turn().await.decision_id, 2);
}

#[tokio::test]
async fn a_bot_that_is_thinking_goes_on_and_answers_where_it_is_asked_again() {
    let (open, wait) = gate();
    let (chosen, mut chose) = unbounded_channel();
    let mut play = Play::choosing(move |turn| {
        wait();
        chosen.send(()).unwrap();
        turn.legal[0]
    })
    .await;
    let stream = play.ask_first().await;
    let turn = play.turn().await;
    stream.cut();
    let first_deadline = turn.deadline();

    let (mut stream, _) = play.greet_again(&[MATCH]).await;
    open.send(()).unwrap();
    soon(chose.recv()).await;
    // On the new stream the decision is not asked yet.
    for nonce in 0..20 {
        stream.hears_nothing_before_pong(nonce).await;
    }
    let mut late = asked(MATCH, 1, 4, 0);
    late.time_left_us = 3_000_000;
    stream.say([sync(MATCH, 4), Message::Decision(late)]);

    assert!(matches!(stream.hears().await, Said::Answer(answer) if answer.decision_id == 1));
    assert!(!turn.is_over() && turn.deadline() < first_deadline);
    assert!(play.seen.try_recv().is_err(), "the bot is asked once");
}

#[tokio::test]
async fn events_are_told_once_and_without_a_gap_over_a_break_of_the_line() {
    let mut play = Play::first_legal().await;
    let mut stream = play.ask_first().await;
    stream.hears().await;
    assert_eq!(numbers(&play.turn().await.events), [0, 1, 2, 3]);
    stream.cut();

    let (mut stream, _) = play.greet_again(&[MATCH]).await;
    stream.say([sync(MATCH, 9), decision(MATCH, 2, 9, 0)]);
    stream.hears().await;
    let resumed = play.turn().await;
    stream.say([decision(MATCH, 3, 9, 1)]);
    let next = play.turn().await;

    assert_eq!((resumed.first_event, numbers(&resumed.events)), (4, vec![4, 5, 6, 7, 8]));
    assert_eq!((next.first_event, numbers(&next.events)), (9, vec![9]));
}

#[tokio::test]
async fn a_bot_that_was_started_anew_is_told_everything_from_the_first_event() {
    let mut play = Play::first_legal().await;
    let (mut stream, named) = play.greet(&[MATCH]).await;
    stream.say([sync(MATCH, 9), decision(MATCH, 5, 9, 0)]);

    assert_eq!(stream.hears().await, answer(MATCH, 5, EIGHT));
    assert!(named.is_empty());
    let turn = play.turn().await;
    assert_eq!((turn.first_event, turn.events.len()), (0, 9));
    assert_eq!(turn.table.players.len(), 2);
}

#[tokio::test]
async fn a_gap_in_the_events_is_filled_before_the_bot_is_asked() {
    let mut play = Play::first_legal().await;
    let mut stream = play.ask_first().await;
    stream.hears().await;
    play.turn().await;

    stream.say([decision(MATCH, 2, 6, 1)]);
    assert_eq!(stream.hears().await, Said::Resync(Resync { match_id: MATCH.to_owned() }));
    stream.hears_nothing_before_pong(1).await;
    stream.say([sync(MATCH, 7), decision(MATCH, 2, 7, 0)]);

    assert_eq!(stream.hears().await, answer(MATCH, 2, EIGHT));
    assert_eq!(numbers(&play.turn().await.events), [4, 5, 6]);
}

#[tokio::test]
async fn a_gap_that_stays_is_asked_about_once_and_the_bot_plays_with_what_is_known() {
    let mut play = Play::first_legal().await;
    let mut stream = play.ask_first().await;
    stream.hears().await;
    play.turn().await;

    stream.say([decision(MATCH, 2, 6, 1)]);
    assert!(matches!(stream.hears().await, Said::Resync(_)));
    stream.say([sync(MATCH, 5), decision(MATCH, 2, 6, 1)]);

    assert_eq!(stream.hears().await, answer(MATCH, 2, EIGHT));
    let turn = play.turn().await;
    assert_eq!((turn.first_event, numbers(&turn.events)), (6, vec![6]));
}

#[tokio::test]
async fn ready_is_said_again_to_an_offer_that_comes_again_and_never_without_one() {
    let mut play = Play::first_legal().await;
    let (mut stream, _) = play.greet(&[]).await;
    stream.say([start(MATCH)]);
    assert_eq!(stream.hears().await, ready(MATCH));
    stream.cut();

    let (mut stream, named) = play.greet_again(&[MATCH]).await;
    stream.hears_nothing_before_pong(1).await;
    stream.say([start(MATCH)]);

    assert_eq!(named, [MATCH]);
    assert_eq!(stream.hears().await, ready(MATCH));
}

/// A bot that loads for long.
struct Slow {
    load: Arc<dyn Fn() + Send + Sync>,
    loaded: UnboundedSender<()>,
}

impl Bot for Slow {
    fn start(&mut self, _: &Offer) {
        (self.load)();
        self.loaded.send(()).unwrap();
    }

    fn choose(&mut self, turn: &Turn) -> Action {
        turn.legal[0]
    }
}

#[tokio::test]
async fn a_bot_that_has_loaded_on_a_new_stream_is_ready_when_it_is_offered_the_match_there() {
    let (clock, sleeps) = TestClock::new();
    let (open, wait) = gate();
    let (loaded, mut has_loaded) = unbounded_channel();
    let load: Arc<dyn Fn() + Send + Sync> = Arc::new(wait);
    let make = move || Slow { load: Arc::clone(&load), loaded: loaded.clone() };
    let mut play = Play::of(clock, sleeps, unbounded_channel().1, make).await;
    let (mut stream, _) = play.greet(&[]).await;
    stream.say([start(MATCH)]);
    stream.hears_nothing_before_pong(1).await;
    stream.cut();

    let (mut stream, _) = play.greet_again(&[MATCH]).await;
    open.send(()).unwrap();
    soon(has_loaded.recv()).await;
    for nonce in 0..20 {
        stream.hears_nothing_before_pong(nonce).await;
    }
    stream.say([start(MATCH)]);

    assert_eq!(stream.hears().await, ready(MATCH));
}

#[tokio::test]
async fn a_match_that_ended_meanwhile_stops_the_bot_and_is_ended_by_its_match_end() {
    let (open, wait) = gate();
    let mut play = Play::choosing(move |turn| {
        wait();
        turn.legal[0]
    })
    .await;
    let stream = play.ask_first().await;
    let turn = play.turn().await;
    stream.cut();

    let (mut stream, named) = play.greet_again(&[]).await;
    stream.hears_nothing_before_pong(1).await;
    assert_eq!(named, [MATCH]);
    assert!(turn.is_over(), "there is no use in thinking on");
    open.send(()).unwrap();
    stream.say([match_end(MATCH, 4, 2)]);
    assert_eq!(numbers(&play.end().await.events), [4, 5]);
    stream.hears_nothing_before_pong(2).await;
    stream.cut();

    let (_, named) = play.greet_again(&[]).await;
    assert!(named.is_empty());
}

#[tokio::test]
async fn a_match_end_that_comes_again_is_about_nothing() {
    let mut play = Play::first_legal().await;
    let mut stream = play.ask_first().await;
    stream.hears().await;

    stream.say([match_end(MATCH, 4, 0), match_end(MATCH, 4, 0)]);
    play.end().await;

    stream.hears_nothing_before_pong(1).await;
    assert!(play.seen.try_recv().is_err());
}

#[tokio::test]
async fn a_stream_on_which_nothing_is_heard_for_twelve_seconds_is_left() {
    let mut play = Play::first_legal().await;
    let (mut stream, _) = play.greet(&[]).await;
    stream.hears_nothing_before_pong(1).await;
    play.clock.advance(Duration::from_secs(11));
    // Whatever is heard begins the twelve seconds anew.
    stream.hears_nothing_before_pong(2).await;
    play.clock.advance(Duration::from_secs(11));
    stream.hears_nothing_before_pong(3).await;

    play.clock.advance(Duration::from_secs(12));

    play.greet_again(&[]).await;
}

#[tokio::test]
async fn a_server_that_restarts_is_played_on_to_its_end_and_dialed_again() {
    let mut play = Play::first_legal().await;
    let (mut stream, _) = play.greet(&[]).await;
    stream.say([Message::Drain(kitumaija_bot::v1::Drain { within: None }), start(MATCH)]);
    assert_eq!(stream.hears().await, ready(MATCH));
    stream.say([seating(MATCH), decision(MATCH, 1, 0, 0)]);
    assert_eq!(stream.hears().await, answer(MATCH, 1, EIGHT));
    stream.end(&status(tonic::Code::Unavailable, "DRAINING", &[]));

    let (_, named) = play.greet_again(&[MATCH]).await;

    assert_eq!(named, [MATCH]);
}
