"""What a bot is asked: everything that it may know, and everything that it may do."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from kitumaija.engine import (
    Action,
    Card,
    Event,
    Pass,
    Phase,
    PlayCard,
    Seat,
    TakeCards,
    TurnCard,
    View,
)
from kitumaija.engine.notation import format_action, format_cards
from kitumaija.sdk.clocks import Clock, duration
from kitumaija.sdk.match import Match

_NONE = timedelta()


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision that a bot is asked for.

    It is complete: a bot without any memory can play from it. It is also frozen, so it may be kept.
    `print(turn)` shows it, and the call that makes it again in a test.
    """

    match: Match
    """Who plays, by which options and limits."""
    decision_id: int
    """Counts this seat's decisions of this match, from 1."""
    view: View
    """What the seat may see; its fields are properties of the turn too."""
    legal: tuple[Action, ...]
    """All that may be answered, never nothing: cards by suit C D H S, then by rank upwards;
    turning; picking up, the smaller number first; passing (I4)."""
    events: tuple[Event, ...]
    """What happened since this bot's last turn, its own last action included; the first turn of a
    match tells everything from the deal on."""
    time_left: timedelta
    """The time for this decision when it was asked, the bank included."""
    bank: timedelta
    """How much of `time_left` is the bank: the reserve of the whole match."""
    clock: Clock = field(repr=False, compare=False)
    asked_at: int = field(repr=False, compare=False)
    """What the clock said when `time_left` was true, in nanoseconds."""
    last_used: timedelta = _NONE
    """The time charged for the last decision; zero before the first."""
    round_trip: timedelta = _NONE
    """The estimate of the network's round trip; zero while there is none, and in local play."""

    ##### Time #####

    def remaining(self) -> timedelta:
        """Return what is left of `time_left` now; never less than zero."""
        return max(_NONE, self.time_left - duration(self.clock() - self.asked_at))

    ##### What the seat sees #####

    @property
    def phase(self) -> Phase:
        """What is asked for: CATCH, FREE, PICKUP or LEAD (I1)."""
        phase = self.view.phase
        assert phase is not None, "a turn is asked only while the game runs"  # noqa: S101
        return phase

    @property
    def seat(self) -> Seat:
        """The bot's own seat, from 0."""
        return self.match.seat

    @property
    def seats(self) -> int:
        """How many players sat down, out or not."""
        return self.view.seats

    @property
    def hand(self) -> tuple[Card, ...]:
        """The bot's cards, by suit C D H S, then by rank upwards."""
        return self.view.hand

    @property
    def top(self) -> Card | None:
        """The pile's top card; None when the pile is empty."""
        return self.view.top

    @property
    def pile_size(self) -> int:
        """The number of cards in the pile."""
        return self.view.pile_size

    @property
    def stock_size(self) -> int:
        """The number of cards in the stock."""
        return self.view.stock_size

    @property
    def hand_sizes(self) -> tuple[int | None, ...]:
        """The number of cards of every seat; None where it is not shown (H4)."""
        return self.view.hand_sizes

    @property
    def out(self) -> tuple[Seat, ...]:
        """The players who are out, in the order of going out."""
        return self.view.out

    @property
    def luck(self) -> bool:
        """Whether the catch card of this turn was turned from the stock (D5)."""
        return self.view.luck

    @property
    def maija_pending(self) -> bool:
        """Whether this pick-up is for the queen of spades (S10)."""
        return self.view.maija_pending

    @property
    def turns(self) -> int:
        """How many turns of the game have ended."""
        return self.view.turns

    @property
    def next_seat(self) -> Seat:
        """Who is next, of those still in; oneself if nobody else is."""
        others = (Seat((self.seat + step) % self.seats) for step in range(1, self.seats))
        return next((seat for seat in others if seat not in self.out), self.seat)

    ##### What may be done #####

    @property
    def playable(self) -> tuple[Card, ...]:
        """The cards that may be played now."""
        return tuple([action.card for action in self.legal if isinstance(action, PlayCard)])

    @property
    def can_turn(self) -> bool:
        """Whether the stock's top card may be turned."""
        return TurnCard() in self.legal

    @property
    def takes(self) -> tuple[int, ...]:
        """The numbers of cards that may be picked up, the smaller first."""
        return tuple([action.count for action in self.legal if isinstance(action, TakeCards)])

    @property
    def can_pass(self) -> bool:
        """Whether passing is legal; it is then the only action."""
        return Pass() in self.legal

    ##### As text #####

    def __str__(self) -> str:
        return (
            f"  turn:   decision {self.decision_id} of match {self.match.match_id}, "
            f"seat {self.seat} of {self.seats}\n"
            f"  asked:  {self.phase.name}, top {_text(self.top) or 'none'}, "
            f"pile {self.pile_size}, stock {self.stock_size}\n"
            f"  hand:   {format_cards(self.hand) or 'none'}\n"
            f"  legal:  {', '.join(map(format_action, self.legal))}\n"
            f"  again:  {self._as_call()}"
        )

    def _as_call(self) -> str:
        """The call of `kitumaija.sdk.testing.make_turn` that makes a turn like this one."""
        given: dict[str, object] = {
            "hand": format_cards(self.hand),
            "top": _text(self.top),
            "phase": self.phase.name,
            "pile_size": self.pile_size,
            "stock_size": self.stock_size,
            "seat": int(self.seat),
            "seats": self.seats,
        }
        if self.out:
            given["out"] = tuple(map(int, self.out))
        given |= {name: True for name in ("luck", "maija_pending") if getattr(self, name)}
        return f"make_turn({', '.join(f'{name}={value!r}' for name, value in given.items())})"


def _text(card: Card | None) -> str:
    return str(card) if card else ""
