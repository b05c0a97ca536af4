"""Playing the games of an arena, here or in other processes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from kitumaija.engine import GameOptions
from kitumaija.sdk.arena.apart import played_apart
from kitumaija.sdk.arena.plan import Plan
from kitumaija.sdk.arena.standings import GamePlayed, Standings, standings
from kitumaija.sdk.bot import BotFactory, name_of
from kitumaija.sdk.calls import OnError
from kitumaija.sdk.errors import UsageError
from kitumaija.sdk.local import unlike
from kitumaija.wire.times import Limits

Progress = Callable[[int], None]
"""Hears how many games have been played so far."""


def arena(
    bots: Sequence[str | BotFactory],
    *,
    seats: int,
    games: int,
    seed: str | int,
    duplicate: bool = True,
    options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
    real_time: bool = False,
    on_error: OnError = "fallback",
    jobs: int | None = None,
    records: Path | None = None,
    progress: Progress | None = None,
) -> Standings:
    """Play at least `games` games between bots: classes, or names as `loading.load` takes them.

    The games come in sets, in which the bots move around the table, so the number is rounded up to
    whole sets. With `duplicate` all games of a set have the same deal, otherwise each its own, as
    on a server. The same seed gives the same standings, whatever the number of `jobs`, unless
    `real_time` makes bots hear the machine's clock. `limits` are those that the bots are told and
    held to. Into the folder `records` goes the record of every game.

    With `jobs` that many other processes play, and they and all that bots start in them end with
    this call or with this process, even if that is killed. Without, bots play in this process.

    A bot that fails is answered for by its first legal action and its errors are counted; with
    `on_error="raise"` the first one raises `BotError`.

    Raises `UsageError` for numbers that cannot be meant so, `LoadError` for a bot that cannot be
    loaded, `SdkError` if one of the other processes ends in the middle of a game.
    """
    _check(bots, seats, games, jobs)
    plan = Plan(
        bots=tuple(bots),
        seats=seats,
        games=games,
        seed=seed,
        duplicate=duplicate,
        options=options,
        limits=limits,
        real_time=real_time,
        on_error=on_error,
        records=records,
    )
    names = unlike([name_of(bot) for bot in plan.factories()])
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    # Closed here, whatever ends it: a bot may think for hours, and nobody waits for that.
    with closing(_played_here(plan) if jobs is None else played_apart(plan, jobs)) as sets:
        return standings(names, seats, _counted(sets, progress), duplicate=duplicate)


def _played_here(plan: Plan) -> Generator[list[GamePlayed]]:
    for lineup in plan.lineups():
        yield plan.play(lineup)


def _counted(
    sets: Iterable[list[GamePlayed]], progress: Progress | None
) -> Iterator[list[GamePlayed]]:
    games = 0
    for played in sets:
        games += len(played)
        if progress is not None:
            progress(games)
        yield played


def _check(bots: Sequence[str | BotFactory], seats: int, games: int, jobs: int | None) -> None:
    if isinstance(bots, str) or len(bots) < 2:
        raise UsageError("an arena needs two bots or more; the same one twice will do")
    if not 2 <= seats <= 10:
        raise UsageError(f"got {seats} seats, wanted 2 to 10 (S4)")
    if games < 1:
        raise UsageError(f"got {games} games, wanted at least 1")
    if jobs is not None and jobs < 1:
        raise UsageError(f"got {jobs} jobs, wanted at least 1")
