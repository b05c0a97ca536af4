"""An organizer declares a match void that was played: it is played again, and all numbers agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kitumaija.engine import Deal
from kitumaija.server.checking import findings
from kitumaija.server.store import audit
from kitumaija.v1 import replay_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.record import record_from_message
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused, organized


async def void(organizer: Organizer, match_id: str, reason: str = "a bug", **more: Any) -> v1.Match:
    request = v1.VoidMatchRequest(
        tournament_id="cup", match_id=match_id, reason=reason, request_id=more.pop("request_id", "")
    )
    answer = await organizer.call(organizer.tournaments.VoidMatch, request, **more)
    return answer.match  # type: ignore[no-any-return]


async def pause(organizer: Organizer) -> None:
    await organizer.pause()
    await organizer.until(lambda now: now.matches.running == 0)


async def half_played(organizer: Organizer) -> v1.Match:
    """Play some of a tournament, pause it, and return the first match of its schedule."""
    await organizer.begin("ann", "bob", "cid", rounds=3, max_running_matches=1)
    await organizer.until(lambda now: now.matches.finished >= 3)
    await pause(organizer)
    return (await organizer.matches())[0]


def checked(organizer: Organizer) -> list[str]:
    with organizer.app.store.read() as tx:
        return [finding.sentence for finding in findings(tx)]


async def numbers(organizer: Organizer) -> dict[str, tuple[float, int]]:
    (table,) = (await organizer.standings()).tables
    return {row.bot_id: (row.mu, row.games) for row in table.rows}


async def test_a_void_match_is_played_again_with_a_new_deal_and_rated_once(
    organizer: Organizer,
) -> None:
    match = await half_played(organizer)
    before = await numbers(organizer)
    finished = (await organizer.get()).matches.finished

    gone = await void(organizer, match.match_id)
    assert gone.state == v1.MATCH_STATE_VOID
    assert gone.reason == "a bug"
    assert not any(seat.place or seat.faults for seat in gone.seats)
    assert (await organizer.get()).matches.finished == finished - 1
    # It was the first of the schedule: nothing is rated before it is played again.
    assert {games for _, games in (await numbers(organizer)).values()} == {0}
    assert checked(organizer) == []

    await organizer.resume()
    await organizer.finished()
    attempts = [one for one in await organizer.matches() if one.number == match.number]
    assert [one.attempt for one in attempts] == [1, 2]
    assert [one.state for one in attempts] == [v1.MATCH_STATE_VOID, v1.MATCH_STATE_FINISHED]
    assert attempts[0].seats[0].bot_id == attempts[1].seats[0].bot_id
    first, second = [await deal(organizer, one) for one in attempts]
    assert first.deal_id != second.deal_id
    assert first.seed != second.seed
    after = await numbers(organizer)
    assert {games for _, games in after.values()} == {12}
    assert after != before
    rebuilt = await organizer.call(
        organizer.tournaments.RebuildRatings, v1.RebuildRatingsRequest(tournament_id="cup")
    )
    assert not rebuilt.changed
    assert checked(organizer) == []


async def deal(organizer: Organizer, match: v1.Match) -> Deal:
    request = replay_pb2.GetRecordRequest(match_id=match.match_id)
    answer = await organizer.call(organizer.replays.GetRecord, request)
    return record_from_message(answer.record).game.deal


async def test_a_void_stands_in_the_audit_log_with_its_reason(organizer: Organizer) -> None:
    match = await half_played(organizer)
    await void(organizer, match.match_id, "it was played with a known seed")
    with organizer.app.store.read() as tx:
        (row,) = audit.of_action(tx, "cup", "void")
    assert (row.actor, row.subject) == ("organizer", match.match_id)
    assert row.reason == "it was played with a known seed"


async def test_a_void_asked_for_twice_is_done_once(organizer: Organizer) -> None:
    match = await half_played(organizer)
    for _ in range(2):
        await void(organizer, match.match_id, request_id="one and the same")
    with organizer.app.store.read() as tx:
        assert len(audit.of_action(tx, "cup", "void")) == 1


async def test_after_a_restart_a_void_match_is_played_again_too(tmp_path: Path) -> None:
    async with organized(tmp_path / "data") as organizer:
        match = await half_played(organizer)
        await void(organizer, match.match_id)
        tokens = organizer.tokens
    async with organized(tmp_path / "data", seed="another start") as organizer:
        organizer.tokens = tokens
        for bot in ("ann", "bob", "cid"):
            await organizer.connect(bot)
        await organizer.resume()
        await organizer.finished()
        attempts = [one for one in await organizer.matches() if one.number == match.number]
        assert [one.attempt for one in attempts] == [1, 2]
        assert {games for _, games in (await numbers(organizer)).values()} == {12}
        assert checked(organizer) == []


@pytest.mark.parametrize("token", ["a bot's", None])
async def test_only_the_organizer_declares_a_match_void(
    organizer: Organizer, token: str | None
) -> None:
    match = await half_played(organizer)
    with pytest.raises(Refused) as refused:
        await void(organizer, match.match_id, token=token and organizer.tokens["ann"])
    assert refused.value.reason in {
        ErrorReason.PERMISSION_DENIED,
        ErrorReason.UNAUTHENTICATED_NO_TOKEN,
    }


async def test_a_void_needs_a_reason_and_a_match_that_counts(organizer: Organizer) -> None:
    match = await half_played(organizer)
    for match_id, said, reason in (
        (match.match_id, "  ", ErrorReason.INVALID_ARGUMENT_FIELD),
        ("nowhere", "a bug", ErrorReason.NOT_FOUND_MATCH),
    ):
        with pytest.raises(Refused) as refused:
            await void(organizer, match_id, said)
        assert refused.value.reason is reason
    await void(organizer, match.match_id)
    with pytest.raises(Refused) as refused:
        await void(organizer, match.match_id)
    assert refused.value.reason is ErrorReason.MATCH_NOT_OVER
    await organizer.resume()
    await organizer.finished()
    with pytest.raises(Refused) as refused:
        await void(organizer, (await organizer.matches())[-1].match_id)
    assert refused.value.reason is ErrorReason.TOURNAMENT_STATE
