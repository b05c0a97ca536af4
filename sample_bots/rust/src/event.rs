//! What happened in a match, as the bot's own seat may know it.

use crate::cards::{card, cards};
use crate::v1::{self, Card, EventKind, Termination};

/// One thing that happened. `seat` is whom it happened to; cards that this seat may not see are not in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are what the variants tell")]
pub enum Event {
    /// Cards were dealt; the faces of one's own, in the order dealt (S12, B2).
    Dealt { seat: u32, count: u32, cards: Vec<Card> },
    /// The start card was turned, and lies alone in the pile (S12, S22).
    StartCardTurned { card: Card },
    /// The queen of spades was turned as a start card and went back into the stock (S13, B3).
    MaijaReturned,
    /// The top card was caught with a card from the hand (S16).
    CardCaught { seat: u32, card: Card },
    /// A luck card was turned from the stock; `fits` tells if it caught (S18-S20).
    LuckTurned { seat: u32, card: Card, fits: bool },
    /// A free card was played from the hand (S17).
    FreePlayed { seat: u32, card: Card },
    /// The free card was turned from the stock (D5).
    FreeTurned { seat: u32, card: Card },
    /// A card was led to the empty pile (E5).
    CardLed { seat: u32, card: Card },
    /// The lead was passed (E5).
    Passed { seat: u32 },
    /// Cards were drawn; the faces of one's own, in the order drawn (S17, H2).
    CardsDrawn { seat: u32, count: u32, cards: Vec<Card> },
    /// Cards were picked up; the faces of one's own, bottom to top (E1, H2).
    CardsPickedUp { seat: u32, count: u32, cards: Vec<Card> },
    /// A seat is out, in this place (G3).
    WentOut { seat: u32, place: u32 },
    /// The game ended; `places` are by seat.
    GameEnded { termination: Termination, places: Vec<u32> },
}

impl Event {
    /// The event of a message; none if it is of a kind that is not known here. It has its number in the course of the match all the same.
    #[must_use]
    pub fn read(event: &v1::Event) -> Option<Self> {
        let (seat, count) = (event.seat, event.count);
        let card = card(event.card);
        let faces = || cards(&event.cards);
        Some(match event.kind() {
            EventKind::Unspecified => return None,
            EventKind::Dealt => Self::Dealt { seat, count, cards: faces() },
            EventKind::StartCardTurned => Self::StartCardTurned { card },
            EventKind::MaijaReturned => Self::MaijaReturned,
            EventKind::CardCaught => Self::CardCaught { seat, card },
            EventKind::LuckTurned => Self::LuckTurned { seat, card, fits: event.fits },
            EventKind::FreePlayed => Self::FreePlayed { seat, card },
            EventKind::FreeTurned => Self::FreeTurned { seat, card },
            EventKind::CardLed => Self::CardLed { seat, card },
            EventKind::Passed => Self::Passed { seat },
            EventKind::CardsDrawn => Self::CardsDrawn { seat, count, cards: faces() },
            EventKind::CardsPickedUp => Self::CardsPickedUp { seat, count, cards: faces() },
            EventKind::WentOut => Self::WentOut { seat, place: event.place },
            EventKind::GameEnded => Self::GameEnded { termination: event.termination(), places: event.places.clone() },
        })
    }
}

/// The events of a message that are known here, from its `skip`th on.
pub(crate) fn read_from(events: &[v1::Event], skip: usize) -> impl Iterator<Item = Event> {
    events.iter().skip(skip).filter_map(Event::read)
}
