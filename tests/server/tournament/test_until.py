"""A tournament that is to find something out: it ends when it has, and all of it is proved."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from kitumaija.server.cli.fitting import FittedTable
from kitumaija.server.goal import Goal
from kitumaija.server.store.failpoints import Stage
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.status import ErrorReason
from tests.server.tournament.test_bench import bench
from tests.server.tournament.test_formats import checked, verified
from tests.server.tournament.test_leaving import withdraw
from tests.server.tournament.test_resuming import reached
from tests.server.tournament.test_voiding import void
from tests.support.autobot import AutoBot, last_legal
from tests.support.organizer import Organizer, Refused, organized
from tests.support.raw_bot import PATIENCE
from tests.support.snapshots import Snapshots, copy_store

GOAL = "top 1 settled at 80 %"
STRONG, WEAK, THIRD = "strong", "weak", "third"
PLANNED = 100
RUNNING = 26
"""So many are enough to find it out, and fewer than planned."""


async def begin(
    organizer: Organizer, *others: str, answers: int | None = None, **more: Any
) -> AutoBot:
    """Begin a tournament in which one is much the better; it may be stuck after some answers."""
    bots = (STRONG, WEAK, *others)
    await organizer.register(*bots)
    strong = await organizer.connect(STRONG, answers=answers, capacity=RUNNING)
    for bot in bots[1:]:
        await organizer.connect(bot, chooses=last_legal, capacity=RUNNING)
    settings = {"rounds": PLANNED // 2, "until": GOAL, "max_running_matches": 4, **more}
    await organizer.create(unsafe_seed="the same cards", **settings)
    await organizer.enter(*bots)
    await organizer.close()
    await organizer.start()
    return strong


async def reconnect(organizer: Organizer) -> None:
    await organizer.connect(STRONG, capacity=RUNNING)
    await organizer.connect(WEAK, chooses=last_legal, capacity=RUNNING)


def verdict_of(standings: v1.GetStandingsResponse) -> v1.Verdict:
    [table] = standings.tables
    return table.verdict


async def test_it_ends_when_it_has_found_out_what_it_was_to_and_all_of_it_is_proved(
    organizer: Organizer, tmp_path: Path
) -> None:
    await begin(organizer)
    last = await organizer.finished()

    assert last.state == v1.TOURNAMENT_STATE_FINISHED
    assert last.matches.finished < last.matches.planned == PLANNED
    standings = await organizer.standings()
    [table] = standings.tables
    assert list(table.verdict.best_bot_ids) == [STRONG]
    assert list(table.verdict.contender_bot_ids) == [STRONG, WEAK]
    assert table.verdict.matches <= table.rated == last.matches.finished + last.matches.cancelled
    said = f"after {table.verdict.matches} matches: {STRONG} (look {table.verdict.look} of 20)"
    assert any(remark.endswith(said) for remark in standings.remarks)
    assert any("what was to be found out is known" in remark for remark in standings.remarks)
    # Whoever asks the results finds the same.
    fitted = FittedTable.of(table, await organizer.matches(), bytes(32), Goal.of(GOAL))
    assert fitted.settled is not None
    assert (fitted.settled.look, fitted.settled.matches) == (
        table.verdict.look,
        table.verdict.matches,
    )
    assert checked(organizer) == []
    assert await verified(organizer, tmp_path / "cup.zip") == []


async def test_what_is_not_known_by_the_end_is_said_not_to_be(
    organizer: Organizer, tmp_path: Path
) -> None:
    await begin(organizer, rounds=3)
    last = await organizer.finished()
    assert last.matches.finished == last.matches.planned == 6
    standings = await organizer.standings()
    assert not standings.tables[0].HasField("verdict")
    wanted = "at 2 seats, the top 1 is not settled at 80 % by 6 matches"
    assert wanted in standings.remarks
    assert checked(organizer) == []
    assert await verified(organizer, tmp_path / "cup.zip") == []


async def test_it_goes_on_until_it_is_known_at_every_table_size(organizer: Organizer) -> None:
    await begin(organizer, THIRD, table_sizes=[2, 3], rounds=14)
    last = await organizer.finished()
    assert last.matches.finished < last.matches.planned == 126
    for table in (await organizer.standings()).tables:
        assert list(table.verdict.best_bot_ids) == [STRONG]
    assert checked(organizer) == []


async def test_wherever_the_server_dies_it_finds_out_the_same(tmp_path: Path) -> None:
    left = Snapshots(tmp_path / "whole", tmp_path / "left", seed=1, only=("verdicts.add",))
    async with organized(tmp_path / "whole", watch=left.watch) as organizer:
        await begin(organizer, max_running_matches=1)
        await reached(organizer, 7)
        copy_store(organizer.app, tmp_path / "copy")
        await organizer.finished()
        whole = verdict_of(await organizer.standings())
        tokens = dict(organizer.tokens)
    assert set(left.taken) == {("verdicts.add", stage) for stage in Stage}
    for path in (tmp_path / "copy", *left.distinct()):
        async with organized(path, seed=path.name) as organizer:
            organizer.tokens = tokens
            await reconnect(organizer)
            await organizer.finished()
            assert verdict_of(await organizer.standings()) == whole
            assert checked(organizer) == []


async def test_who_is_in_nobodys_way_any_more_is_not_asked_about(
    organizer: Organizer, tmp_path: Path
) -> None:
    await begin(organizer, THIRD, rounds=14, max_running_matches=1)
    await organizer.until(lambda now: now.matches.finished >= 6)
    await withdraw(organizer, THIRD)
    await organizer.finished()
    verdict = verdict_of(await organizer.standings())
    assert list(verdict.contender_bot_ids) == [STRONG, WEAK]
    assert checked(organizer) == []
    assert await verified(organizer, tmp_path / "cup.zip") == []


async def known_in_a_pause(organizer: Organizer) -> None:
    """Have it found out while the tournament pauses, by what runs then and is played out."""
    strong = await begin(organizer, answers=0, max_running_matches=RUNNING)
    await organizer.until(lambda now: now.matches.running == RUNNING)
    await organizer.pause()
    await strong.go_on()
    await organizer.until(lambda now: now.matches.finished == RUNNING)
    running = organizer.director.running("cup")
    assert running is not None
    bell = organizer.director.bell("cup")
    async with asyncio.timeout(PATIENCE):
        while not running.goal.reached:
            await bell.next().wait()


async def test_a_verdict_of_a_pause_ends_it_afterwards_and_waits_for_nobody_on_the_bench(
    organizer: Organizer,
) -> None:
    await known_in_a_pause(organizer)
    await bench(organizer, WEAK)
    paused = await organizer.get()
    assert (paused.state, paused.matches.finished) == (v1.TOURNAMENT_STATE_PAUSED, RUNNING)
    await organizer.resume()
    last = await organizer.finished()
    assert last.matches.finished == RUNNING < last.matches.planned
    assert list(verdict_of(await organizer.standings()).contender_bot_ids) == [STRONG, WEAK]
    assert checked(organizer) == []


async def test_a_match_that_is_void_before_the_end_is_played_again_and_looked_at_anew(
    organizer: Organizer,
) -> None:
    await known_in_a_pause(organizer)
    first, *_ = await organizer.matches()
    await void(organizer, first.match_id)
    await organizer.resume()
    await organizer.finished()
    attempts = [one.state for one in await organizer.matches() if one.number == first.number]
    assert attempts == [v1.MATCH_STATE_VOID, v1.MATCH_STATE_FINISHED]
    assert list(verdict_of(await organizer.standings()).best_bot_ids) == [STRONG]
    assert checked(organizer) == []


@pytest.mark.parametrize(
    ("bots", "settings", "reason", "said"),
    [
        (2, {"until": "top 2 settled at 95 %"}, ErrorReason.TOO_FEW_ENTRANTS, "has 2 entrants"),
        (5, {"table_sizes": [3], "rounds": 10_000}, ErrorReason.MATCH_BUDGET, "at most 100000"),
    ],
)
async def test_what_cannot_be_found_out_or_looked_at_is_refused_at_the_start(
    organizer: Organizer, bots: int, settings: dict[str, Any], reason: ErrorReason, said: str
) -> None:
    names = [f"bot-{number}" for number in range(bots)]
    await organizer.register(*names)
    await organizer.create(**{"until": GOAL, **settings})
    await organizer.enter(*names)
    await organizer.close()
    with pytest.raises(Refused, match=said) as refused:
        await organizer.start()
    assert refused.value.reason is reason
