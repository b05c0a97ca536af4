"""What a player can do (I2), and why an action is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from kitumaija.engine.cards import DECK, Card


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card of the hand: as catch card, free card or lead, as the phase says."""

    card: Card


@dataclass(frozen=True, slots=True)
class TurnCard:
    """Turn the stock's top card: the luck card (S18), or the free card where D5 allows it."""


@dataclass(frozen=True, slots=True)
class TakeCards:
    """Pick up the `count` topmost cards of the pile (S20, S10; E1 says which counts)."""

    count: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Lead nothing, for the only card is the queen of spades (E5)."""


Action: TypeAlias = PlayCard | TurnCard | TakeCards | Pass

# Actions are values, so the few that exist are made once and shared.
PLAYS: tuple[PlayCard, ...] = tuple(PlayCard(card) for card in DECK)
TAKES: tuple[TakeCards, ...] = tuple(TakeCards(count) for count in range(6))
TURN = TurnCard()
PASS = Pass()


class IllegalReason(Enum):
    """Why an action is not legal; `sentence` says it for people, and names no hidden card."""

    NOT_YOUR_TURN = "not_your_turn"
    GAME_OVER = "game_over"
    WRONG_PHASE = "wrong_phase"
    NOT_IN_HAND = "not_in_hand"
    DOES_NOT_BEAT = "does_not_beat"
    MAIJA_CANNOT_CATCH = "maija_cannot_catch"
    MAIJA_CANNOT_LEAD = "maija_cannot_lead"
    STOCK_EMPTY = "stock_empty"
    LUCK_ALREADY_TRIED = "luck_already_tried"
    TURN_NOT_ALLOWED = "turn_not_allowed"
    MUST_CATCH = "must_catch"
    PICKUP_AMOUNT = "pickup_amount"
    CANNOT_PASS = "cannot_pass"

    @property
    def sentence(self) -> str:
        """The reason in words, with the rule's number; it begins small and has no full stop."""
        return _SENTENCES[self]


_SENTENCES = {
    IllegalReason.NOT_YOUR_TURN: "it is another player's turn",
    IllegalReason.GAME_OVER: "the game is over",
    IllegalReason.WRONG_PHASE: "this phase does not ask for such an action (I1)",
    IllegalReason.NOT_IN_HAND: "the card is not in the hand",
    IllegalReason.DOES_NOT_BEAT: "the card does not beat the top card (S5-S9)",
    IllegalReason.MAIJA_CANNOT_CATCH: "the queen of spades cannot catch (S11)",
    IllegalReason.MAIJA_CANNOT_LEAD: "the queen of spades cannot lead (E5)",
    IllegalReason.STOCK_EMPTY: "the stock has no card left to turn",
    IllegalReason.LUCK_ALREADY_TRIED: "luck is tried once a turn (D1)",
    IllegalReason.TURN_NOT_ALLOWED: "the card may not be turned from the stock here (D5, E5)",
    IllegalReason.MUST_CATCH: "a player who holds a catching card may not pick up at once (D7)",
    IllegalReason.PICKUP_AMOUNT: "that number of cards may not be picked up here (E1)",
    IllegalReason.CANNOT_PASS: "passing is only for a leader who holds nothing but the queen (E5)",
}


class IllegalAction(ValueError):
    """An action that the rules refuse.

    `reason` is the machine's word for it, `action` and `position` are in text notation. The
    position shows every hand, so the message, which may end up in anybody's log, leaves it out.
    """

    def __init__(self, reason: IllegalReason, action: str, position: str) -> None:
        super().__init__(f"{action!r} is illegal: {reason.sentence}")
        self.reason = reason
        self.action = action
        self.position = position


class OutOfTurn(IllegalAction):
    """An action by a player whose turn it is not."""

    def __init__(self, action: str, position: str) -> None:
        super().__init__(IllegalReason.NOT_YOUR_TURN, action, position)
