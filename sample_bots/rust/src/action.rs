//! What a player may do.

use std::fmt;

use crate::cards::card;
use crate::v1::{self, Card, action};

/// One action of a player (I2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Play this card of the hand: the catch card, the free card or the lead, by the phase.
    Play(Card),
    /// Turn the top card of the stock.
    Turn,
    /// Pick up this many cards from the top of the pile.
    Take(u32),
    /// Pass the lead.
    Pass,
}

/// The action as text: `8H`, `turn`, `take 3` or `pass`.
impl fmt::Display for Action {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(card) => card.fmt(to),
            Self::Turn => to.pad("turn"),
            Self::Take(amount) => to.pad(&format!("take {amount}")),
            Self::Pass => to.pad("pass"),
        }
    }
}

impl From<Action> for v1::Action {
    fn from(action: Action) -> Self {
        let action = match action {
            Action::Play(card) => action::Action::Play(card.into()),
            Action::Turn => action::Action::Turn(v1::TurnCard {}),
            Action::Take(amount) => action::Action::Take(amount),
            Action::Pass => action::Action::PassLead(v1::Pass {}),
        };
        Self { action: Some(action) }
    }
}

/// The action of a message; none if it is of a kind, or of a card, that is not known here.
impl TryFrom<&v1::Action> for Action {
    type Error = ();

    fn try_from(message: &v1::Action) -> Result<Self, ()> {
        match message.action.as_ref().ok_or(())? {
            action::Action::Play(value) => known(*value).map(Self::Play).ok_or(()),
            action::Action::Turn(_) => Ok(Self::Turn),
            action::Action::Take(amount) => Ok(Self::Take(*amount)),
            action::Action::PassLead(_) => Ok(Self::Pass),
        }
    }
}

/// All that is legal as one list, in the order of I4. What is not known here is left out, so the list of a newer server may be empty.
#[must_use]
pub fn legal_actions(legal: &v1::LegalActions) -> Vec<Action> {
    let play = legal.play.iter().filter_map(|&value| known(value));
    let take = legal.take.iter().copied();
    play.map(Action::Play)
        .chain(legal.turn.then_some(Action::Turn))
        .chain(take.map(Action::Take))
        .chain(legal.pass_lead.then_some(Action::Pass))
        .collect()
}

fn known(value: i32) -> Option<Card> {
    Some(card(value)).filter(|&card| card != Card::Unspecified)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_that_is_not_known_here_is_left_out() {
        let newer = v1::LegalActions { play: vec![99, 1], ..Default::default() };

        assert_eq!(legal_actions(&newer), [Action::Play(Card::ClubsTwo)]);
        assert!(legal_actions(&v1::LegalActions::default()).is_empty());
    }

    #[test]
    fn an_action_comes_back_from_its_message_as_it_was() {
        let all = [Action::Play(Card::SpadesAce), Action::Turn, Action::Take(5), Action::Pass];

        for action in all {
            assert_eq!(Action::try_from(&v1::Action::from(action)), Ok(action));
        }
        assert_eq!(Action::try_from(&v1::Action { action: None }), Err(()));
    }
}
