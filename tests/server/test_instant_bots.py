"""Bots that answer at once, many at a time, under a limit as short as can be."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from kitumaija.v1 import arena_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.times import Limits, limits_to_message
from tests.support.organizer import organized

FIVE = ("ann", "bob", "cid", "dea", "eve")
# The margin is wide: a machine that is busy with other tests keeps gRPC's own threads waiting too,
# which no server can tell from a slow bot. `make soak-clocks` has the margin that there is.
LIMITS: arena_pb2.Limits = limits_to_message(
    Limits(
        per_decision=timedelta(milliseconds=50),
        bank=timedelta(0),
        margin=timedelta(seconds=2),
    )
)


async def test_twenty_matches_of_instant_bots_charge_nobody_a_timeout(tmp_path: Path) -> None:
    async with organized(tmp_path / "data", real_time=True) as organizer:
        await organizer.begin(*FIVE, limits=LIMITS)
        await organizer.finished()
        request = v1.GetClocksRequest(tournament_id="cup")
        clocks = await organizer.call(organizer.tournaments.GetClocks, request)

    assert clocks.matches == 20
    assert {bot.bot_id: bot.timeouts for bot in clocks.bots} == dict.fromkeys(FIVE, 0)
