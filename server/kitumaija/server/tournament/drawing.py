"""Draws rounds: when a round is over its points are written down, and who meets in the next.

Of an adaptive tournament who meets is chosen by the results so far, and where these have reached
its goal the verdict is written down, and there is no next round. All of it is one transaction. From
then on the round stands: no match of it can be declared void. So the store always says of the last
round whether it is still open, and a server that died draws what is to be drawn when it looks
again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from kitumaija.server.rating import RatedResult
from kitumaija.server.schedule.adaptive import Chooser
from kitumaija.server.schedule.round_formats import RoundFormat
from kitumaija.server.schedule.rounds import Rounds
from kitumaija.server.schedule.seating import Round
from kitumaija.server.store import matches, rounds, verdicts
from kitumaija.server.store.rows import RoundRow, VerdictRow
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament.board import Board
from kitumaija.server.tournament.goals import all_looked_at, chooser, find_verdict
from kitumaija.server.tournament.points import points_of_round
from kitumaija.server.tournament.settings import TournamentSettings


@dataclass(frozen=True, slots=True)
class _Following:
    """What follows from a round that is over: its points, the next round, or the verdict."""

    points: Mapping[str, int]
    drawn: Round | None
    verdict: VerdictRow | None = None


def first_round(
    tx: WriteTx, tournament_id: str, settings: TournamentSettings, schedule: Rounds
) -> None:
    """Draw the first round, of all who are entered; raises `ValueError` if there is none."""
    drawn = schedule.next_after(None, choose=chooser(settings, schedule, ()))
    if drawn is None:
        raise ValueError(f"no round can be drawn of {len(schedule.entrants)} entrants")
    rounds.add(tx, _row(tournament_id, schedule, drawn))


async def draw(board: Board) -> bool:
    """Draw what is due: the tournament's lock is held. Return whether a round was over."""
    due = [
        table.schedule
        for table in board.course.tables.values()
        if table.waits_for_round and isinstance(table.schedule, Rounds)
    ]
    for schedule in due:
        await _draw(board, schedule)
    return bool(due)


async def last_verdicts(board: Board) -> dict[int, VerdictRow]:
    """Return what an adaptive tournament without another round found out after all.

    Somebody may have left since it was asked last, in whose way nobody is any more.
    """
    left = frozenset(board.course.gone)
    schedules = [
        table.schedule
        for table in board.course.tables.values()
        if isinstance(table.schedule, Rounds) and table.schedule.rules.adaptive
    ]
    if not schedules or board.asked == (len(schedules[0]), left):
        return {}

    def look(tx: ReadTx) -> list[VerdictRow | None]:
        return [
            _verdict(board, schedule, left, _results(tx, board, schedule)) for schedule in schedules
        ]

    return {row.table_size: row for row in await board.context.read(look) if row is not None}


def following(
    schedule: Rounds,
    points: Mapping[str, int],
    *,
    left: Collection[str],
    benched: Collection[str],
    choose: Chooser | None = None,
) -> Round | None:
    """Return the round that is drawn when the last one ends with these points.

    Who has left has no part in it, and neither has who is on the bench; but where there would be
    no round without the bench, those on it are drawn, and so they are in a knockout, in which who
    sits out is out. The round waits for them then.
    """
    if benched and schedule.rules.played_as is not RoundFormat.KNOCKOUT:
        without = schedule.next_after(points, {*left, *benched}, choose)
        if without is not None:
            return without
    return schedule.next_after(points, left, choose)


async def _draw(board: Board, schedule: Rounds) -> None:
    tournament_id, size = board.tournament_id, schedule.table_size
    number = schedule.drawn - 1
    left, benched = frozenset(board.course.gone), frozenset(board.course.benched)

    def look(tx: ReadTx) -> _Following:
        first = schedule.first_of(number)
        points = points_of_round(matches.results_in_order(tx, tournament_id, size, first=first))
        if not schedule.rules.adaptive:
            return _Following(points, following(schedule, points, left=left, benched=benched))
        results = _results(tx, board, schedule)
        verdict = _verdict(board, schedule, left, results)
        if verdict is not None:
            return _Following(points, None, verdict)
        choose = chooser(board.settings, schedule, results)
        drawn = following(schedule, points, left=left, benched=benched, choose=choose)
        return _Following(points, drawn)

    # In a thread: a good seating is searched for, or all results are fitted at once.
    found = await board.context.read(look)

    def work(tx: WriteTx) -> None:
        rounds.close(tx, tournament_id, size, number, found.points)
        if found.drawn is not None:
            rounds.add(tx, _row(tournament_id, schedule, found.drawn))
        if found.verdict is not None:
            verdicts.add(tx, [found.verdict])

    await board.context.write(work)
    board.asked = len(schedule), left
    schedule.close(found.points)
    if found.drawn is not None:
        schedule.add(found.drawn)
    if found.verdict is not None:
        board.verdicts[size] = found.verdict


def _results(tx: ReadTx, board: Board, schedule: Rounds) -> list[RatedResult]:
    """Return what the matches of all rounds say of skill."""
    return all_looked_at(matches.results_in_order(tx, board.tournament_id, schedule.table_size))


def _verdict(
    board: Board, schedule: Rounds, left: frozenset[str], results: Collection[RatedResult]
) -> VerdictRow | None:
    """Return whether an adaptive tournament has found out what it was to, by all of its rounds."""
    known, asked_of = board.asked
    return find_verdict(
        board.settings,
        schedule,
        results,
        tournament_id=board.tournament_id,
        settled=len(schedule),
        contenders=[bot for bot in schedule.entrants if bot not in left],
        known=known if asked_of == left else 0,
    )


def _row(tournament_id: str, schedule: Rounds, drawn: Round) -> RoundRow:
    return RoundRow(
        tournament_id=tournament_id,
        table_size=schedule.table_size,
        number=schedule.drawn,
        first_match=len(schedule),
        tables=drawn.tables,
        byes=drawn.byes,
    )
