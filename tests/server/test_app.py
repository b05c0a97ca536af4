"""A whole server: what it leaves behind, what it goes on with, when it gives up."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

from kitumaija.server.app import App
from kitumaija.server.match.journal import Decided
from kitumaija.server.settings import ServerSettings
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import legal_from_message
from kitumaija.wire.times import Limits
from tests.server.rpc.scripted import get_ready, play_out
from tests.support.arena import Arena, ScriptedPlan, running_arena
from tests.support.chance import RepeatableBytes
from tests.support.clock import ManualClock
from tests.support.raw_bot import RawBot


async def test_a_match_goes_on_at_another_start_from_where_its_bots_saw_it(
    tmp_path: Path,
) -> None:
    async with running_arena(tmp_path) as arena:
        alice, bob = await arena.connect("alice"), await arena.connect("bob")
        setup = arena.open_match("alice", "bob")
        await get_ready(setup.match_id, alice, bob)
        asked = await alice.decision()
        await alice.answer(asked, legal_from_message(asked.legal)[0])
        await alice.expect("accepted")
        following = await next_decision(alice, bob)
        tokens = arena.tokens

    async with running_arena(tmp_path) as arena:
        arena.tokens.update(tokens)
        entries = arena.entries(setup.match_id)
        arena.hall.open(setup, names={}, resume_from=entries)
        alice, bob = await arena.connect("alice"), await arena.connect("bob")
        again = await next_decision(alice, bob)

        assert [type(entry) for entry in entries].count(Decided) == 1
        assert again.view == following.view
        assert again.legal == following.legal
        assert again.decision_id == following.decision_id
        assert again.time_left_us == following.time_left_us
        mover = alice if again.view.seat == 0 else bob
        await mover.answer(again, legal_from_message(again.legal)[0])
        await play_out(alice, bob)
        assert len(arena.entries(setup.match_id)) > len(entries)


async def next_decision(*bots: RawBot) -> arena_pb2.Decision:
    """Return the next decision, whoever is asked."""
    for bot in bots:
        for message in await bot.heard():
            if message.WhichOneof("message") == "decision":
                return message.decision
    raise AssertionError("nobody was asked")


async def test_a_result_that_cannot_be_kept_is_told_to_nobody_and_stops_the_server(
    tmp_path: Path,
) -> None:
    async with running_arena(tmp_path) as arena:
        alice, bob = await arena.connect("alice"), await arena.connect("bob")
        arena.plan.commit_error = OSError("the disk is full")
        setup = arena.open_match("alice", "bob")
        await get_ready(setup.match_id, alice, bob)
        arena.hall.void(setup.match_id, "The lights went out.")

        async with asyncio.timeout(20):
            error = await arena.app.failed()

        assert str(error) == "the disk is full"
        kinds = [message.WhichOneof("message") for message in await alice.heard()]
        assert "match_end" not in kinds


async def test_a_server_that_runs_by_itself_sweeps_deadlines_on_a_real_clock(
    tmp_path: Path,
) -> None:
    app = App(ServerSettings.load(data=tmp_path, port=0), plan=ScriptedPlan)
    await app.start()
    assert isinstance(app.planner, ScriptedPlan)
    async with AsyncExitStack() as dialled:
        arena = Arena(app, ManualClock(), app.planner, RepeatableBytes(), dialled)
        alice = await arena.connect("alice")
        arena.open_match("alice", "bob", limits=Limits(startup=timedelta(milliseconds=1)))
        await alice.until("match_end")
    await app.stop()
