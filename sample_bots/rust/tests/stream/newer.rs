//! What a newer server says.

use kitumaija_bot::v1::server_message::Message;
use kitumaija_bot::v1::{Event, LegalActions};
use kitumaija_bot::{Action, Phase};

use crate::bots::{EIGHT, MATCH, Play, answer, asked, decision, numbers};

const UNKNOWN: i32 = 99;

#[tokio::test]
async fn a_message_of_no_kind_that_is_known_here_is_passed_over() {
    let play = Play::first_legal().await;
    let (mut stream, _) = play.greet(&[]).await;

    // A ServerMessage whose only field has the number 126, and then a frame without any message.
    stream.say_frame(&[0x0a, 0x05, 0xf2, 0x07, 0x02, 0x08, 0x0a]);
    stream.say_frame(&[]);

    stream.hears_nothing_before_pong(1).await;
}

#[tokio::test]
async fn an_event_that_is_not_known_here_is_skipped_and_counted() {
    let mut play = Play::first_legal().await;
    let mut stream = play.ask_first().await;
    stream.hears().await;
    play.turn().await;

    let mut newer = asked(MATCH, 2, 4, 3);
    newer.events[1] = Event { kind: UNKNOWN, ..Default::default() };
    stream.say([Message::Decision(newer), decision(MATCH, 3, 7, 1)]);

    let turn = play.turn().await;
    assert_eq!((turn.first_event, numbers(&turn.events)), (4, vec![4, 6]));
    assert_eq!(play.turn().await.first_event, 7);
}

#[tokio::test]
async fn values_that_are_not_known_here_are_as_if_not_said() {
    let mut play = Play::first_legal().await;
    let mut stream = play.ask_first().await;
    stream.hears().await;
    play.turn().await;

    let mut newer = asked(MATCH, 2, 4, 0);
    let view = newer.view.as_mut().unwrap();
    (view.phase, view.top) = (UNKNOWN, UNKNOWN);
    newer.legal = Some(LegalActions { play: vec![UNKNOWN], turn: true, ..Default::default() });
    stream.say([Message::Decision(newer)]);

    assert_eq!(stream.hears().await, answer(MATCH, 2, Action::Turn));
    let turn = play.turn().await;
    assert_eq!((turn.phase, turn.top), (Phase::Unspecified, None));
    assert_eq!(turn.legal, [Action::Turn]);
}

#[tokio::test]
async fn where_nothing_is_legal_that_is_known_here_nothing_is_said_and_no_event_is_lost() {
    let mut play = Play::first_legal().await;
    let mut stream = play.ask_first().await;
    stream.hears().await;
    play.turn().await;

    let mut newer = asked(MATCH, 2, 4, 2);
    newer.legal = Some(LegalActions { play: vec![UNKNOWN], ..Default::default() });
    stream.say([Message::Decision(newer)]);
    stream.hears_nothing_before_pong(1).await;
    stream.say([decision(MATCH, 3, 6, 1)]);

    assert_eq!(stream.hears().await, answer(MATCH, 3, EIGHT));
    assert_eq!(numbers(&play.turn().await.events), [4, 5, 6]);
}
