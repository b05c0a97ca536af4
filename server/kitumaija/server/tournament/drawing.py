"""Draws rounds: when a round is over its points are written down, and who meets in the next.

Both are one transaction. From then on the round stands: no match of it can be declared void. So
the store always says of the last round whether it is still open, and a server that died draws what
is to be drawn when it looks again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from kitumaija.server.schedule.round_formats import RoundFormat
from kitumaija.server.schedule.rounds import Rounds
from kitumaija.server.schedule.seating import Round
from kitumaija.server.store import matches, rounds
from kitumaija.server.store.rows import RoundRow
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament.board import Board
from kitumaija.server.tournament.points import points_of_round


def first_round(tx: WriteTx, tournament_id: str, schedule: Rounds) -> None:
    """Draw the first round, of all who are entered; raises `ValueError` if there is none."""
    drawn = schedule.next_after(None)
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


def following(
    schedule: Rounds, points: Mapping[str, int], *, left: Collection[str], benched: Collection[str]
) -> Round | None:
    """Return the round that is drawn when the last one ends with these points.

    Who has left has no part in it, and neither has who is on the bench; but where there would be
    no round without the bench, those on it are drawn, and so they are in a knockout, in which who
    sits out is out. The round waits for them then.
    """
    if benched and schedule.rules.played_as is not RoundFormat.KNOCKOUT:
        without = schedule.next_after(points, {*left, *benched})
        if without is not None:
            return without
    return schedule.next_after(points, left)


async def _draw(board: Board, schedule: Rounds) -> None:
    tournament_id, size = board.tournament_id, schedule.table_size
    number = schedule.drawn - 1
    left, benched = frozenset(board.course.gone), frozenset(board.course.benched)

    def look(tx: ReadTx) -> tuple[dict[str, int], Round | None]:
        first = schedule.first_of(number)
        points = points_of_round(matches.results_in_order(tx, tournament_id, size, first=first))
        return points, following(schedule, points, left=left, benched=benched)

    # In a thread: a good seating is searched for.
    points, drawn = await board.context.read(look)

    def work(tx: WriteTx) -> None:
        rounds.close(tx, tournament_id, size, number, points)
        if drawn is not None:
            rounds.add(tx, _row(tournament_id, schedule, drawn))

    await board.context.write(work)
    schedule.close(points)
    if drawn is not None:
        schedule.add(drawn)


def _row(tournament_id: str, schedule: Rounds, drawn: Round) -> RoundRow:
    return RoundRow(
        tournament_id=tournament_id,
        table_size=schedule.table_size,
        number=schedule.drawn,
        first_match=len(schedule),
        tables=drawn.tables,
        byes=drawn.byes,
    )
