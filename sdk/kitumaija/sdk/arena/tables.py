"""Playing the games of an arena, here or in other processes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from kitumaija.console.children import UNLIMITED, Allowance
from kitumaija.console.commands import is_command
from kitumaija.engine import GameOptions
from kitumaija.sdk.arena.apart import played_apart
from kitumaija.sdk.arena.plan import Plan
from kitumaija.sdk.arena.standings import GamePlayed, Standings, standings
from kitumaija.sdk.bot import BotFactory
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
    duplicate: bool | None = None,
    options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
    real_time: bool = False,
    on_error: OnError = "fallback",
    jobs: int | None = None,
    records: Path | None = None,
    fresh_bots: bool = False,
    allowance: Allowance = UNLIMITED,
    progress: Progress | None = None,
) -> Standings:
    """Play at least `games` games between bots: classes, names as `loading.load` takes them, or
    ``cmd:COMMAND LINE`` for processes that dial in as they would on a server.

    The games come in sets, in which the bots move around the table, so the number is rounded up to
    whole sets. With `duplicate` all games of a set have the same deal, otherwise each its own, as
    on a server. That is fair only among bots that remember nothing of the games before. An object
    of a class is made for each game; a process plays many, unless `fresh_bots` starts one for each.
    So duplicates are what is played if `duplicate` is left out, but among processes that are not
    fresh each game has a deal of its own.

    Each command has a process for every seat that it has at one table, in each of the `jobs`. What
    uses more than the `allowance`, if there is one, is ended, and counts as crashed. What a process
    fails in is made by the rules' default action, as on a server.

    The same seed gives the same standings, whatever the number of `jobs`, unless `real_time` makes
    bots hear the machine's clock, as processes always do. `limits` are those that the bots are told
    and held to. Into the folder `records` goes the record of every game.

    With `jobs` that many other processes play, and they and all that bots start in them end with
    this call or with this process, even if that is killed. Without, bots play in this process.

    A bot that fails is answered for by its first legal action and its errors are counted; with
    `on_error="raise"` the first one raises `BotError`.

    Raises `UsageError` for what cannot be meant so, `LoadError` for a bot that cannot be loaded,
    `SdkError` for a process that does not dial in, and if one of the processes that play ends in
    the middle of a game.
    """
    _check(bots, seats, games, jobs)
    commands = [bot for bot in bots if isinstance(bot, str) and is_command(bot)]
    with ExitStack() as stack:
        logs = stack.enter_context(tempfile.TemporaryDirectory()) if commands else None
        plan = Plan(
            bots=tuple(bots),
            seats=seats,
            games=games,
            seed=seed,
            duplicate=_duplicate(duplicate, commands, fresh=fresh_bots),
            options=options,
            limits=limits,
            real_time=real_time,
            on_error=on_error,
            records=records,
            allowance=allowance,
            fresh_bots=fresh_bots,
            logs=None if logs is None else Path(logs),
        )
        names = unlike(plan.names())
        if records is not None:
            records.mkdir(parents=True, exist_ok=True)
        # Closed here, whatever ends it: a bot may think for hours, and nobody waits for that.
        sets = _played_here(plan) if jobs is None else played_apart(plan, jobs)
        stack.enter_context(closing(sets))
        return standings(names, seats, _counted(sets, progress), duplicate=plan.duplicate)


def _played_here(plan: Plan) -> Generator[list[GamePlayed]]:
    with plan.company() as company:
        for lineup in plan.lineups():
            yield plan.play(lineup, company)


def _duplicate(wanted: bool | None, commands: Sequence[str], *, fresh: bool) -> bool:
    """Return whether the games of a set have one deal. Raises `UsageError` where that is unfair."""
    if not commands or fresh:
        return wanted is not False
    if wanted:
        raise UsageError(
            f"duplicate deals: got {commands[0]}, a process that plays game after game and may "
            "remember the cards of a deal; wanted a fresh process for every game (--fresh-bots, "
            "fresh_bots=True), or a fresh deal for every game (--fresh-deals, duplicate=False)"
        )
    return False


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
        raise UsageError(f"seats: got {seats}, wanted 2 to 10 (S4)")
    if games < 1:
        raise UsageError(f"games: got {games}, wanted at least 1")
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs: got {jobs}, wanted at least 1")
