//! Errors that are final and errors that are not, and leaving.

use std::time::Duration;

use kitumaija_bot::v1::bot_message::Message as Said;
use kitumaija_bot::{Client, Clock, Error, Settings};
use tonic::{Code, Status};

use crate::bots::{Play, Watched, gate};
use crate::clock::TestClock;
use crate::server::{Server, status};

#[tokio::test]
async fn a_bot_that_was_replaced_does_not_dial_again() {
    let play = Play::first_legal().await;
    let (stream, _) = play.greet(&[]).await;

    stream.end(&status(Code::Aborted, "REPLACED", &[]));

    let error = play.ended().await.unwrap_err();
    assert!(error.to_string().contains("REPLACED"), "{error}");
    assert_eq!(error.exit_code(), 4);
}

#[tokio::test]
async fn an_error_without_a_reason_is_final_by_its_status() {
    let play = Play::first_legal().await;
    let stream = play.server.accept().await;

    stream.end(&Status::unimplemented("nothing of that kind here"));

    let error = play.ended().await.unwrap_err();
    assert!(matches!(error, Error::Refused(_)) && error.to_string().contains("nothing of that kind"), "{error}");
}

#[tokio::test]
async fn the_server_is_given_the_time_that_it_asks_for() {
    let mut play = Play::first_legal().await;
    let (stream, _) = play.greet(&[]).await;
    stream.end(&status(Code::ResourceExhausted, "TOO_MANY_REPLACEMENTS", &[("retry_seconds", "40")]));

    let wait = play.pass_wait().await;

    assert!(wait >= Duration::from_secs(40) && wait < Duration::from_secs(46), "{wait:?}");
    play.greet(&[]).await;
}

#[tokio::test]
async fn a_stream_that_ends_without_an_error_is_opened_again() {
    let mut play = Play::first_legal().await;
    let (stream, _) = play.greet(&[]).await;

    stream.end(&Status::ok(""));

    play.greet_again(&[]).await;
}

#[tokio::test]
async fn waits_grow_while_the_server_is_away_and_are_short_again_when_it_was_there() {
    let mut play = Play::first_legal().await;
    let mut last = Duration::ZERO;
    for _ in 0..8 {
        play.server.accept().await.cut();
        last = play.pass_wait().await;
    }
    let (mut stream, _) = play.greet(&[]).await;
    stream.hears_nothing_before_pong(1).await;
    stream.cut();

    assert!(last >= Duration::from_millis(2500) && last <= Duration::from_secs(5), "{last:?}");
    assert!(play.pass_wait().await <= Duration::from_millis(100));
}

#[tokio::test]
async fn after_ten_minutes_of_dialing_there_is_no_server() {
    let address = Server::new().await.address();
    let (clock, mut sleeps) = TestClock::new();
    let client = Client::with_clock(Settings::new(&address, "t").unwrap(), clock.clone());
    let (began, time) = (clock.now(), clock.clone());
    tokio::spawn(async move {
        while let Some(wait) = sleeps.recv().await {
            if wait != Duration::from_secs(12) {
                time.advance(wait);
            }
        }
    });

    let make = || -> Watched { unreachable!("no match is offered") };
    let error = client.play(make, std::future::pending()).await.unwrap_err();

    assert_eq!(error.exit_code(), 3, "{error}");
    let waited = clock.now() - began;
    assert!(waited >= Duration::from_secs(600) && waited < Duration::from_secs(606), "{waited:?}");
}

#[tokio::test]
async fn a_bot_that_is_told_to_stop_says_goodbye_and_nothing_after_it() {
    let (_open, wait) = gate();
    let mut play = Play::choosing(move |turn| {
        wait();
        turn.legal[0]
    })
    .await;
    let mut stream = play.ask_first().await;
    play.turn().await;

    play.stop();

    assert!(matches!(stream.hears().await, Said::Goodbye(_)));
    stream.say([kitumaija_bot::v1::server_message::Message::Ping(kitumaija_bot::v1::Ping { nonce: 1 })]);
    assert_eq!(stream.hears_or_end().await, None);
    stream.end(&Status::ok(""));
    assert!(play.ended().await.is_ok());
}

#[tokio::test]
async fn a_server_that_does_not_end_the_stream_is_waited_for_two_seconds() {
    let mut play = Play::first_legal().await;
    let mut stream = play.ask_first().await;
    stream.hears().await;

    play.stop();

    assert_eq!(play.pass_wait().await, Duration::from_secs(2));
    assert!(play.ended().await.is_ok());
}

#[tokio::test]
async fn a_bot_that_waits_to_dial_stops_at_once() {
    let mut play = Play::first_legal().await;
    let (stream, _) = play.greet(&[]).await;
    stream.cut();
    while play.sleeps.recv().await == Some(Duration::from_secs(12)) {}

    play.stop();

    assert!(play.ended().await.is_ok());
}
