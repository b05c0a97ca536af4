"""What an organizer does in the middle of a run: it is in the audit log, and the table adds up."""

from __future__ import annotations

from typing import Any

import pytest

from kitumaija.server.rating import rebuild, results_of
from kitumaija.server.store import audit
from kitumaija.v1 import tournament_pb2 as v1
from tests.support.organizer import Organizer

BOTS = ["ann", "bob", "cid", "dot"]
PLANNED = 24
DOT: dict[str, Any] = {"tournament_id": "cup", "bot_id": "dot"}
CUP: dict[str, Any] = {"tournament_id": "cup"}

COURSES: dict[str, list[tuple[str, Any, str]]] = {
    "pause and resume": [
        ("PauseTournament", v1.PauseTournamentRequest(**CUP), "cup"),
        ("ResumeTournament", v1.ResumeTournamentRequest(**CUP), "cup"),
    ],
    "bench and return": [
        ("BenchEntrant", v1.BenchEntrantRequest(**DOT, reason="mended"), "dot"),
        ("ReturnEntrant", v1.ReturnEntrantRequest(**DOT, reason="is well"), "dot"),
    ],
    "bench and withdraw": [
        ("BenchEntrant", v1.BenchEntrantRequest(**DOT, reason="mended"), "dot"),
        ("WithdrawEntrant", v1.WithdrawEntrantRequest(**DOT, reason="is broken"), "dot"),
    ],
    "disqualify": [
        ("DisqualifyEntrant", v1.DisqualifyEntrantRequest(**DOT, reason="two copies"), "dot")
    ],
    "cancel": [("CancelTournament", v1.CancelTournamentRequest(**CUP, reason="a storm"), "cup")],
}
WHOLE = {"pause and resume", "bench and return"}


@pytest.mark.parametrize("course", COURSES)
async def test_whatever_is_done_is_in_the_log_and_the_table_adds_up(
    organizer: Organizer, course: str
) -> None:
    await organizer.begin(*BOTS, rounds=2, max_running_matches=2)
    await organizer.until(lambda now: now.matches.finished >= 6)
    for method, request, _ in COURSES[course]:
        await organizer.call(getattr(organizer.tournaments, method), request)
    last = await organizer.until(
        lambda now: now.state in {v1.TOURNAMENT_STATE_FINISHED, v1.TOURNAMENT_STATE_CANCELLED}
    )

    with organizer.app.store.read() as tx:
        rows = audit.page(tx, size=100, tournament_id="cup").rows
        anew = rebuild(BOTS, results_of(tx, "cup", 2))
    done = [(row.actor, row.action, row.subject, row.reason) for row in reversed(rows)]
    assert done[done.index(("organizer", "start", "cup", "")) + 1 :] == [
        ("organizer", _action(method), subject, getattr(request, "reason", ""))
        for method, request, subject in COURSES[course]
    ]

    counts = last.matches
    assert counts.finished + counts.cancelled + counts.void == counts.planned == PLANNED
    assert (counts.finished == PLANNED) == (course in WHOLE)
    found = await organizer.standings()
    [table] = found.tables
    played = [m for m in await organizer.matches() if m.state == v1.MATCH_STATE_FINISHED]
    for row in table.rows:
        games = sum(any(seat.bot_id == row.bot_id for seat in match.seats) for match in played)
        assert row.games == sum(row.places) == games
    assert [(row.bot_id, row.mu) for row in table.rows] == [
        (row.bot_id, row.entry.rating.mu) for row in anew.ranking()
    ]
    unequal = [remark for remark in found.remarks if "games are unequal" in remark]
    assert len(unequal) == (course not in WHOLE)


def _action(method: str) -> str:
    return method.removesuffix("Tournament").removesuffix("Entrant").lower()
