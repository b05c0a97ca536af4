"""What is played: rounds that cover the numbers of seats, the options and the ways to end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count

from kitumaija.engine import Chance, FreeFromStock, GameOptions, HandSizes, PickUp, Stopped
from kitumaija.engine import text_seed as seed_of
from kitumaija.engine.values import MAX_SEATS, MIN_SEATS

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
    """One bot answers illegally until its seats are forfeited."""
    DISCONNECTED = "disconnected"
    """One bot is away for longer than the grace."""
    WITHDRAWN = "withdrawn"
    """One bot is withdrawn by the organizer."""
    DISQUALIFIED = "disqualified"
    """One bot is disqualified by the organizer."""
    VOID = "void"
    """The tournament is cancelled in the middle, and its matches with it."""


@dataclass(frozen=True, slots=True)
class Round:
    """One tournament that is played in two worlds: a bot for each seat, some matches at once."""

    number: int
    seats: int
    matches: int
    """How many matches run at once; the bots sit in other seats in each."""
    ending: Ending
    options: GameOptions
    watcher: int
    """The bot, from 0, whose every byte is compared."""
    victim: int
    """The bot, from 0, that the ending befalls, if it befalls one; it may be the watcher."""
    decisions: int
    """How many decisions of all its matches together are made before the end begins."""
    seed: str
    """What all chance of the round follows from."""

    def chance(self, about: str) -> Chance:
        """Return the round's own chance about something."""
        return Chance(seed_of(self.seed), about)

    def __str__(self) -> str:
        options = ", ".join(
            f"{name} {value}"
            for name, value in self.options.as_dict().items()
            if value != GameOptions().as_dict()[name] and name != "turns_per_player"
        )
        return f"round {self.number}: {self.seats} seats, {self.ending}" + (
            f", {options}" if options else ""
        )


def rounds(
    games: int, *, seed: str, seats: Sequence[int] = (), concurrent: int = 3
) -> Iterator[Round]:
    """Yield rounds with `games` matches in all; the same arguments yield the same rounds.

    `seats` are the table sizes, all if it is empty; `concurrent` is how many matches a round has at
    most, never more than seats. The ways to end and the options step at different paces, so that in
    the long run each meets each. Raises `ValueError` for a number that cannot be.
    """
    sizes = list(seats) or list(range(MIN_SEATS, MAX_SEATS + 1))
    for size in sizes:
        if not MIN_SEATS <= size <= MAX_SEATS:
            raise ValueError(f"seats: got {size}, wanted {MIN_SEATS} to {MAX_SEATS}")
    if games < 1 or concurrent < 1:
        raise ValueError(f"games: got {games}, wanted at least 1")
    left = games
    for number in count():
        size = sizes[number % len(sizes)]
        matches = min(size, concurrent, left)
        # One ending on for each time that all sizes have been through, so that all meet.
        turn = number % len(sizes) + number // len(sizes)
        yield _round(number, turn, size, matches, f"{seed} {number}")
        left -= matches
        if not left:
            return


def _round(number: int, turn: int, seats: int, matches: int, seed: str) -> Round:
    chance = Chance(seed_of(seed), "plan")
    endings = tuple(Ending)
    ending = endings[turn % len(endings)]
    watcher, chance = chance.below(seats)
    victim, chance = chance.below(seats)
    if ending is Ending.DISCONNECTED and victim == watcher:
        victim = (victim + 1) % seats  # nothing could be said to it
    decisions, chance = chance.below(_PREFIX_MAX * matches)
    options = {}
    for name, values in _OPTIONS.items():
        chosen, chance = chance.below(len(values))
        options[name] = values[chosen]
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
    )


_OPTIONS: dict[str, tuple[str | int, ...]] = {
    "free_from_stock": tuple(one.value for one in FreeFromStock),
    "pickup": tuple(one.value for one in PickUp),
    "repetition": (3, 2, 0),
    "stopped": tuple(one.value for one in Stopped),
    # The default is where something is to be hidden from some moment on.
    "hand_sizes": (HandSizes.UNTIL_STOCK_EMPTY.value, *(one.value for one in HandSizes)),
}
