"""The times of a tournament's bots as messages."""

from __future__ import annotations

from kitumaija.server.store import bots
from kitumaija.server.store.rows import TournamentRow
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.clocktable import BotTimes, ClockTable
from kitumaija.server.tournament.distribution import Distribution
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.times import limits_to_message


def clocks_message(tx: ReadTx, row: TournamentRow, table: ClockTable) -> v1.GetClocksResponse:
    """Return the answer to GetClocks, from a table that was read to its end."""
    settings = TournamentSettings.from_dict(dict(row.settings))
    return v1.GetClocksResponse(
        bots=[_of_bot(tx, bot_id, times) for bot_id, times in sorted(table.bots.items())],
        limits=limits_to_message(settings.limits),
        matches=table.matches,
    )


def _of_bot(tx: ReadTx, bot_id: str, times: BotTimes) -> v1.BotClocks:
    bot = bots.get(tx, bot_id)
    return v1.BotClocks(
        bot_id=bot_id,
        display_name=bot_id if bot is None else bot.display_name,
        matches=times.matches,
        used=_distribution(times.used),
        overhead=_distribution(times.overhead),
        network=_distribution(times.network),
        server=_distribution(times.server),
        timeouts=times.timeouts,
        retimed=times.retimed,
        retimed_us=times.retimed_us,
    )


def _distribution(numbers: Distribution) -> v1.Distribution:
    return v1.Distribution(
        count=numbers.count,
        p50_us=numbers.share(50),
        p90_us=numbers.share(90),
        p99_us=numbers.share(99),
        max_us=numbers.max,
    )
