//! A client for bots that play Kitumaija, and all that a bot needs to know.
//!
//! A bot is a [`Bot`] with one method, [`choose`](Bot::choose); [`run`] plays it where the environment says. Each match gets a bot of
//! its own and a thread of its own, so a bot may think as long as its clock allows, and its memory of a match is its fields.
//!
//! ```no_run
//! use kitumaija_bot::{Action, Bot, Turn};
//!
//! struct Smallest;
//!
//! impl Bot for Smallest {
//!     fn choose(&mut self, turn: &Turn) -> Action {
//!         turn.legal[0]
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     kitumaija_bot::run(|| Smallest)
//! }
//! ```
//!
//! What the messages mean is in `proto/README.md`, the guide to the protocol; marks such as `S17` are numbers of rules.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod action;
mod backoff;
mod bot;
mod cards;
mod client;
mod clock;
mod entropy;
mod errors;
mod event;
mod log;
mod matches;
mod run;
mod say;
mod settings;
mod turn;
#[cfg(test)]
mod vectors;
mod worker;

pub use action::{Action, legal_actions};
pub use bot::{Bot, End, Offer};
pub use cards::Suit;
pub use client::Client;
pub use clock::{Clock, SystemClock};
pub use errors::{Error, StreamError};
pub use event::Event;
pub use run::run;
pub use settings::Settings;
pub use turn::{Refused, Table, Turn};
pub use v1::{Card, MatchEnding, Phase, RefusalReason, Termination};

/// The messages of the protocol, made from `proto/kitumaija/v1`.
#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated")]
pub mod v1 {
    tonic::include_proto!("kitumaija.v1");
}
