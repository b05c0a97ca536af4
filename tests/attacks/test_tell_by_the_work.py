"""Somebody who measures how long a refusal takes, to learn what it does not say.

No clock is asked here: what takes as long is what runs the same lines. How long refusals took is
in `server/SECURITY.md`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from kitumaija.engine import DECK, PlayCard
from kitumaija.server.errors import PermissionDenied, Unauthenticated
from kitumaija.server.ids import token_hash
from kitumaija.server.rpc.auth import Authenticator
from kitumaija.server.rpc.invitations import Invitations
from kitumaija.server.settings import ServerSettings
from kitumaija.server.store.rows import BotRow
from kitumaija.v1 import arena_pb2
from tests.server.rpc.scripted import get_ready
from tests.support.arena import Arena
from tests.support.raw_bot import answer
from tests.support.work import Line, lines_run

ANN, BOSS = "A" * 42 + "x", "B" * 42 + "x"


class Asked(SimpleNamespace):
    """The context of a call with a token."""

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token}"),)


def authenticator() -> Authenticator:
    when = datetime(2026, 1, 2, tzinfo=UTC)
    bots = [
        BotRow(
            bot_id=name,
            display_name=name,
            owner=name,
            token_hash=token_hash(token),
            created_at=when,
        )
        for name, token in (("ann", ANN), ("bob", "C" * 43))
    ]
    return Authenticator(bots, token_hash(BOSS))


def test_a_token_is_refused_by_the_same_lines_however_near_it_comes() -> None:
    """Tokens are compared by their hashes, of which no part can be tried on its own."""
    door = authenticator()
    told: list[tuple[list[Line], str]] = []
    for guess in (ANN[:-1] + "y", BOSS[:-1] + "y", "Z" * 43, ANN[:-1], ANN + ANN, "ann"):
        with lines_run() as lines, pytest.raises(Unauthenticated) as refused:
            door.caller(Asked(token=guess))
        told.append((lines, str(refused.value)))

    assert told[0][0], "nothing was looked at"
    assert all(each == told[0] for each in told)


@pytest.mark.parametrize("of_owners", [False, True])
def test_an_invite_code_is_refused_by_the_same_lines_however_near_it_comes(
    of_owners: bool,
) -> None:
    codes: dict[str, Any] = {"invite_code": "the right code"}
    if of_owners:
        codes = {"invite_codes": {"ann": "the right code", "bob": "the other code"}}
    door = Invitations(ServerSettings.load(open_registration=True, **codes))
    told: list[tuple[list[Line], str]] = []
    for guess in ("the right codf", "xhe right code", "", "the right code and more"):
        with lines_run() as lines, pytest.raises(PermissionDenied) as refused:
            door.owner(guess, "", "eve")
        told.append((lines, str(refused.value)))

    assert told[0][0], "nothing was looked at"
    assert all(each == told[0] for each in told)


async def test_a_match_of_others_costs_the_server_the_work_of_one_that_there_is_not(
    arena: Arena,
) -> None:
    ann, bob, eve = [await arena.connect(name) for name in ("ann", "bob", "eve")]
    setup = arena.open_match("ann", "bob", match_id="a-match-of-others")
    await get_ready(setup.match_id, ann, bob)
    await ann.decision()
    await ann.heard()

    def sayings(match_id: str) -> tuple[arena_pb2.BotMessage, ...]:
        asked = arena_pb2.Decision(match_id=match_id, decision_id=1)
        resync = arena_pb2.BotMessage(resync=arena_pb2.Resync(match_id=match_id))
        return (*(answer(asked, PlayCard(card)) for card in DECK[:3]), answer(asked, None), resync)

    async def work(match_id: str) -> list[Line]:
        with lines_run("/lobby/", "/match/", "/wire/codec/") as lines:
            for message in sayings(match_id):
                await eve.say(message)
            await eve.heard()
        return lines

    first, others = await work("a-match-of-nobody"), await work(setup.match_id)
    again = await work("a-match-of-nobody")

    assert first == again, "what is compared is the same each time"
    assert others == first
    own = arena_pb2.Decision(match_id=setup.match_id, decision_id=99)
    with lines_run("/lobby/", "/match/", "/wire/codec/") as lines:
        await ann.say(answer(own, PlayCard(DECK[0])))
        await ann.heard()
    assert any("/match/" in file for file, _ in lines), "a seat of its own is looked at"
    assert not any("/match/" in file for file, _ in others)
