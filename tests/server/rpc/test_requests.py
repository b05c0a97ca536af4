"""The same request twice: it is done once, and answered alike."""

from __future__ import annotations

from typing import Any

import pytest

from kitumaija.server.store import audit
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused


async def test_every_call_sent_twice_is_done_once_and_answered_alike(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob", "cid")
    for bot in ("ann", "bob", "cid"):
        await organizer.connect(bot)
    calls = organizer.tournaments
    cup: dict[str, Any] = {"tournament_id": "cup"}
    course: list[tuple[Any, Any]] = [
        (calls.CreateTournament, v1.CreateTournamentRequest(**cup, request_id="1")),
        (calls.OpenTournament, v1.OpenTournamentRequest(**cup, request_id="2")),
        *(
            (
                calls.EnterTournament,
                v1.EnterTournamentRequest(**cup, bot_id=bot, request_id=f"3 {bot}"),
            )
            for bot in ("ann", "bob", "cid")
        ),
        (calls.CloseTournament, v1.CloseTournamentRequest(**cup, request_id="4")),
        (calls.StartTournament, v1.StartTournamentRequest(**cup, request_id="5")),
        (calls.PauseTournament, v1.PauseTournamentRequest(**cup, request_id="6")),
        (calls.WithdrawEntrant, v1.WithdrawEntrantRequest(**cup, bot_id="cid", request_id="7")),
        (calls.ResumeTournament, v1.ResumeTournamentRequest(**cup, request_id="8")),
        (
            calls.DisqualifyEntrant,
            v1.DisqualifyEntrantRequest(**cup, bot_id="bob", reason="r", request_id="9"),
        ),
    ]
    for method, request in course:
        first = await organizer.call(method, request)
        assert await organizer.call(method, request) == first
    await organizer.finished()
    rebuild = v1.RebuildRatingsRequest(**cup, request_id="10")
    first = await organizer.call(calls.RebuildRatings, rebuild)
    assert await organizer.call(calls.RebuildRatings, rebuild) == first
    with organizer.app.store.read() as tx:
        log = audit.page(tx, size=100, tournament_id="cup").rows
    assert [row.action for row in reversed(log)] == [
        "create",
        "open",
        "enter",
        "enter",
        "enter",
        "close",
        "start",
        "pause",
        "withdraw",
        "resume",
        "disqualify",
        "rebuild_ratings",
    ]


async def test_a_request_id_for_another_request_is_refused(organizer: Organizer) -> None:
    calls = organizer.tournaments
    request = v1.CreateTournamentRequest(tournament_id="cup", request_id="1")
    await organizer.call(calls.CreateTournament, request)
    for method, other in (
        (calls.CreateTournament, v1.CreateTournamentRequest(tournament_id="b", request_id="1")),
        (calls.OpenTournament, v1.OpenTournamentRequest(tournament_id="cup", request_id="1")),
    ):
        with pytest.raises(Refused) as refused:
            await organizer.call(method, other)
        assert refused.value.reason is ErrorReason.REQUEST_ID_CONFLICT


async def test_a_refused_request_can_be_sent_again_when_it_fits(organizer: Organizer) -> None:
    request = v1.OpenTournamentRequest(tournament_id="cup", request_id="1")
    with pytest.raises(Refused):
        await organizer.call(organizer.tournaments.OpenTournament, request)
    cup = v1.CreateTournamentRequest(tournament_id="cup", settings=v1.TournamentSettings())
    await organizer.call(organizer.tournaments.CreateTournament, cup)
    opened = await organizer.call(organizer.tournaments.OpenTournament, request)
    assert opened.tournament.state == v1.TOURNAMENT_STATE_OPEN
