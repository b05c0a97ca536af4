"""The results that a table of standings is of, as the commands that work with them take them."""

from collections.abc import Iterable

from kitumaija.server.rating import RatedResult
from kitumaija.v1 import tournament_pb2 as v1


def rated_results(entry: v1.StandingsTable, played: Iterable[v1.Match]) -> list[RatedResult]:
    """The matches that are rated in the standings of a table size, of those that were played."""
    return [
        RatedResult(
            match.number,
            seats=tuple(seat.bot_id for seat in match.seats),
            places=tuple(seat.place for seat in match.seats),
            forfeited=tuple(seat.forfeited for seat in match.seats),
        )
        for match in played
        if match.table_size == entry.table_size
        and match.state == v1.MATCH_STATE_FINISHED
        and match.number < entry.rated
    ]
