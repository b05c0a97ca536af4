"""Entering several bots in one step: all of them, or none."""

from __future__ import annotations

import pytest

from kitumaija.server.store import audit
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused


def entering(*bot_ids: str) -> v1.EnterTournamentRequest:
    first, *more = bot_ids
    return v1.EnterTournamentRequest(
        tournament_id="cup", bot_id=first, more_bot_ids=more, request_id="once"
    )


async def test_all_that_are_named_are_entered_in_their_order_and_each_is_audited(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob", "cid")
    await organizer.create()
    enter = organizer.tournaments.EnterTournament

    answer = await organizer.call(enter, entering("cid", "ann", "bob"))

    entered = [answer.entrant.bot_id, *(one.bot_id for one in answer.more_entrants)]
    assert entered == ["cid", "ann", "bob"]
    assert [one.bot_id for one in (await organizer.get()).entrants] == entered
    assert await organizer.call(enter, entering("cid", "ann", "bob")) == answer
    with organizer.app.store.read() as tx:
        lines = audit.page(tx, size=3, tournament_id="cup").rows
    assert {(line.action, line.subject) for line in lines} == {("enter", bot) for bot in entered}


async def test_if_some_cannot_be_entered_each_of_them_is_named_and_nobody_is(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()
    await organizer.enter("bob")

    with pytest.raises(Refused) as refused:
        await organizer.call(
            organizer.tournaments.EnterTournament, entering("ann", "nobody", "bob", "noone")
        )

    assert refused.value.reason is ErrorReason.NOT_FOUND_BOT
    for word in ("'nobody'", "'noone'", "'bob' has entered"):
        assert word in refused.value.message
    assert [one.bot_id for one in (await organizer.get()).entrants] == ["bob"]


async def test_one_that_is_named_twice_is_refused(organizer: Organizer) -> None:
    await organizer.register("ann")
    await organizer.create()

    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.tournaments.EnterTournament, entering("ann", "ann"))

    assert refused.value.reason is ErrorReason.ALREADY_EXISTS_ENTRANT
    assert not (await organizer.get()).entrants


async def test_a_bot_enters_nobody_beside_itself(organizer: Organizer) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()

    with pytest.raises(Refused) as refused:
        await organizer.call(
            organizer.tournaments.EnterTournament,
            entering("ann", "bob"),
            token=organizer.tokens["ann"],
        )

    assert refused.value.metadata["needed"] == "organizer"
