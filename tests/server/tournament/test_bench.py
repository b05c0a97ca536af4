"""The bench: an entrant is out for a while, and everybody else plays on."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from kitumaija.server.rating import rebuild, results_of
from kitumaija.server.store import audit
from kitumaija.server.store.rows import AuditRow
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.status import ErrorReason
from kitumaija.wire.times import duration_to_message
from tests.support.organizer import Organizer, Refused, organized
from tests.support.raw_bot import PATIENCE

BOTS = ["ann", "bob", "cid", "dot"]
PLANNED = 24
WITHOUT_DOT = 12
"""With two rounds at two seats: every pair four times, three pairs without dot."""

SECOND = timedelta(seconds=1)


async def bench(organizer: Organizer, bot_id: str = "dot", **more: Any) -> v1.Entrant:
    request = v1.BenchEntrantRequest(
        tournament_id="cup", bot_id=bot_id, reason="its machine is mended", **more
    )
    return (await organizer.call(organizer.tournaments.BenchEntrant, request)).entrant  # type: ignore[no-any-return]


async def bring_back(organizer: Organizer, bot_id: str = "dot", **more: Any) -> v1.Entrant:
    request = v1.ReturnEntrantRequest(tournament_id="cup", bot_id=bot_id, **more)
    return (await organizer.call(organizer.tournaments.ReturnEntrant, request)).entrant  # type: ignore[no-any-return]


async def begin_paused(organizer: Organizer, **settings: Any) -> None:
    """Begin a tournament and pause it with most of it to play."""
    settings = {"rounds": 2, "max_running_matches": 1} | settings
    await organizer.begin(*BOTS, **settings)
    await organizer.pause()
    await organizer.until(lambda now: now.matches.running == 0)


async def waits(organizer: Organizer) -> v1.WatchTournamentResponse:
    """Wait until the tournament waits for the bench."""
    running = organizer.director.running("cup")
    assert running is not None
    async with asyncio.timeout(PATIENCE):
        while True:
            if running.board.holding():
                break
            # What bots play and the director plans is on this very event loop.
            await asyncio.sleep(0)
    organizer.advance(SECOND)
    return await organizer.until(lambda now: now.HasField("bench_wait"))


async def played(organizer: Organizer, bot_id: str) -> int:
    found = await organizer.matches(bot_id=bot_id)
    return sum(match.state == v1.MATCH_STATE_FINISHED for match in found)


def log(organizer: Organizer) -> list[AuditRow]:
    with organizer.app.store.read() as tx:
        return list(reversed(audit.page(tx, size=100, tournament_id="cup").rows))


async def test_without_the_benched_everybody_else_plays_on_and_the_tournament_waits(
    organizer: Organizer,
) -> None:
    await begin_paused(organizer)
    before = await played(organizer, "dot")
    entrant = await bench(organizer)
    assert (entrant.state, entrant.reason) == (v1.ENTRANT_STATE_BENCHED, "its machine is mended")
    await organizer.resume()

    now = await waits(organizer)

    assert list(now.bench_wait.bot_ids) == ["dot"]
    assert (now.entrants, now.connected) == (3, 3)
    assert now.matches.cancelled == now.matches.void == 0
    assert await played(organizer, "dot") == before
    assert now.matches.finished == WITHOUT_DOT + before
    assert (await organizer.get()).bench_wait == now.bench_wait


async def test_what_was_postponed_is_played_when_it_is_back_and_the_table_is_the_same(
    organizer: Organizer,
) -> None:
    await begin_paused(organizer)
    await bench(organizer)
    await organizer.resume()
    await waits(organizer)

    back = await bring_back(organizer)

    assert (back.state, back.reason) == (v1.ENTRANT_STATE_ENTERED, "")
    assert not (await organizer.get()).HasField("bench_wait")
    last = await organizer.finished()
    assert last.matches.finished == PLANNED
    [table] = (await organizer.standings()).tables
    assert [row.games for row in table.rows] == [12] * 4
    with organizer.app.store.read() as tx:
        anew = rebuild(BOTS, results_of(tx, "cup", 2))
    assert [(row.bot_id, row.mu) for row in table.rows] == [
        (row.bot_id, row.entry.rating.mu) for row in anew.ranking()
    ]
    assert not any("dot" in remark for remark in (await organizer.standings()).remarks)


async def test_its_matches_that_run_go_on_to_their_end(organizer: Organizer) -> None:
    await organizer.register("ann", "bob", "cid")
    await organizer.create(rounds=2)
    await organizer.connect("ann")
    await organizer.connect("bob")
    slow = await organizer.connect("cid", answers=0)
    await organizer.enter("ann", "bob", "cid")
    await organizer.close()
    await organizer.start()
    # The other eight wait for what cid answers.
    await organizer.until(lambda now: now.matches.finished == 4)
    running = {match.match_id for match in await organizer.matches()}
    assert len(running) == 12

    await bench(organizer, "cid")
    await slow.go_on()

    last = await organizer.finished()
    assert last.matches.finished == 12
    assert {match.match_id for match in await organizer.matches()} == running
    assert (log(organizer)[-1].action, log(organizer)[-1].detail) == ("bench", {"running": "8"})


async def test_who_is_not_back_in_time_is_withdrawn_by_rule(organizer: Organizer) -> None:
    await begin_paused(organizer, bench_wait=duration_to_message(timedelta(minutes=5)))
    await bench(organizer)
    await organizer.resume()
    told = await waits(organizer)
    assert told.bench_wait.HasField("until")

    organizer.advance(timedelta(minutes=5) - SECOND)
    assert (await organizer.get()).state == v1.TOURNAMENT_STATE_RUNNING
    organizer.advance(SECOND)

    last = await organizer.finished()
    assert last.matches.finished + last.matches.cancelled == PLANNED
    assert last.matches.finished == told.matches.finished
    by_rule = log(organizer)[-1]
    reason = "on the bench, and nothing else was left to be played for 0:05:00"
    assert (by_rule.actor, by_rule.action, by_rule.subject) == ("server", "withdraw", "dot")
    assert by_rule.reason == reason
    assert f"dot was withdrawn: {reason}" in (await organizer.standings()).remarks


async def test_without_a_longest_wait_it_is_the_organizers_decision(organizer: Organizer) -> None:
    await begin_paused(organizer, bench_wait=duration_to_message(timedelta(0)))
    await bench(organizer)
    await organizer.resume()
    told = await waits(organizer)
    assert not told.bench_wait.HasField("until")
    organizer.advance(timedelta(days=30))
    assert (await organizer.get()).state == v1.TOURNAMENT_STATE_RUNNING

    request = v1.WithdrawEntrantRequest(tournament_id="cup", bot_id="dot")
    left = (await organizer.call(organizer.tournaments.WithdrawEntrant, request)).entrant

    assert left.state == v1.ENTRANT_STATE_WITHDRAWN
    last = await organizer.finished()
    assert last.matches.finished == told.matches.finished


async def test_it_waits_for_the_bench_though_everybody_else_has_gone_home(
    organizer: Organizer,
) -> None:
    await organizer.begin(
        absent=("ann", "bob"), bench_wait=duration_to_message(timedelta(minutes=5))
    )
    await bench(organizer, "ann")
    now = await waits(organizer)
    assert (now.entrants, now.connected) == (1, 0)


async def test_a_restart_forgets_nobody_on_the_bench(tmp_path: Path) -> None:
    async with organized(tmp_path) as before:
        await begin_paused(before)
        await bench(before)
        await before.resume()
        await waits(before)
        tokens, finished = before.tokens, (await before.get()).matches.finished
    async with organized(tmp_path, seed="after") as after:
        after.tokens = tokens
        for bot in BOTS:
            await after.connect(bot)
        now = await waits(after)
        assert list(now.bench_wait.bot_ids) == ["dot"]
        assert now.matches.finished == finished
        await bring_back(after)
        assert (await after.finished()).matches.finished == PLANNED


async def test_each_is_in_the_audit_log_and_done_once_however_often_it_is_asked_for(
    organizer: Organizer,
) -> None:
    await begin_paused(organizer)
    for _ in range(2):
        assert (await bench(organizer, request_id="1")).state == v1.ENTRANT_STATE_BENCHED
    for _ in range(2):
        again = await bring_back(organizer, request_id="2", reason="it is mended")
        assert again.state == v1.ENTRANT_STATE_ENTERED
    told = [(row.actor, row.action, row.subject, row.reason) for row in log(organizer)[-2:]]
    assert told == [
        ("organizer", "bench", "dot", "its machine is mended"),
        ("organizer", "return", "dot", "it is mended"),
    ]


async def test_the_bench_takes_who_plays_and_gives_back_who_sits_on_it(
    organizer: Organizer,
) -> None:
    async def refused(wish: Any) -> ErrorReason | None:
        with pytest.raises(Refused) as refusal:
            await wish
        return refusal.value.reason

    await begin_paused(organizer)
    assert await refused(bench(organizer, "eve")) is ErrorReason.NOT_FOUND_ENTRANT
    assert await refused(bring_back(organizer)) is ErrorReason.ENTRANT_STATE
    await bench(organizer)
    assert await refused(bench(organizer)) is ErrorReason.ENTRANT_STATE
    gone = v1.DisqualifyEntrantRequest(tournament_id="cup", bot_id="dot", reason="two copies")
    await organizer.call(organizer.tournaments.DisqualifyEntrant, gone)
    assert await refused(bring_back(organizer)) is ErrorReason.ENTRANT_LEFT
    await organizer.resume()
    last = await organizer.finished()
    assert last.matches.cancelled > 0
    assert await refused(bench(organizer, "ann")) is ErrorReason.TOURNAMENT_STATE


async def test_two_on_the_bench_hold_the_matches_of_either(organizer: Organizer) -> None:
    await begin_paused(organizer)
    await bench(organizer)
    await bench(organizer, "cid")
    await organizer.resume()
    now = await waits(organizer)
    assert list(now.bench_wait.bot_ids) == ["cid", "dot"]
    await bring_back(organizer)
    now = await waits(organizer)
    assert list(now.bench_wait.bot_ids) == ["cid"]


async def test_a_cancelled_tournament_says_who_was_on_the_bench(organizer: Organizer) -> None:
    await begin_paused(organizer)
    await bench(organizer)
    request = v1.CancelTournamentRequest(tournament_id="cup")
    await organizer.call(organizer.tournaments.CancelTournament, request)
    assert "dot was benched: its machine is mended" in (await organizer.standings()).remarks
