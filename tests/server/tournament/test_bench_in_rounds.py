"""The bench where rounds are drawn: who is out has no part in the next round, and comes back."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from kitumaija.server.archive.fields import document
from kitumaija.server.checking import Verdict, archive_findings
from kitumaija.server.schedule.seating import Round, names_of
from kitumaija.server.store.rows import RoundRow
from kitumaija.v1 import tournament_pb2 as v1
from tests.server.tournament.test_bench import bench, bring_back, waits
from tests.server.tournament.test_formats import BOTS, begin, checked, drawn, row_of, verified
from tests.server.tournament.test_resuming import reached
from tests.support.exports import STRANGER, contents, exported, listed_anew, packed
from tests.support.organizer import Organizer

PLAYED_AS = pytest.mark.parametrize(
    "played_as", [v1.TOURNAMENT_FORMAT_SWISS, v1.TOURNAMENT_FORMAT_LADDER], ids=["swiss", "ladder"]
)


def there(row: RoundRow) -> frozenset[str]:
    """Who has a part in a round, a bye included."""
    return names_of(Round(row.tables, row.byes))


async def begin_paused(organizer: Organizer, **settings: Any) -> None:
    """Begin a tournament of drawn rounds and pause it in the first of them."""
    await begin(organizer, max_running_matches=1, **settings)
    await reached(organizer, 1)
    await organizer.pause()
    await organizer.until(lambda now: now.matches.running == 0)


@PLAYED_AS
async def test_who_is_benched_when_a_round_is_drawn_has_no_part_in_it_and_in_the_next_again(
    organizer: Organizer, tmp_path: Path, played_as: v1.TournamentFormat.ValueType
) -> None:
    await begin_paused(organizer, format=played_as, rounds=3)
    (out,) = drawn(organizer)[0].byes
    await bench(organizer, out)
    await organizer.resume()
    await reached(organizer, 5)
    second = drawn(organizer)[1]
    await bring_back(organizer, out)
    await organizer.finished()

    first, again, third = drawn(organizer)
    assert again.tables == second.tables
    assert there(first) == there(third) == set(BOTS)
    assert there(second) == set(BOTS) - {out}
    standings = await organizer.standings()
    assert f"{out} had no part in round 2: it was on the bench" in standings.remarks
    games = {row.bot_id: row.games for row in standings.tables[0].rows}
    assert games[out] == 2
    assert out not in third.byes, "it sat out already"
    assert row_of(standings, out).byes == 1
    assert checked(organizer) == []
    data = await exported(organizer)
    path = tmp_path / "cup.zip"
    await asyncio.to_thread(path.write_bytes, data)
    assert list(archive_findings(path, Verdict())) == []

    # The export proves that it was on the bench: a story without that is found, whoever signs it.
    files = contents(data)
    told = json.loads(files["tournament.json"])
    assert told["turnout"] == [
        {"bot_id": out, "command": "bench", "rounds": 1},
        {"bot_id": out, "command": "return", "rounds": 2},
    ]
    told["turnout"] = []
    files["tournament.json"] = document(told).encode()
    await asyncio.to_thread(path.write_bytes, packed(listed_anew(files, STRANGER)))
    sentences = [finding.sentence for finding in archive_findings(path, Verdict())]
    assert any("round 2 has the tables" in sentence for sentence in sentences)


async def test_a_round_waits_for_who_is_benched_in_the_midst_of_it(
    organizer: Organizer, tmp_path: Path
) -> None:
    await begin_paused(organizer, format=v1.TOURNAMENT_FORMAT_SWISS, rounds=2)
    first = drawn(organizer)[0]
    out = first.tables[-1][0]
    await bench(organizer, out)
    await organizer.resume()

    now = await waits(organizer)

    assert list(now.bench_wait.bot_ids) == [out]
    assert len(drawn(organizer)) == 1
    await bring_back(organizer, out)
    await organizer.finished()
    assert [there(row) for row in drawn(organizer)] == [set(BOTS)] * 2
    assert checked(organizer) == []
    assert await verified(organizer, tmp_path / "cup.zip") == []
