"""The audit log over a socket: what it says, page by page, and to whom."""

from __future__ import annotations

import pytest

from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused


async def page(
    organizer: Organizer, *, size: int = 0, after: str = "", token: str | None = "own"
) -> v1.ListAuditEntriesResponse:
    request = v1.ListAuditEntriesRequest(tournament_id="cup", page_size=size, page_token=after)
    answer: v1.ListAuditEntriesResponse = await organizer.call(
        organizer.tournaments.ListAuditEntries, request, token=token
    )
    return answer


@pytest.fixture
async def told(organizer: Organizer) -> Organizer:
    """A tournament from its making to its end by the organizer, with one bot thrown out."""
    await organizer.begin("ann", "bob", "cid", absent=("eve",))
    await organizer.call(
        organizer.tournaments.DisqualifyEntrant,
        v1.DisqualifyEntrantRequest(tournament_id="cup", bot_id="eve", reason="plays two games"),
    )
    await organizer.call(
        organizer.tournaments.WithdrawEntrant,
        v1.WithdrawEntrantRequest(tournament_id="cup", bot_id="cid", reason="has enough"),
        token=organizer.tokens["cid"],
    )
    return organizer


async def test_the_log_tells_who_did_what_and_why_newest_first(told: Organizer) -> None:
    entries = (await page(told)).entries
    said = [(entry.actor, entry.action, entry.subject, entry.reason) for entry in entries]
    assert said == [
        ("bot:cid", "withdraw", "cid", "has enough"),
        ("organizer", "disqualify", "eve", "plays two games"),
        ("organizer", "start", "cup", ""),
        ("organizer", "close", "cup", ""),
        *(("organizer", "enter", bot, "") for bot in ("eve", "cid", "bob", "ann")),
        ("organizer", "open", "cup", ""),
        ("organizer", "create", "cup", ""),
    ]
    times = [entry.at.ToDatetime() for entry in entries]
    assert times == sorted(times, reverse=True)


async def test_an_entry_tells_what_changed(told: Organizer) -> None:
    entries = {entry.action: dict(entry.detail) for entry in (await page(told)).entries}
    tournament = await told.get()
    assert entries["create"] == {"commitment": tournament.master_commitment.hex()}
    assert entries["open"] == {"from": "draft", "to": "open"}
    assert entries["start"] == {
        "from": "closed",
        "to": "running",
        "entrants": "ann bob cid eve",
        "matches": "12",
        "deals_root_2": tournament.deals_roots[0].root.hex(),
    }
    assert entries["disqualify"] == {"no_shows": "0"}


async def test_page_after_page_is_the_whole_log(told: Organizer) -> None:
    whole = list((await page(told)).entries)
    found: list[v1.AuditEntry] = []
    after = ""
    while True:
        answer = await page(told, size=3, after=after)
        assert len(answer.entries) <= 3
        found += answer.entries
        if not (after := answer.next_page_token):
            break
    assert found == whole


async def test_the_log_is_the_organizers_alone(told: Organizer) -> None:
    for token, reason in (
        (told.tokens["ann"], ErrorReason.PERMISSION_DENIED),
        (None, ErrorReason.UNAUTHENTICATED_NO_TOKEN),
    ):
        with pytest.raises(Refused) as refused:
            await page(told, token=token)
        assert refused.value.reason is reason


async def test_a_tournament_that_is_not_there_is_not_found(organizer: Organizer) -> None:
    with pytest.raises(Refused) as refused:
        await page(organizer)
    assert refused.value.reason is ErrorReason.NOT_FOUND_TOURNAMENT
