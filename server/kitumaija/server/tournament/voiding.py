"""An organizer's void of a match that counts: as if it had not been played, and all say so.

One transaction makes the match void, puts the ratings of its table size back to their beginning
where the match was in them, and writes the audit entry; the ratings are then computed anew, in
pieces, as after a crash. The number of the schedule is open again and gets a new deal.
"""

from __future__ import annotations

from collections.abc import Sequence

from kitumaija.server.rating import RatingTable, load_table, save_table
from kitumaija.server.store import matches, rounds, verdicts
from kitumaija.server.store.rows import MatchRow, MatchState, SeatedMatch
from kitumaija.server.store.transactions import WriteTx
from kitumaija.server.tournament.board import Board
from kitumaija.server.tournament.course import Attempt
from kitumaija.server.tournament.recall import history_of
from kitumaija.server.tournament.refusals import (
    goal_reached,
    match_not_played,
    no_match,
    round_over,
)


def annul(tx: WriteTx, tournament_id: str, match_id: str, reason: str) -> Sequence[SeatedMatch]:
    """Make a match void that counts; return all attempts at its number.

    Raises `NotFound` for a match that is not the tournament's, `FailedPrecondition` for one that
    does not count, or whose round is over, or of a tournament that ends with a verdict.
    """
    match = matches.get(tx, match_id)
    if match is None or match.tournament_id != tournament_id:
        raise no_match(match_id)
    if match.state is not MatchState.FINISHED:
        raise match_not_played(match_id, match.state)
    its_round = rounds.of_match(tx, tournament_id, match.table_size, match.number)
    if its_round is not None and its_round.points is not None:
        raise round_over(tournament_id, match_id, its_round.number + 1)
    if verdicts.of(tx, tournament_id):
        raise goal_reached(tournament_id, match_id)
    matches.annul(tx, match_id, reason=reason)
    _unrate(tx, match)
    attempts = matches.unsettled(tx, tournament_id, match.table_size, match.number)
    return [seated for seated in attempts if seated.match.number == match.number]


def reopen(board: Board, attempts: Sequence[SeatedMatch]) -> None:
    """Plan another attempt at a number whose match was annulled, as the store says already."""
    last = attempts[-1].match
    table = board.course.tables[last.table_size]
    history = history_of(attempts)
    seats = tuple(seat.bot_id for seat in attempts[-1].seats)
    board.course.reopen(
        Attempt(last.table_size, last.number, last.attempt, seats, history.last_placed), history
    )
    if table.rated > last.number:
        table.rated = 0
    board.count(finished=-1)


def _unrate(tx: WriteTx, match: MatchRow) -> None:
    """Put the ratings back to their beginning, if the match is in them."""
    table = load_table(tx, match.tournament_id, match.table_size, ())
    if table.rated > match.number:
        anew = RatingTable.of(table.entries)
        save_table(tx, match.tournament_id, match.table_size, anew)
