"""Adaptive tournaments, played by the server: chosen by results, ended by them, and proved."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from kitumaija.server.schedule.adaptive import OPENING
from kitumaija.server.store.failpoints import Stage
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.status import ErrorReason
from tests.server.tournament.test_bench import bench, bring_back
from tests.server.tournament.test_formats import checked, drawn, verified
from tests.server.tournament.test_leaving import withdraw
from tests.server.tournament.test_resuming import reached
from tests.server.tournament.test_voiding import pause
from tests.support.autobot import last_legal
from tests.support.organizer import Organizer, Refused, organized
from tests.support.snapshots import Snapshots, copy_store

BEST = "bob"
BOTS = ("ann", "bob", "cid", "dot", "eve")


async def connect(organizer: Organizer) -> None:
    for bot in BOTS:
        policy = {} if bot == BEST else {"chooses": last_legal}
        await organizer.connect(bot, **policy)


async def begin(organizer: Organizer, **more: Any) -> None:
    """Begin one in which one bot is much better than the others, who are alike."""
    await organizer.register(*BOTS)
    await connect(organizer)
    settings = {"until": "top 1 settled at 80 %", "match_budget": 200, **more}
    await organizer.create(
        format=v1.TOURNAMENT_FORMAT_ADAPTIVE, unsafe_seed="the same cards", **settings
    )
    await organizer.enter(*BOTS)
    await organizer.close()
    await organizer.start()


async def test_it_is_played_until_it_is_known_who_is_best_and_all_of_it_is_proved(
    organizer: Organizer, tmp_path: Path
) -> None:
    await begin(organizer)
    assert (await organizer.get()).matches.planned == 200
    last = await organizer.finished()
    assert last.matches.finished < last.matches.planned == 200
    standings = await organizer.standings()
    [table] = standings.tables
    assert list(table.verdict.best_bot_ids) == [BEST]
    assert (table.rows[0].bot_id, table.rounds) == (BEST, len(drawn(organizer)))
    assert not table.rows[0].HasField("byes")
    # Everybody's first sets come first; after that the best sits at most tables.
    sets = Counter(bot for row in drawn(organizer) for seats in row.tables for bot in seats)
    assert min(sets.values()) >= OPENING
    assert sets.most_common(1)[0][0] == BEST
    assert any("games, from" in remark for remark in standings.remarks)
    assert not any("unequal" in remark for remark in standings.remarks)
    assert checked(organizer) == []
    assert await verified(organizer, tmp_path / "cup.zip") == []


async def test_a_budget_ends_it_where_nothing_is_found_out(
    organizer: Organizer, tmp_path: Path
) -> None:
    await begin(organizer, until="top 2 settled at 99 %", match_budget=25, tables_per_round=3)
    last = await organizer.finished()
    assert last.matches.finished == last.matches.planned == 24
    assert [len(row.tables) for row in drawn(organizer)] == [3, 3, 3, 3]
    standings = await organizer.standings()
    assert "at 2 seats, the top 2 is not settled at 99 % by 24 matches" in standings.remarks
    assert checked(organizer) == []
    assert await verified(organizer, tmp_path / "cup.zip") == []


async def test_wherever_the_server_dies_the_same_tables_are_chosen(tmp_path: Path) -> None:
    left = Snapshots(tmp_path / "whole", tmp_path / "left", seed=1, only=("verdicts.add",))
    async with organized(tmp_path / "whole", watch=left.watch) as organizer:
        await begin(organizer, max_running_matches=2)
        await reached(organizer, 31)
        copy_store(organizer.app, tmp_path / "copy")
        await organizer.finished()
        as_drawn = drawn(organizer)
        verdict = (await organizer.standings()).tables[0].verdict
        tokens = dict(organizer.tokens)
    assert set(left.taken) == {("verdicts.add", stage) for stage in Stage}
    for path in (tmp_path / "copy", *left.distinct()):
        async with organized(path, seed=path.name) as organizer:
            organizer.tokens = tokens
            await connect(organizer)
            await organizer.finished()
            assert drawn(organizer) == as_drawn
            assert (await organizer.standings()).tables[0].verdict == verdict
            assert checked(organizer) == []


async def test_who_leaves_or_is_on_the_bench_is_not_chosen(
    organizer: Organizer, tmp_path: Path
) -> None:
    # All matches of a round are begun at once, so that in a pause they are all played out.
    await begin(organizer, match_budget=60, until="top 2 settled at 99 %")
    await organizer.until(lambda now: now.matches.finished >= 5)
    await pause(organizer)
    before = len(drawn(organizer))
    await withdraw(organizer, "ann")
    await bench(organizer, "cid")
    await organizer.resume()
    await organizer.until(lambda now: now.matches.finished >= 24)
    await pause(organizer)
    without = len(drawn(organizer))
    await bring_back(organizer, "cid")
    await organizer.resume()
    await organizer.finished()
    seated = [{bot for seats in row.tables for bot in seats} for row in drawn(organizer)]
    assert all("ann" not in bots for bots in seated[before:])
    assert all("cid" not in bots for bots in seated[before:without])
    assert any("cid" in bots for bots in seated[without:])
    remarks = (await organizer.standings()).remarks
    assert any(remark.startswith("cid had no part in round") for remark in remarks)
    assert checked(organizer) == []
    assert await verified(organizer, tmp_path / "cup.zip") == []


async def test_a_budget_below_everybodys_first_sets_is_refused_with_the_number_needed(
    organizer: Organizer,
) -> None:
    with pytest.raises(Refused, match="allow at least that many") as refused:
        await begin(organizer, match_budget=19)
    assert refused.value.reason is ErrorReason.MATCH_BUDGET
    assert refused.value.metadata["needed"] == "20"
