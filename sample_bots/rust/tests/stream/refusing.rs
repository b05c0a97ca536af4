//! Answers that the server does not take.

use kitumaija_bot::v1::server_message::Message;
use kitumaija_bot::v1::{LegalActions, Refusal};
use kitumaija_bot::{Action, Card, RefusalReason};

use crate::bots::{EIGHT, MATCH, Play, answer, decision, gate, legal};

const WRONG: Action = Action::Play(Card::SpadesFour);

fn refusal(reason: RefusalReason, legal: Option<LegalActions>) -> Message {
    Message::Refusal(Refusal {
        match_id: MATCH.to_owned(),
        decision_id: 1,
        reason: reason.into(),
        action: Some(WRONG.into()),
        detail: "S5-S9".to_owned(),
        retries_left: if legal.is_some() { 2 } else { 0 },
        legal,
    })
}

#[tokio::test]
async fn a_bot_whose_answer_is_refused_is_asked_again_by_the_same_clock() {
    let mut play = Play::choosing(|turn| if turn.refused.is_none() { WRONG } else { turn.legal[0] }).await;
    let mut stream = play.ask_first().await;
    assert_eq!(stream.hears().await, answer(MATCH, 1, WRONG));
    let first = play.turn().await;

    stream.say([refusal(RefusalReason::IllegalAction, Some(legal()))]);

    assert_eq!(stream.hears().await, answer(MATCH, 1, EIGHT));
    let again = play.turn().await;
    assert_eq!((again.deadline(), again.decision_id), (first.deadline(), 1));
    assert_eq!(again.legal, [EIGHT, Action::Turn]);
    assert!(again.events.is_empty() && again.first_event == 4);
    let refused = again.refused.expect("it is told why");
    assert_eq!((refused.action, refused.retries_left), (Some(WRONG), 2));
    assert_eq!((refused.reason, refused.detail.as_str()), (RefusalReason::IllegalAction, "S5-S9"));
}

#[tokio::test]
async fn a_refusal_that_comes_twice_asks_the_bot_once() {
    let (open, wait) = gate();
    let mut play = Play::choosing(move |turn| {
        wait();
        if turn.refused.is_none() { WRONG } else { turn.legal[0] }
    })
    .await;
    let mut stream = play.ask_first().await;
    open.send(()).unwrap();
    assert_eq!(stream.hears().await, answer(MATCH, 1, WRONG));
    play.turn().await;

    stream.say([(); 2].map(|()| refusal(RefusalReason::IllegalAction, Some(legal()))));
    play.turn().await;
    stream.hears_nothing_before_pong(1).await;
    open.send(()).unwrap();
    open.send(()).unwrap();

    assert_eq!(stream.hears().await, answer(MATCH, 1, EIGHT));
    stream.hears_nothing_before_pong(2).await;
    assert!(play.seen.try_recv().is_err());
}

#[tokio::test]
async fn a_refusal_that_closes_the_decision_is_not_answered() {
    for reason in [RefusalReason::IllegalAction, RefusalReason::Decided, RefusalReason::Forfeited] {
        let mut play = Play::choosing(|_| WRONG).await;
        let mut stream = play.ask_first().await;
        stream.hears().await;
        play.turn().await;

        stream.say([refusal(reason, None)]);

        stream.hears_nothing_before_pong(1).await;
        stream.say([decision(MATCH, 2, 4, 0)]);
        assert_eq!(play.turn().await.decision_id, 2);
    }
}

#[tokio::test]
async fn a_match_that_the_server_does_not_know_is_forgotten() {
    let mut play = Play::first_legal().await;
    let mut stream = play.ask_first().await;
    stream.hears().await;
    stream.say([refusal(RefusalReason::UnknownMatch, None)]);
    stream.hears_nothing_before_pong(1).await;
    stream.cut();

    let (_, named) = play.greet_again(&[]).await;

    assert!(named.is_empty());
}
