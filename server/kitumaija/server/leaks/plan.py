"""What is played: rounds that cover the numbers of seats, the options and the ways to end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from math import lcm

from kitumaija.engine import Chance, FreeFromStock, GameOptions, HandSizes, PickUp, Stopped
from kitumaija.engine import text_seed as seed_of
from kitumaija.engine.values import MAX_SEATS, MIN_SEATS
from kitumaija.server.choices import HandsVisible, IllegalActions

_TURNS = {2: 7, 3: 6, 4: 5, 5: 4, 6: 3, 7: 3, 8: 2, 9: 2, 10: 2}
"""The turn cap a player, by seats. Most games stop while much is still unseen: once everything has
been seen there is nothing that could leak. At five seats and more the stock runs out before."""

_PREFIX_MAX = 8
"""The most decisions of each match that are made before it comes to its end."""


class Ending(StrEnum):
    """How the matches of a round come to their end."""

    PLAYED = "played"
    """Every seat plays on until the game is over."""
    FORFEIT = "forfeit"
    """The bot at one seat answers illegally until its seat is forfeited."""
    TIMEOUT = "timeout"
    """Every open decision runs out of time, as often as it takes to forfeit the seat."""
    DISCONNECTED = "disconnected"
    """One bot is away for longer than the grace."""
    LEFT = "left"
    """One bot says Goodbye, and does not come back."""
    FLOODED = "flooded"
    """One bot sends more than the server takes."""
    BROKE = "broke the protocol"
    """One bot says Hello twice."""
    WITHDRAWN = "withdrawn"
    """One bot is withdrawn by the organizer."""
    DISQUALIFIED = "disqualified"
    """One bot is disqualified by the organizer."""
    ANNULLED = "annulled"
    """Every match is played, and the organizer declares the first of them void afterwards."""
    CANCELLED = "cancelled"
    """The tournament is cancelled in the middle, and its matches with it."""
    CAPPED = "capped"
    """The server stands still until the matches have taken longer than their cap: they are void."""
    LOST = "all lost"
    """All bots are lost at the same instant and for longer than the grace: the matches are void."""
    ABSENT = "no show"
    """One bot is not there when its matches are offered, so that they do not begin."""
    LATE = "late"
    """The bot at one seat is not ready in time, so that its matches do not begin."""

    @property
    def begins(self) -> bool:
        """Whether any card is dealt to anybody."""
        return self not in (Ending.ABSENT, Ending.LATE)

    @property
    def breaks_off(self) -> bool:
        """Whether the matches are void, with nothing played after it."""
        return not self.begins or self in (Ending.CANCELLED, Ending.CAPPED, Ending.LOST)

    @property
    def shows_who(self) -> bool:
        """Whether everybody is told which bot it befell, while the game shows which seat it was."""
        return self in _SHOWN

    @property
    def is_away(self) -> bool:
        """Whether the bot that it befalls can be told nothing afterwards."""
        return self in (Ending.DISCONNECTED, Ending.LEFT, Ending.ABSENT)


_SHOWN = frozenset(
    {
        Ending.DISCONNECTED,
        Ending.LEFT,
        Ending.FLOODED,
        Ending.BROKE,
        Ending.WITHDRAWN,
        Ending.DISQUALIFIED,
    }
)


@dataclass(frozen=True, slots=True)
class Round:
    """One tournament that is played in two worlds, some of its matches at once."""

    number: int
    seats: int
    matches: int
    """How many matches run at once; who sits where is drawn for each."""
    ending: Ending
    options: GameOptions
    watcher: int
    """The bot, from 0, whose every byte is compared. It sits in every match."""
    victim: int
    """The bot, from 0, that the ending befalls, if it befalls one; it may be the watcher."""
    decisions: int
    """How many decisions of all its matches together are made before the end begins."""
    seed: str
    """What all chance of the round follows from."""
    blind: bool = False
    """Whether nobody is told who sits in a match before it has ended."""
    same: int = 0
    """In how many of the matches, those that begin first, the same bots sit in both worlds: when
    one of them has ended, nothing that is told of it may tell who sits in the others."""
    forgiven: int = 0
    """How many faults are forgiven a seat before one costs it."""
    illegal: IllegalActions = IllegalActions.RETRY
    """What an illegal answer leads to."""
    hands_visible: HandsVisible = HandsVisible.AFTER_TOURNAMENT
    """From when on everybody may read the whole of a match that counts."""

    @property
    def hides_who(self) -> bool:
        """Whether who sits in a match is hidden: in a blind one, and in one that never begins."""
        return self.blind or not self.ending.begins

    @property
    def bots(self) -> tuple[str, ...]:
        """The entrants: one for each seat, and where it is hidden who sits there, some more."""
        more = 1 + self.seats % 2 if self.hides_who else 0
        return tuple(f"b{number}" for number in range(self.seats + more))

    def chance(self, about: str) -> Chance:
        """Return the round's own chance about something."""
        return Chance(seed_of(self.seed), about)

    def __str__(self) -> str:
        options = ", ".join(
            f"{name} {value}"
            for name, value in self.options.as_dict().items()
            if value != GameOptions().as_dict()[name] and name != "turns_per_player"
        )
        blind = ", blind" if self.blind else ""
        others = "".join(
            f", {name} {value}"
            for name, value, usual in (
                ("illegal_actions", self.illegal, IllegalActions.RETRY),
                ("hands_visible", self.hands_visible, HandsVisible.AFTER_TOURNAMENT),
            )
            if value is not usual
        )
        return (
            f"round {self.number}: {self.seats} seats{blind}, {self.ending}"
            + (f", {options}" if options else "")
            + others
        )


def rounds(
    games: int, *, seed: str, seats: Sequence[int] = (), concurrent: int = 3
) -> Iterator[Round]:
    """Yield rounds with `games` matches in all; the same arguments yield the same rounds.

    `seats` are the table sizes, all if it is empty; `concurrent` is how many matches a round has at
    most, never more than seats. Every way to end comes in turn, and shifts against the sizes, so
    that in the long run each meets each; all else is drawn. Raises `ValueError` for a number that
    cannot be.
    """
    sizes = list(seats) or list(range(MIN_SEATS, MAX_SEATS + 1))
    for size in sizes:
        if not MIN_SEATS <= size <= MAX_SEATS:
            raise ValueError(f"seats: got {size}, wanted {MIN_SEATS} to {MAX_SEATS}")
    if games < 1 or concurrent < 1:
        raise ValueError(f"games: got {games}, wanted at least 1")
    left, endings = games, tuple(Ending)
    for number in count():
        size = sizes[number % len(sizes)]
        own = f"{seed} {number}"
        more, _ = Chance(seed_of(own), "matches").below(min(size, concurrent))
        # One ending on when all that meet in this order have met.
        turn = number + number // lcm(len(sizes), len(endings))
        ending = endings[turn % len(endings)]
        # A bot that is away is offered one match at a time.
        matches = 1 if ending is Ending.ABSENT else min(1 + more, left)
        yield _round(number, ending, size, matches, own)
        left -= matches
        if not left:
            return


def _round(number: int, ending: Ending, seats: int, matches: int, seed: str) -> Round:
    chance = Chance(seed_of(seed), "plan")
    watcher, chance = chance.below(seats)
    victim, chance = chance.below(seats)
    if (ending.is_away or not ending.begins) and victim == watcher:
        victim = (victim + 1) % seats  # nothing could be said to it, or it would know who it was
    decisions, chance = chance.below(_PREFIX_MAX * matches)
    options = {}
    for name, values in _OPTIONS.items():
        chosen, chance = chance.below(len(values))
        options[name] = values[chosen]
    blind, chance = chance.below(2)
    same, chance = chance.below(min(matches, 2))
    forgiven, chance = chance.below(2)
    illegal, chance = chance.below(len(IllegalActions))
    visible, chance = chance.below(len(HandsVisible))
    return Round(
        number=number,
        seats=seats,
        matches=matches,
        ending=ending,
        options=GameOptions.from_dict({**options, "turns_per_player": _TURNS[seats]}),
        watcher=watcher,
        victim=victim,
        decisions=decisions,
        seed=seed,
        blind=bool(blind),
        same=same,
        forgiven=forgiven,
        illegal=tuple(IllegalActions)[illegal],
        hands_visible=tuple(HandsVisible)[visible],
    )


_OPTIONS: dict[str, tuple[str | int, ...]] = {
    "free_from_stock": tuple(one.value for one in FreeFromStock),
    "pickup": tuple(one.value for one in PickUp),
    "repetition": (3, 2, 0),
    "stopped": tuple(one.value for one in Stopped),
    # The default is where something is to be hidden from some moment on.
    "hand_sizes": (HandSizes.UNTIL_STOCK_EMPTY.value, *(one.value for one in HandSizes)),
}
