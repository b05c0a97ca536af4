//! What a bot says, as messages.

use std::time::Duration;

use crate::action::Action;
use crate::v1::bot_message::Message;
use crate::v1::{self, BotMessage, Entropy};

/// What this client calls itself in Hello.
const SDK: &str = concat!("kitumaija-rust/", env!("CARGO_PKG_VERSION"));

/// The most matches that a Hello may name.
pub(crate) const MOST_MATCHES: usize = 256;

pub(crate) fn hello(bot_version: &str, capacity: u32, match_ids: Vec<String>) -> BotMessage {
    message(Message::Hello(v1::Hello {
        sdk: SDK.to_owned(),
        language: "rust".to_owned(),
        bot_version: bot_version.to_owned(),
        capacity,
        match_ids,
    }))
}

pub(crate) fn ready(match_id: &str) -> BotMessage {
    message(Message::Ready(v1::Ready { match_id: match_id.to_owned() }))
}

pub(crate) fn answer(match_id: &str, decision_id: u32, action: Action, thought: Duration) -> v1::Answer {
    v1::Answer {
        match_id: match_id.to_owned(),
        decision_id,
        action: Some(action.into()),
        think_time_us: i64::try_from(thought.as_micros()).ok(),
    }
}

pub(crate) fn pong(nonce: u64) -> BotMessage {
    message(Message::Pong(v1::Pong { nonce }))
}

pub(crate) fn resync(match_id: &str) -> BotMessage {
    message(Message::Resync(v1::Resync { match_id: match_id.to_owned() }))
}

pub(crate) fn goodbye() -> BotMessage {
    message(Message::Goodbye(v1::Goodbye { reason: "told to stop".to_owned() }))
}

impl From<v1::Answer> for BotMessage {
    fn from(answer: v1::Answer) -> Self {
        message(Message::Answer(answer))
    }
}

impl From<Entropy> for BotMessage {
    fn from(entropy: Entropy) -> Self {
        message(Message::Entropy(entropy))
    }
}

fn message(message: Message) -> BotMessage {
    BotMessage { message: Some(message) }
}
