//! What a bot is, and what it is told beside its turns.

use crate::action::Action;
use crate::event::Event;
use crate::turn::Turn;
use crate::v1::{self, MatchEnding};

/// A player of one match. Each match gets a bot of its own, made and played on a thread of its own.
///
/// A bot that panics is told of on stderr; the decision is left to the server, and everything else goes on.
pub trait Bot {
    /// Picks one of `turn.legal`, which is never empty, before `turn.deadline()`.
    fn choose(&mut self, turn: &Turn) -> Action;

    /// Loads what the match needs. The bot is ready when this has returned, and `offer.limits` say how long it may take.
    fn start(&mut self, offer: &Offer) {
        let _ = offer;
    }

    /// Learns how the match ended.
    fn end(&mut self, end: &End) {
        let _ = end;
    }
}

/// A match in which the bot will play.
#[derive(Clone, Debug, Default)]
pub struct Offer {
    /// The match.
    pub match_id: String,
    /// The number of seats, 2-10.
    pub seats: usize,
    /// Its limits of time, where they are told.
    pub limits: Option<v1::Limits>,
}

/// How a match ended.
#[derive(Clone, Debug)]
pub struct End {
    /// How it ended.
    pub ending: MatchEnding,
    /// The places by seat, from 1; empty for a void match.
    pub places: Vec<u32>,
    /// The number of the first of `events` in the course of the match; events of kinds that are not known here are counted and skipped.
    pub first_event: u32,
    /// What happened since the last turn.
    pub events: Vec<Event>,
    /// The message itself: the last hands, stock and pile, faults, and what proves the deal.
    pub message: v1::MatchEnd,
}
