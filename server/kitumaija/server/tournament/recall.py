"""A started tournament as the store tells of it: after its start, and after a crash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType

from kitumaija.server.match.values import Fault
from kitumaija.server.rating import load_table
from kitumaija.server.schedule.schedule import Schedule
from kitumaija.server.store import bots, deal_trees, entrants, matches, rounds, verdicts
from kitumaija.server.store.rows import (
    EntrantState,
    MatchCounts,
    MatchState,
    RoundRow,
    SeatedMatch,
    TournamentRow,
    VerdictRow,
)
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.course import Attempt, Course, History, Table
from kitumaija.server.tournament.dealtrees import DealTree
from kitumaija.server.tournament.noshows import after_absence
from kitumaija.server.tournament.players import Player
from kitumaija.server.tournament.schedules import Basis, schedules_of
from kitumaija.server.tournament.settings import TournamentSettings

LEAVING = MappingProxyType(
    {
        EntrantState.WITHDRAWN: Fault.WITHDRAWN,
        EntrantState.DISQUALIFIED: Fault.DISQUALIFIED,
    }
)
"""What the running matches of an entrant that left are forfeited for, by how it left."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a tournament needs to run."""

    row: TournamentRow
    settings: TournamentSettings
    players: dict[str, Player]
    course: Course
    counts: MatchCounts
    left: dict[str, Fault]
    """Who left, and what their running matches are forfeited for."""
    trees: dict[int, DealTree]
    """What the deals' proofs are made of, by table size; none if it began without."""
    verdicts: dict[int, VerdictRow]
    """What it found out, by table size; none as long as it is to be played on."""


def recall(tx: ReadTx, row: TournamentRow) -> Recalled:
    """Return a tournament that was started, as far as the store knows it."""
    settings = TournamentSettings.from_dict(dict(row.settings))
    entered = entrants.of(tx, row.tournament_id)
    scheduled = scheduled_entrants(tx, row.tournament_id, settings)
    names = bots.many(tx, scheduled)
    players = {
        entrant.bot_id: Player(
            entrant.bot_id,
            names[entrant.bot_id].display_name,
            entrant.entropy,
            entrant.bot_version,
        )
        for entrant in entered
        if entrant.bot_id in scheduled
    }
    left = {entrant.bot_id: LEAVING[entrant.state] for entrant in entered if entrant.state.left}
    benched = [entry.bot_id for entry in entered if entry.state is EntrantState.BENCHED]
    schedules = schedules_of(settings, basis_of(tx, row, settings))
    course = Course(
        [_table(tx, row, schedule) for schedule in schedules.values()], gone=left, benched=benched
    )
    for size in settings.table_sizes:
        first = course.tables[size].settled.length
        unsettled = matches.unsettled(tx, row.tournament_id, size, first)
        for _, attempts in groupby(unsettled, key=lambda seated: seated.match.number):
            _take_up(course, list(attempts))
    trees = {
        tree.table_size: DealTree.of(tree, row.master_seed)
        for tree in deal_trees.of(tx, row.tournament_id)
    }
    counts = matches.counts(tx, row.tournament_id)
    found = verdicts.of(tx, row.tournament_id)
    return Recalled(row, settings, players, course, counts, left, trees, found)


def scheduled_entrants(
    tx: ReadTx, tournament_id: str, settings: TournamentSettings
) -> frozenset[str]:
    """Return who is in the schedule: the ratings, which begin with the start, have a row of each.

    Entrants that left before the start are in neither; who came later is in both. None before the
    start.
    """
    table = load_table(tx, tournament_id, settings.table_sizes[0], ())
    return frozenset(table.entries)


def basis_of(tx: ReadTx, row: TournamentRow, settings: TournamentSettings) -> Basis:
    """Return what a tournament's schedules are made of; raises `ValueError` before its start."""
    if row.schedule_seed is None:
        raise ValueError(f"tournament {row.tournament_id!r} was not started: it has no schedule")
    scheduled = scheduled_entrants(tx, row.tournament_id, settings)
    return Basis.of(
        [entry.bot_id for entry in entrants.of(tx, row.tournament_id, secrets=False)],
        scheduled,
        seed=row.schedule_seed,
        bots=bots.many(tx, scheduled),
        rounds=rounds_drawn(tx, row, settings),
    )


def rounds_drawn(
    tx: ReadTx, row: TournamentRow, settings: TournamentSettings
) -> tuple[RoundRow, ...]:
    """Return the rounds drawn so far; none of a format that draws none."""
    if not settings.format.is_drawn:
        return ()
    return rounds.of(tx, row.tournament_id, settings.table_sizes[0])


def _table(tx: ReadTx, row: TournamentRow, schedule: Schedule) -> Table:
    size = schedule.table_size
    rated = load_table(tx, row.tournament_id, size, ()).rated
    settled = matches.resolved_after(tx, row.tournament_id, size, rated)
    table = Table.begin(schedule, prefix=rated, settled=settled)
    schedule.prepare(table.dispatch.cursor)
    return table


def _take_up(course: Course, attempts: Sequence[SeatedMatch]) -> None:
    last = attempts[-1].match
    history = history_of(attempts)
    seats = tuple(seat.bot_id for seat in attempts[-1].seats)
    runs = last.state is MatchState.RUNNING
    if not runs:
        seats = tuple(bot for bot in seats if bot not in history.last_placed)
    attempt = Attempt(last.table_size, last.number, last.attempt, seats, tuple(history.last_placed))
    course.recall(attempt, history, runs=runs)


def history_of(attempts: Sequence[SeatedMatch]) -> History:
    """Return what these attempts at one number, which is not settled, left for the next one."""
    history = History(attempts=len(attempts))
    for seated in attempts:
        if seated.match.state is not MatchState.VOID:
            continue
        # Whatever kept a seat from being ready counts as staying away.
        absent = [seat.bot_id for seat in seated.seats if seat.faults]
        if not absent:
            history.voids += 1
            continue
        follows = after_absence(
            [seat.bot_id for seat in seated.seats],
            absent,
            absences=history.absences,
            last_placed=history.last_placed,
        )
        history.absences = dict(follows.absences)
        history.last_placed = follows.last_placed
    return history
