"""Playing the games of an arena, here or in child processes."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread

from kitumaija.console.supervisor import descendants
from kitumaija.engine import GameOptions, text_seed
from kitumaija.sdk.arena.schedule import Lineup, lineups
from kitumaija.sdk.arena.standings import GamePlayed, Standings, standings
from kitumaija.sdk.bot import BotFactory, name_of
from kitumaija.sdk.calls import OnError
from kitumaija.sdk.clocks import CountedClock, real_clock
from kitumaija.sdk.errors import UsageError
from kitumaija.sdk.loading import load
from kitumaija.sdk.local import play_deal, unlike
from kitumaija.sdk.records import SUFFIX, save
from kitumaija.wire.times import Limits

Progress = Callable[[int], None]
"""Hears how many games have been played so far."""


@dataclass(frozen=True, slots=True)
class _Table:
    """How the games are played: all that a child process needs to know."""

    bots: tuple[str | BotFactory, ...]
    options: GameOptions
    limits: Limits
    real_time: bool
    on_error: OnError
    records: Path | None


def arena(
    bots: Sequence[str | BotFactory],
    *,
    seats: int,
    games: int,
    seed: str | int,
    options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
    real_time: bool = False,
    on_error: OnError = "fallback",
    jobs: int = 1,
    records: Path | None = None,
    progress: Progress | None = None,
) -> Standings:
    """Play at least `games` games between bots: classes, or names as `loading.load` takes them.

    Every deal is played from every seat, so the number is rounded up to whole deals. The same seed
    gives the same standings, whatever the number of `jobs` (child processes), unless `real_time`
    makes bots hear the machine's clock. `limits` are those that the bots are told and held to.
    Into the folder `records` goes the record of every game.

    A bot that fails is answered for by its first legal action and its errors are counted; with
    `on_error="raise"` the first one raises `BotError`.

    Raises `UsageError` for numbers that cannot be meant so, `LoadError` for a bot that cannot be
    loaded.
    """
    _check(bots, seats, games, jobs)
    names = unlike([name_of(_loaded(bot)) for bot in bots])
    schedule = list(islice(lineups(len(bots), seats, text_seed(str(seed))), -(-games // seats)))
    table = _Table(tuple(bots), options, limits, real_time, on_error, records)
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    played = _counted(
        _played_by_children(table, schedule, jobs)
        if jobs > 1
        else (_play(table, lineup) for lineup in schedule),
        progress,
    )
    return standings(names, seats, played)


def _counted(
    deals: Iterator[list[GamePlayed]], progress: Progress | None
) -> Iterator[list[GamePlayed]]:
    games = 0
    for deal in deals:
        games += len(deal)
        if progress is not None:
            progress(games)
        yield deal


def _play(table: _Table, lineup: Lineup) -> list[GamePlayed]:
    """Play a deal from every seat."""
    bots = [_loaded(bot) for bot in table.bots]
    games: list[GamePlayed] = []
    for line in lineup.rotations:
        played = play_deal(
            [bots[number] for number in line],
            lineup.deal,
            options=table.options,
            limits=table.limits,
            clock=real_clock if table.real_time else CountedClock(),
            on_error=table.on_error,
        )
        if table.records is not None:
            save(played, table.records / _file_name(lineup, len(games)))
        names = [player.name for player in played.players]
        problems = [(names.index(error.bot), str(error)) for error in played.problems]
        games.append(
            GamePlayed(
                bots=line,
                places=played.places,
                termination=played.termination.value,
                decisions=len(played.record.decisions),
                late=played.late,
                problems=tuple(problems),
            )
        )
    return games


def _file_name(lineup: Lineup, rotation: int) -> str:
    """The file of a game's record: arena/4/17 from the second seat on is 4-17-1."""
    return f"{lineup.deal.deal_id.removeprefix('arena/').replace('/', '-')}-{rotation}{SUFFIX}"


##### Child processes #####


def _played_by_children(
    table: _Table, schedule: Sequence[Lineup], jobs: int
) -> Iterator[list[GamePlayed]]:
    """Play in processes that are spawned for it; the deals come back in their order."""
    try:
        pickle.dumps(table)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UsageError(
            "with jobs, bots must be found by other processes: name them as path/to/file.py:Class, "
            f"or take classes of a module that can be imported ({error})"
        ) from error
    children = ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), initializer=_begin_child
    )
    others = set(multiprocessing.active_children())
    try:
        yield from children.map(partial(_play, table), schedule)
    except BaseException:
        # A bot may think for hours; whoever stops the arena does not wait for it.
        children.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - others:
            _kill_with_children(child)
        raise
    finally:
        children.shutdown(cancel_futures=True)


def _kill_with_children(child: BaseProcess) -> None:
    """End a child process, and the processes that bots in it have started."""
    if child.pid is None:
        return
    with suppress(ProcessLookupError):
        # Stopped first, so that it starts no other one between the look and its end.
        os.kill(child.pid, signal.SIGSTOP)
    below = descendants(child.pid)
    child.kill()
    _kill(below)


def _kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _begin_child() -> None:
    # Ctrl-C reaches every process of the terminal; the parent decides what becomes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process, and what bots in it have started, as soon as its parent has ended.

    However that ended: a process that was killed closes what it is watched by, too.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        _kill(descendants(os.getpid()))
        os._exit(1)


##### Arguments #####


def _loaded(bot: str | BotFactory) -> BotFactory:
    return load(bot) if isinstance(bot, str) else bot


def _check(bots: Sequence[str | BotFactory], seats: int, games: int, jobs: int) -> None:
    if isinstance(bots, str) or len(bots) < 2:
        raise UsageError("an arena needs two bots or more; the same one twice will do")
    if not 2 <= seats <= 10:
        raise UsageError(f"got {seats} seats, wanted 2 to 10 (S4)")
    if games < 1:
        raise UsageError(f"got {games} games, wanted at least 1")
    if jobs < 1:
        raise UsageError(f"got {jobs} jobs, wanted at least 1")
