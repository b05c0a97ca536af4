"""A round robin with every way to misbehave in it: the right fault beside the right name."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from kitumaija.engine import Pass
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import legal_from_message
from tests.support.processes import PATIENCE_SECONDS, BotProcesses, ServerProcess, whole_tournament
from tests.support.raw_bot import RawBot, StreamEnded

pytestmark = whole_tournament

GOOD = {"fair": "sample:smallest", "square": "sample:smallest"}
BAD = ("late", "illegal", "leaver", "never")

Choose = Callable[[RawBot, arena_pb2.Decision], Awaitable[None]]


async def _play(bot: RawBot, choose: Choose) -> None:
    """Be ready for every match and let `choose` deal with the decisions, to the stream's end."""
    asked: dict[str, arena_pb2.Decision] = {}
    while True:
        try:
            said = await bot.next()
        except StreamEnded:
            return
        kind = said.WhichOneof("message")
        if kind == "match_start":
            await bot.ready(said.match_start.match_id)
        elif kind == "decision":
            asked[said.decision.match_id] = said.decision
            await choose(bot, said.decision)
        elif kind == "refusal" and said.refusal.retries_left:
            await choose(bot, asked[said.refusal.match_id])


async def _never_answer(bot: RawBot, decision: arena_pb2.Decision) -> None:
    """Let the clock run out."""


async def _answer_illegally(bot: RawBot, decision: arena_pb2.Decision) -> None:
    await bot.answer(decision, Pass())


async def _answer(bot: RawBot, decision: arena_pb2.Decision) -> None:
    await bot.answer(decision, legal_from_message(decision.legal)[0])


async def _late(address: str, token: str) -> None:
    async with RawBot(address, token) as bot:
        await bot.hello()
        await _play(bot, _never_answer)


async def _illegal(address: str, token: str) -> None:
    async with RawBot(address, token) as bot:
        await bot.hello()
        await _play(bot, _answer_illegally)


async def _leaver(address: str, token: str, missed: Callable[[], Awaitable[None]]) -> None:
    """Break off at the first decision, stay away until it is missed, come back and play on."""
    async with RawBot(address, token) as bot:
        await bot.hello(capacity=1)
        while (said := await bot.next()).WhichOneof("message") != "decision":
            if said.HasField("match_start"):
                await bot.ready(said.match_start.match_id)
    await missed()
    async with RawBot(address, token) as bot:
        await bot.hello(capacity=1)
        await _play(bot, _answer)


async def test_each_fault_stands_beside_its_bot_and_the_results_of_the_others_stand(
    tmp_path: Path,
) -> None:
    with ServerProcess(tmp_path / "data") as server, BotProcesses(tmp_path) as processes:
        tokens = server.register(*GOOD, *BAD)
        for name, source in GOOD.items():
            processes.start(name, source, address=server.address, token=tokens[name])
        server.run(
            *("tournament", "create", "ends", "--limit", "per_decision=500ms"),
            *("--limit", "bank=0s", "--limit", "startup=4s", "--limit", "grace=60s"),
        )
        server.run("tournament", "enter", "ends", *GOOD, *BAD)

        async def leaver_missed_its_decision() -> None:
            await asyncio.to_thread(_wait_for_fault, server, "leaver")

        tasks = [
            asyncio.create_task(_late(server.address, tokens["late"])),
            asyncio.create_task(_illegal(server.address, tokens["illegal"])),
            asyncio.create_task(
                _leaver(server.address, tokens["leaver"], leaver_missed_its_decision)
            ),
        ]
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while await asyncio.to_thread(_connected, server) < len(GOOD) + len(tasks):
                    pass
            server.run("tournament", "start", "ends", "--allow-absent")
            await asyncio.to_thread(server.run, "tournament", "watch", "ends")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        rows = {row["bot_id"]: row for row in _table(server)["rows"]}
        faults = {name: {fault["fault"] for fault in row["faults"]} for name, row in rows.items()}
        assert faults["fair"] == faults["square"] == set()
        assert faults["late"] == {"decision_timeout"}
        assert faults["illegal"] == {"illegal_action"}
        assert faults["leaver"] == {"disconnected"}
        assert faults["never"] == {"no_show"}
        # Every game of theirs was forfeited; where they met, by whoever came to five faults first.
        met = _finished_between(server, {"late", "illegal"})
        forfeits = rows["late"]["forfeits"] + rows["illegal"]["forfeits"]
        assert forfeits == rows["late"]["games"] + rows["illegal"]["games"] - len(met)
        assert forfeits >= 12
        assert rows["leaver"]["forfeits"] == 0
        assert rows["never"]["state"] == "ENTRANT_STATE_WITHDRAWN"
        assert rows["never"]["mu"] < 25

        between_the_good = _finished_between(server, set(GOOD))
        assert len(between_the_good) == 2
        for match in between_the_good:
            assert match["ending"] == "MATCH_ENDING_PLAYED"
            assert sorted(seat["place"] for seat in match["seats"]) == [1, 2]
        for good in GOOD:
            won = rows[good]["places"][0]
            assert won >= rows[good]["games"] - len(between_the_good) - 2, "only fair play is lost"


def _finished_between(server: ServerProcess, bots: set[str]) -> list[Any]:
    return [
        match
        for match in server.read("tournament", "matches", "ends")["matches"]
        if match["state"] == "MATCH_STATE_FINISHED"
        and {seat["bot_id"] for seat in match["seats"]} == bots
    ]


def _table(server: ServerProcess) -> Any:
    (table,) = server.read("tournament", "standings", "ends")["tables"]
    return table


def _wait_for_fault(server: ServerProcess, bot: str) -> None:
    """Wait until the server says in its log that the bot was at fault."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        for line in server.log().splitlines():
            if " fault " in line and f"bot_id={bot} " in line:
                return
        time.sleep(0.1)  # between two looks, the bots have the machine
    raise AssertionError(f"{bot} was never at fault: {server.log()}")


def _connected(server: ServerProcess) -> int:
    entrants = server.read("tournament", "show", "ends")["entrants"]
    return sum(entrant["connected"] for entrant in entrants)
