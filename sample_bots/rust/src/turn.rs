//! A decision, as a bot sees it.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::action::{Action, legal_actions};
use crate::cards::{card, cards};
use crate::clock::Clock;
use crate::event::{Event, read_from};
use crate::v1::{self, Card, Phase, RefusalReason};

/// Who plays in a match, and by which options and limits.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The match.
    pub match_id: String,
    /// All seats, in order.
    pub players: Vec<v1::SeatedPlayer>,
    /// The options of the game.
    pub options: v1::GameOptions,
    /// The limits of time, where they are told.
    pub limits: Option<v1::Limits>,
}

/// Why the answer before was not taken. The clock runs on.
#[derive(Clone, Debug)]
pub struct Refused {
    /// What was answered; none if it is not known here.
    pub action: Option<Action>,
    /// Why.
    pub reason: RefusalReason,
    /// The rule that was broken, in a sentence.
    pub detail: String,
    /// How many more answers are taken.
    pub retries_left: u32,
}

/// It is the bot's move: all that its seat may know now.
#[derive(Clone)]
pub struct Turn {
    /// Who plays, and by which options.
    pub table: Arc<Table>,
    /// Counts the seat's decisions in the match, from 1.
    pub decision_id: u32,
    /// The bot's own seat, from 0.
    pub seat: u32,
    /// The number of seats.
    pub seats: u32,
    /// What is asked; [`Phase::Unspecified`] if it is not known here.
    pub phase: Phase,
    /// The bot's hand, by suit then rank upwards.
    pub hand: Vec<Card>,
    /// The top card of the pile; none where the pile is empty.
    pub top: Option<Card>,
    /// The number of cards in the pile.
    pub pile_size: u32,
    /// The number of cards in the stock.
    pub stock_size: u32,
    /// The number of cards by seat; empty where it is not shown (H4).
    pub hand_sizes: Vec<u32>,
    /// The seats that are out, in the order of their going out.
    pub out: Vec<u32>,
    /// True if the catch of this turn was a luck card (D5).
    pub luck: bool,
    /// True if the queen of spades makes the bot pick up (S10).
    pub maija_pending: bool,
    /// How many turns have ended.
    pub turns: u32,
    /// All that the bot may do, in the order of I4; never empty.
    pub legal: Vec<Action>,
    /// The number of the first of `events` in the course of the match, from 0; events of kinds that are not known here are counted and
    /// skipped.
    pub first_event: u32,
    /// What happened since the bot's last turn, without a gap and without repetition, however often the line broke.
    pub events: Vec<Event>,
    /// What was left of the time for this decision and of the bank when the server sent it.
    pub time_left: Duration,
    /// What of it is the bank.
    pub bank: Duration,
    /// What the last decision was charged; zero before the first.
    pub last_used: Duration,
    /// What of a decision's time the network takes; zero while that is not known.
    pub round_trip: Duration,
    /// Why the answer before to this same decision was not taken, if there was one.
    pub refused: Option<Refused>,
    open: Arc<Open>,
    clock: Arc<dyn Clock>,
}

impl Turn {
    /// The turn of a message that came at `came` on `clock`, with the events that it tells.
    #[must_use]
    pub fn new(decision: &v1::Decision, table: Arc<Table>, clock: Arc<dyn Clock>, came: Instant) -> Self {
        let view = decision.view.clone().unwrap_or_default();
        let time_left = micros(decision.time_left_us);
        let round_trip = micros(decision.round_trip_us);
        Self {
            table,
            decision_id: decision.decision_id,
            seat: view.seat,
            seats: view.seats,
            phase: view.phase(),
            hand: cards(&view.hand),
            top: Some(card(view.top)).filter(|&top| top != Card::Unspecified),
            pile_size: view.pile_size,
            stock_size: view.stock_size,
            hand_sizes: view.hand_sizes,
            out: view.out,
            luck: view.luck,
            maija_pending: view.maija_pending,
            turns: view.turns,
            legal: decision.legal.as_ref().map(legal_actions).unwrap_or_default(),
            first_event: decision.first_event,
            events: read_from(&decision.events, 0).collect(),
            time_left,
            bank: micros(decision.bank_us),
            last_used: micros(decision.last_used_us),
            round_trip,
            refused: None,
            open: Arc::new(Open { over: AtomicBool::new(false), deadline: Mutex::new(deadline(decision, came)) }),
            clock,
        }
    }

    /// When the answer has to leave, on this machine's clock. It may change while the bot thinks, where the line breaks and the server tells
    /// anew what is left.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        *self.open.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is left until the deadline.
    #[must_use]
    pub fn remaining(&self) -> Duration {
        self.deadline().saturating_duration_since(self.clock.now())
    }

    /// True if there is no use in thinking on: the time is up, or the decision waits for no answer any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.open.over.load(Ordering::Relaxed) || self.remaining().is_zero()
    }

    /// The decision was asked again, with what is left now.
    pub(crate) fn asked_again(&self, decision: &v1::Decision, came: Instant) {
        *self.open.deadline.lock().unwrap_or_else(PoisonError::into_inner) = deadline(decision, came);
    }

    /// The decision waits for no answer any more.
    pub(crate) fn stop(&self) {
        self.open.over.store(true, Ordering::Relaxed);
    }

    /// The same decision after a refusal: open until the same deadline.
    pub(crate) fn refused(&self, refused: Refused, legal: Vec<Action>, first_event: u32) -> Self {
        let open = Open { over: AtomicBool::new(false), deadline: Mutex::new(self.deadline()) };
        let events = Vec::new();
        Self { legal, first_event, events, refused: Some(refused), open: Arc::new(open), ..self.clone() }
    }
}

/// What may change while the bot thinks.
struct Open {
    over: AtomicBool,
    deadline: Mutex<Instant>,
}

/// When the answer has to leave: the way there and the way back are both on the server's clock.
fn deadline(decision: &v1::Decision, came: Instant) -> Instant {
    came + micros(decision.time_left_us).saturating_sub(micros(decision.round_trip_us))
}

impl fmt::Debug for Turn {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Turn")
            .field("match_id", &self.table.match_id)
            .field("decision_id", &self.decision_id)
            .field("seat", &self.seat)
            .field("phase", &self.phase)
            .field("hand", &self.hand)
            .field("top", &self.top)
            .field("legal", &self.legal)
            .finish_non_exhaustive()
    }
}

/// A duration that came in microseconds: nothing below zero, and at most a year, so that no sum overflows.
fn micros(value: i64) -> Duration {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
    Duration::from_micros(u64::try_from(value).unwrap_or(0)).min(YEAR)
}
