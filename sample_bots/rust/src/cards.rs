//! What can be told of a card. The type itself is made from `cards.proto`.

use std::fmt;

use crate::v1::Card;

/// A suit: clubs are hard, diamonds are trumps, hearts and spades are ordinary (S5-S9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// Only a higher club catches a club.
    Clubs,
    /// Trumps: they catch all but clubs and higher diamonds.
    Diamonds,
    /// Caught by a higher heart, or a trump.
    Hearts,
    /// Caught by a higher spade, or a trump; the queen is the maija, and catches nothing.
    Spades,
}

impl Card {
    /// The suit; none of [`Card::Unspecified`].
    #[must_use]
    pub fn suit(self) -> Option<Suit> {
        match self as i32 {
            1..=13 => Some(Suit::Clubs),
            14..=26 => Some(Suit::Diamonds),
            27..=39 => Some(Suit::Hearts),
            40..=52 => Some(Suit::Spades),
            _ => None,
        }
    }

    /// The rank, from 0 for a two to 12 for an ace; none of [`Card::Unspecified`].
    #[must_use]
    pub fn rank(self) -> Option<usize> {
        usize::try_from(self as i32 - 1).ok().map(|place| place % 13)
    }
}

/// The card as text, such as `8H`; `-` for no card.
impl fmt::Display for Card {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(suit), Some(rank)) = (self.suit(), self.rank()) else {
            return to.pad("-");
        };
        let suit = match suit {
            Suit::Clubs => 'C',
            Suit::Diamonds => 'D',
            Suit::Hearts => 'H',
            Suit::Spades => 'S',
        };
        to.pad(&format!("{}{suit}", &"23456789TJQKA"[rank..=rank]))
    }
}

/// A card that came over the wire. One that is not known here is [`Card::Unspecified`].
pub(crate) fn card(value: i32) -> Card {
    Card::try_from(value).unwrap_or_default()
}

/// Cards that came over the wire, as many as came.
pub(crate) fn cards(values: &[i32]) -> Vec<Card> {
    values.iter().map(|&value| card(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_written_as_its_rank_and_suit() {
        let texts: Vec<String> = cards(&[1, 9, 13, 14, 33, 50, 52, 0, 99]).iter().map(ToString::to_string).collect();

        assert_eq!(texts, ["2C", "TC", "AC", "2D", "8H", "QS", "AS", "-", "-"]);
    }

    #[test]
    fn the_cards_are_numbered_by_suit_and_then_rank() {
        let in_order = cards(&(1..=52).collect::<Vec<_>>());

        let sorted =
            in_order.windows(2).all(|pair| (pair[0].suit(), pair[0].rank()) < (pair[1].suit(), pair[1].rank()));
        assert!(sorted);
    }
}
