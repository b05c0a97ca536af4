"""A bot that never reads: its own time runs out, and nobody else waits."""

from __future__ import annotations

from pathlib import Path

from kitumaija.server.match import Fault
from kitumaija.server.match.journal import Decided
from kitumaija.v1 import arena_pb2
from tests.server.rpc.scripted import get_ready, play_out
from tests.support.arena import running_arena
from tests.support.raw_http2 import DeafClient

PLAY = "/kitumaija.v1.ArenaService/Play"


async def test_a_bot_that_never_reads_runs_out_of_time_and_no_other_match_waits_for_it(
    tmp_path: Path,
) -> None:
    async with running_arena(tmp_path / "data") as arena:
        token = arena.register("ann")
        async with DeafClient(arena.app.address, window=5) as deaf:
            hello = arena_pb2.BotMessage(hello=arena_pb2.Hello())
            await deaf.call(PLAY, arena_pb2.PlayRequest(messages=[hello]), token=token, last=False)
            bob, carol = await arena.connect("bob"), await arena.connect("carol")
            while not arena.app.presence.connected("ann"):
                await bob.heard()
            its = arena.open_match("ann", "bob")
            await bob.until("match_start")
            ready = arena_pb2.BotMessage(ready=arena_pb2.Ready(match_id=its.match_id))
            await deaf.say(arena_pb2.PlayRequest(messages=[ready]))
            await bob.ready(its.match_id)
            assert (await bob.until("seating")).seating.match_id == its.match_id

            other = arena.open_match("bob", "carol")
            await get_ready(other.match_id, bob, carol)
            ends = await play_out(bob, carol)
            assert {end.match_id for end in ends} == {other.match_id}
            assert (await arena.over()).setup == other

            # Its clock starts though nothing can be written. Bob, who is next, is asked in the end.
            while not any(message.HasField("decision") for message in await bob.heard()):
                arena.advance(1_000)
            decided = [e for e in arena.entries(its.match_id) if isinstance(e, Decided)]
    assert {entry.seat for entry in decided} == {0}
    assert decided[0].fault is Fault.DECISION_TIMEOUT
