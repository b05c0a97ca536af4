"""Texts of bots that a database does not keep, or that a log should not show, on both databases."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from kitumaija.v1 import arena_pb2
from kitumaija.v1 import bot_pb2 as bots_v1
from kitumaija.v1 import replay_pb2 as replays_v1
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.status import ErrorReason
from tests.support.databases import database, postgres, store_address
from tests.support.organizer import Organizer, Refused, organized
from tests.support.raw_bot import RawBot

__all__ = ["database", "postgres", "store_address"]

NUL = "cup\0"


@pytest.fixture
async def organizer(tmp_path: Path, store_address: str) -> AsyncIterator[Organizer]:
    """A running server that keeps its store in one of the two."""
    store: dict[str, Any] = {} if "//" not in store_address else {"store": store_address}
    async with organized(tmp_path / "data", **store) as running:
        yield running


async def test_no_text_of_a_bot_stops_the_server(organizer: Organizer) -> None:
    await organizer.register("ann", "bob", "eve")
    await organizer.create()
    async with RawBot(organizer.app.address, organizer.tokens["eve"]) as eve:
        await eve.say(arena_pb2.BotMessage(hello=arena_pb2.Hello(bot_version="1\0")))
        await eve.end()
    async with RawBot(organizer.app.address, organizer.tokens["eve"]) as eve:
        await eve.hello(bot_version="1")
        entropy = arena_pb2.Entropy(
            tournament_id=NUL, value=bytes(32), step=arena_pb2.ENTROPY_STEP_COMMIT
        )
        await eve.say(arena_pb2.BotMessage(entropy=entropy))
        await eve.end()

    await organizer.connect("ann")
    await organizer.connect("bob", version="1\N{BELL}\n\N{RIGHT-TO-LEFT OVERRIDE}")
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    await organizer.finished()


async def test_no_text_of_a_call_is_taken_for_a_mistake_of_the_server(
    organizer: Organizer,
) -> None:
    await organizer.register("eve")
    reads = organizer.tournaments
    calls = (
        (reads.GetTournament, v1.GetTournamentRequest(tournament_id=NUL)),
        (reads.GetStandings, v1.GetStandingsRequest(tournament_id=NUL)),
        (reads.ListMatches, v1.ListMatchesRequest(tournament_id=NUL)),
        (reads.EnterTournament, v1.EnterTournamentRequest(tournament_id=NUL, bot_id="eve")),
        (reads.WithdrawEntrant, v1.WithdrawEntrantRequest(tournament_id=NUL, bot_id="eve")),
        (organizer.registry.GetBot, bots_v1.GetBotRequest(bot_id=NUL)),
        (organizer.replays.GetRecord, replays_v1.GetRecordRequest(match_id=NUL)),
        (organizer.replays.GetSeatReplay, replays_v1.GetSeatReplayRequest(match_id=NUL)),
    )
    for method, request in calls:
        with pytest.raises(Refused) as refused:
            await organizer.call(method, request, token=organizer.tokens["eve"])
        assert refused.value.reason is not ErrorReason.INTERNAL, request
