"""The state of a game: one frozen value; every action makes another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from kitumaija.engine.cards import DECK, Card, CardSet, cards_in
from kitumaija.engine.deal import Chance
from kitumaija.engine.events import Event
from kitumaija.engine.freezing import frozen_as
from kitumaija.engine.options import GameOptions
from kitumaija.engine.values import Outcome, Phase, Seat

Position: TypeAlias = tuple[Seat, bool, tuple[CardSet, ...], tuple[Card, ...]]
"""What G4 compares, the stock apart: player to move, maija pending, hands, pile in order."""

History: TypeAlias = tuple[tuple[Position, ...], ...]
"""Positions at the starts of turns, by the size of the pile, so that few must be compared."""

NO_HISTORY: History = ((),) * (len(DECK) + 1)


@dataclass(frozen=True, slots=True)
class State:
    """Everything there is to know about a game at one moment, hidden cards included."""

    options: GameOptions
    dealer: Seat
    hands: tuple[CardSet, ...]
    """Each seat's hand; empty for the players who are out."""
    pile: tuple[Card, ...]
    """The open pile, bottom to top."""
    stock: tuple[Card, ...]
    """The stock, next card first."""
    mover: Seat
    """Who is to move; once the game is over, who would have been."""
    phase: Phase
    """What the mover is asked for; without meaning once the game is over."""
    luck: bool
    """Whether the catch card of the running turn was a luck card (D5)."""
    maija_pending: bool
    """Whether the mover must pick up for the queen of spades (S10)."""
    out: tuple[Seat, ...]
    """The players who are out, in the order of going out (G3)."""
    turns: int
    """How many turns have ended, pick-ups and passes included."""
    outcome: Outcome | None
    """How the game ended; None while it runs."""
    chance: Chance = field(repr=False)
    """Where the game's own randomness stands (B3)."""
    history: History = field(repr=False)
    """The positions at the starts of turns that can still recur (G4)."""

    @property
    def seats(self) -> int:
        """How many players sat down."""
        return len(self.hands)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def top(self) -> Card | None:
        """The card to catch; None when the pile is empty."""
        return self.pile[-1] if self.pile else None

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        """Return a seat's cards, ascending."""
        return cards_in(self.hands[seat])


class Step(NamedTuple):
    """What an action leads to: the next state, and the events on the way there, in order."""

    state: State
    events: tuple[Event, ...]


@dataclass(slots=True)
class Draft:
    """The next state while the rules make it: a `State` that may still be written to.

    It has the fields of `State`, in the same order. No draft outlives the call that made it.
    """

    options: GameOptions
    dealer: Seat
    hands: tuple[CardSet, ...]
    pile: tuple[Card, ...]
    stock: tuple[Card, ...]
    mover: Seat
    phase: Phase
    luck: bool
    maija_pending: bool
    out: tuple[Seat, ...]
    turns: int
    outcome: Outcome | None
    chance: Chance
    history: History

    @classmethod
    def of(cls, state: State) -> Draft:
        """Start from a copy of `state`."""
        return cls(
            state.options,
            state.dealer,
            state.hands,
            state.pile,
            state.stock,
            state.mover,
            state.phase,
            state.luck,
            state.maija_pending,
            state.out,
            state.turns,
            state.outcome,
            state.chance,
            state.history,
        )

    def frozen(self) -> State:
        """Turn this very draft into a `State`; it cannot be written to any more."""
        return frozen_as(State, self)

    def give(self, seat: Seat, cards: CardSet) -> None:
        """Add cards to a hand."""
        hands = self.hands
        self.hands = (*hands[:seat], hands[seat] | cards, *hands[seat + 1 :])

    def lay(self, card: Card) -> None:
        """Move a card from the mover's hand to the top of the pile."""
        hands, seat = self.hands, self.mover
        self.hands = (*hands[:seat], hands[seat] & ~(1 << card), *hands[seat + 1 :])
        self.pile = (*self.pile, card)

    def next_card(self) -> Card:
        """Take the next card off the stock, which holds at least one."""
        card = self.stock[0]
        self.stock = self.stock[1:]
        self.history = NO_HISTORY
        return card

    def take_stock(self, count: int) -> tuple[Card, ...]:
        """Take the next `count` cards off the stock, or what is left of it.

        No position recurs once the stock has shrunk, so what was before may be forgotten (G4).
        """
        taken, self.stock = self.stock[:count], self.stock[count:]
        self.history = NO_HISTORY
        return taken
