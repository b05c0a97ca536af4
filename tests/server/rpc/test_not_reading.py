"""Spectators who are there, and do not read what they asked for."""

from __future__ import annotations

import asyncio
import gc
import inspect
from datetime import timedelta
from pathlib import Path

import pytest
from google.protobuf.message import Message

from kitumaija.server.bench.light import LightCall
from kitumaija.server.limits import ServerLimits
from kitumaija.v1 import replay_pb2, tournament_pb2
from tests.support.organizer import Organizer, organized
from tests.support.raw_bot import PATIENCE

SOON = timedelta(milliseconds=50)
LIMITS = ServerLimits(silence_max=timedelta(days=1), call_read_within=SOON, last_words_within=SOON)


async def a_watch(organizer: Organizer, name: str) -> tuple[str, Message]:
    """The method of a watch that has something to say, and goes on, and its request."""
    await organizer.register("ann", "bob")
    await organizer.create()
    ann = await organizer.connect("ann", capacity=1, answers=3)
    await organizer.connect("bob")
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    await ann.stuck.wait()
    if name == "WatchTournament":
        asked = tournament_pb2.WatchTournamentRequest(tournament_id="cup")
        return "/kitumaija.v1.TournamentService/WatchTournament", asked
    [match] = await organizer.matches()
    return (
        "/kitumaija.v1.ReplayService/WatchMatch",
        replay_pb2.WatchMatchRequest(match_id=match.match_id),
    )


def answering(name: str) -> bool:
    """Whether a call of a method is being answered."""
    return any(
        inspect.isasyncgen(thing)
        and thing.__qualname__.endswith(f".{name}")
        and thing.ag_frame is not None
        for thing in gc.get_objects()
    )


@pytest.mark.parametrize("name", ["WatchTournament", "WatchMatch"])
async def test_a_spectator_who_never_reads_is_let_go_and_told_so_once_he_reads(
    tmp_path: Path, name: str
) -> None:
    async with organized(tmp_path / "data", limits=LIMITS) as organizer:
        method, request = await a_watch(organizer, name)
        heard: list[bytes] = []
        spectator = LightCall(
            method, request, window=0, hear=lambda _, message: heard.append(message)
        )
        await spectator.dial(organizer.app.address)
        async with asyncio.timeout(PATIENCE):
            await spectator.begun
            while answering(name):  # noqa: ASYNC110 - nobody is told of it
                await asyncio.sleep(0.05)
        assert (heard, spectator.ended.done()) == ([], False)

        spectator.read_on()
        async with asyncio.timeout(PATIENCE):
            await spectator.ended
        assert len(heard) == 1
        spectator.close()
