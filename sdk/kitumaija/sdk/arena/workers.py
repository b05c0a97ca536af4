"""Playing the sets of an arena: alone, or handed out to workers, the next one to whoever is free.

What came of each is told in the order of the plan, whoever played it.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import TypeAlias, cast

from kitumaija.sdk.arena.company import Company
from kitumaija.sdk.arena.plan import Plan
from kitumaija.sdk.arena.schedule import Lineup
from kitumaija.sdk.arena.standings import GamePlayed
from kitumaija.sdk.errors import BotError, SdkError, author_traceback

Outcome: TypeAlias = "list[GamePlayed] | Exception"
"""What became of a set. An exception is for whoever called the arena."""


def alone(plan: Plan, lineups: Iterable[Lineup]) -> Iterator[Outcome]:
    """Play sets in this process."""
    with plan.company() as company:
        for lineup in lineups:
            yield _outcome(plan, lineup, company)


def _outcome(plan: Plan, lineup: Lineup, company: Company) -> Outcome:
    try:
        return plan.play(lineup, company)
    except Exception as error:  # noqa: BLE001 - whatever it is, the caller is to raise it
        if isinstance(error, BotError) and error.__cause__ is not None:
            # A cause does not travel from process to process; a note does.
            error.add_note(author_traceback(error.__cause__))
        return error


def shared(plan: Plan, jobs: int) -> Iterator[Outcome]:
    """Play all sets of the plan in `jobs` processes that are spawned for it.

    A worker that ends in a set leaves an `SdkError` as what became of it.
    """
    context = multiprocessing.get_context("spawn")
    to_play = enumerate(plan.lineups())
    playing: dict[Connection, int] = {}
    over: dict[int, Outcome] = {}

    def hand_out(worker: Connection) -> None:
        for number, lineup in to_play:
            playing[worker] = number
            worker.send(lineup)
            return
        worker.close()

    for _ in range(min(jobs, plan.sets)):
        here, there = context.Pipe()
        # No daemon: those may not start processes by `multiprocessing`, and bots may.
        context.Process(target=_work, args=(there, plan)).start()
        there.close()
        hand_out(here)
    told = 0
    while playing:
        for worker in cast("list[Connection]", wait(list(playing))):
            number = playing.pop(worker)
            try:
                over[number] = worker.recv()
                hand_out(worker)
            except (EOFError, ConnectionError):
                # Found out at its next set, or in this one.
                lost = playing.pop(worker, number)
                over[lost] = SdkError(
                    f"a process that bots play in ended, in set {lost} of {plan.sets}: a bot "
                    "ended it, it crashed, or memory ran out"
                )
        while told in over:
            yield over.pop(told)
            told += 1


def _work(sets: Connection, plan: Plan) -> None:
    """Play each set that is handed out, until no more are."""
    with suppress(EOFError, ConnectionError), plan.company() as company:
        while True:
            sets.send(_outcome(plan, sets.recv(), company))
