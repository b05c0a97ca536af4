"""Playing a bot over many seeds, to find out where it fails."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import product

from kitumaija.engine import (
    Action,
    Chance,
    FreeFromStock,
    GameOptions,
    HandSizes,
    PickUp,
    text_seed,
)
from kitumaija.sdk.bot import Bot, BotFactory, name_of
from kitumaija.sdk.clocks import Clock, CountedClock
from kitumaija.sdk.errors import BotError
from kitumaija.sdk.local import play
from kitumaija.sdk.match import Match
from kitumaija.sdk.turn import Turn
from kitumaija.wire.times import Limits

ALL_OPTIONS = tuple(
    replace(GameOptions(), free_from_stock=free, pickup=pickup, hand_sizes=sizes)
    for free, pickup, sizes in product(FreeFromStock, PickUp, HandSizes)
)
"""The option values that change what a bot sees or may do, in all their combinations."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check that found no error went through."""

    games: int
    decisions: int
    """The decisions of the bot that was checked."""
    slowest: timedelta
    """Its slowest decision, by the clock of the check."""
    late: int
    """How many of its decisions took too long."""


class Anything(Bot):
    """Plays any legal action, drawn from the match's own name: it leads games to odd places."""

    def on_start(self, match: Match) -> None:
        """Begin the stream of draws."""
        self._chance = Chance(text_seed(match.match_id), f"anything/{match.seat}")

    def choose(self, turn: Turn) -> Action:
        """Draw one of the legal actions."""
        drawn, self._chance = self._chance.below(len(turn.legal))
        return turn.legal[drawn]


def check_bot(
    bot: BotFactory,
    *,
    seeds: Iterable[int | str] = range(20),
    seats: int | Sequence[int] = (2, 4),
    opponent: BotFactory = Anything,
    options: Sequence[GameOptions] = ALL_OPTIONS,
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
    clock: Clock | None = None,
) -> Checked:
    """Play one game a seed and number of seats, against `opponent`; the bot's seat goes around.

    The games take turns with `options`, all combinations by default, so that the rare decisions
    are asked too. The time is counted unless a `clock` is given.

    Raises `BotError` at the first exception or illegal answer, with the turn and how to play the
    same game again.
    """
    tables = (seats,) if isinstance(seats, int) else tuple(seats)
    clock = clock or CountedClock()
    games = decisions = late = slowest = 0
    for seed in seeds:
        for table in tables:
            own, option = games % table, options[games % len(options)]
            bots = [bot if seat == own else opponent for seat in range(table)]
            try:
                played = play(bots, seed=seed, options=option, limits=limits, clock=clock)
            except BotError as error:
                bot_names = ", ".join(name_of(player) for player in bots)
                again = f"  game:   play([{bot_names}], seed={seed!r}{_as_argument(option)})"
                raise BotError(error.bot, f"{error.problem}\n{again}", error.turn) from (
                    error.__cause__ or error
                )
            games += 1
            late += played.late[own]
            own_times = [
                used
                for used, decision in zip(played.used, played.record.decisions, strict=True)
                if decision.seat == own
            ]
            decisions += len(own_times)
            slowest = max(slowest, *own_times, 0)
    return Checked(games, decisions, timedelta(microseconds=slowest // 1000), late)


def _as_argument(options: GameOptions) -> str:
    """The argument that makes these options again; nothing for the default ones."""
    default = GameOptions().as_dict()
    changed = {name: value for name, value in options.as_dict().items() if value != default[name]}
    return f", options=GameOptions.from_dict({changed})" if changed else ""
