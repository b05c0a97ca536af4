"""Who is calling, and what that allows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import grpc
import pytest

from kitumaija.server.errors import KitumaijaError, PermissionDenied, Unauthenticated
from kitumaija.server.ids import token_hash
from kitumaija.server.rpc.auth import Authenticator, Caller, Role
from kitumaija.server.store import BotRow
from kitumaija.wire.status import ErrorReason
from tests.support.arena import Arena

ALICE = BotRow("alice", "Alice", "alice", token_hash("alices"), datetime(2026, 1, 1, tzinfo=UTC))
SHUT = BotRow(
    "mallory", "M", "m", token_hash("mallorys"), datetime(2026, 1, 1, tzinfo=UTC), disabled=True
)


class Metadata:
    """What a client sent."""

    def __init__(self, *pairs: tuple[str, str | bytes]) -> None:
        self._pairs = pairs

    def invocation_metadata(self) -> tuple[tuple[str, str | bytes], ...]:
        return self._pairs


def bearing(token: str) -> Metadata:
    return Metadata(("user-agent", "test"), ("authorization", f"Bearer {token}"))


@pytest.fixture
def authenticator() -> Authenticator:
    return Authenticator((ALICE, SHUT), token_hash("organizers"))


def test_a_call_without_a_token_is_anybodys(authenticator: Authenticator) -> None:
    assert authenticator.caller(Metadata()) == Caller(Role.ANYBODY)


def test_the_organizers_token_is_the_organizers(authenticator: Authenticator) -> None:
    caller = authenticator.caller(bearing("organizers"))

    assert caller.is_organizer
    assert caller.name == "organizer"


def test_a_bots_token_is_that_bots(authenticator: Authenticator) -> None:
    caller = authenticator.caller(bearing("alices"))

    assert caller == Caller(Role.BOT, ALICE)
    assert caller.name == "bot:alice"
    assert authenticator.bot(bearing("alices")) == ALICE


def test_the_word_bearer_may_be_written_in_any_case(authenticator: Authenticator) -> None:
    caller = authenticator.caller(Metadata(("authorization", "bearer alices")))

    assert caller.bot == ALICE


def test_a_token_that_is_nobodys_is_refused_and_not_taken_for_anybody(
    authenticator: Authenticator,
) -> None:
    with pytest.raises(Unauthenticated) as refused:
        authenticator.caller(bearing("nobodys"))

    assert refused.value.reason is ErrorReason.UNAUTHENTICATED_TOKEN
    assert "nobodys" not in refused.value.message.replace("nobody's", "")


def test_a_bot_that_is_shut_out_is_refused(authenticator: Authenticator) -> None:
    with pytest.raises(PermissionDenied) as refused:
        authenticator.caller(bearing("mallorys"))

    assert refused.value.reason is ErrorReason.BOT_DISABLED
    assert refused.value.metadata == {"bot_id": "mallory"}


@pytest.mark.parametrize("value", ["", "alices", "Basic alices", "Bearer", "Bearer  "])
def test_an_authorization_of_another_form_is_refused(
    authenticator: Authenticator, value: str
) -> None:
    with pytest.raises(Unauthenticated) as refused:
        authenticator.caller(Metadata(("authorization", value)))

    assert refused.value.reason is ErrorReason.UNAUTHENTICATED_NO_TOKEN


@pytest.mark.parametrize(
    ("caller", "organizers", "alices"),
    [
        (Caller(Role.ANYBODY), Unauthenticated, Unauthenticated),
        (Caller(Role.BOT, SHUT), PermissionDenied, PermissionDenied),
        (Caller(Role.BOT, ALICE), PermissionDenied, None),
        (Caller(Role.ORGANIZER), None, None),
    ],
)
def test_what_a_caller_may_do(
    caller: Caller,
    organizers: type[KitumaijaError] | None,
    alices: type[KitumaijaError] | None,
) -> None:
    for needed, refusal in (
        (caller.need_organizer, organizers),
        (lambda: caller.need_bot_or_organizer("alice"), alices),
    ):
        if refusal is None:
            needed()
        else:
            with pytest.raises(refusal):
                needed()


def test_a_token_that_was_replaced_opens_nothing_any_more(authenticator: Authenticator) -> None:
    anew = replace(ALICE, token_hash=token_hash("alices second"))

    authenticator.learn(anew)

    assert authenticator.bot(bearing("alices second")) == anew
    with pytest.raises(Unauthenticated):
        authenticator.bot(bearing("alices"))


def test_a_bot_that_was_shut_out_is_refused_from_then_on(authenticator: Authenticator) -> None:
    authenticator.learn(replace(ALICE, disabled=True))

    with pytest.raises(PermissionDenied, match="alice"):
        authenticator.bot(bearing("alices"))


def test_a_token_that_is_nobodys_may_become_somebodys() -> None:
    authenticator = Authenticator([], token_hash("organizers"))
    with pytest.raises(Unauthenticated):
        authenticator.bot(bearing("alices"))

    authenticator.learn(ALICE)

    assert authenticator.bot(bearing("alices")) == ALICE


async def test_a_stream_with_a_wrong_token_is_refused(arena: Arena) -> None:
    code, reason, _, _ = await arena.dial_with("nobodys").end()

    assert (code, reason) == (
        grpc.StatusCode.UNAUTHENTICATED,
        ErrorReason.UNAUTHENTICATED_TOKEN,
    )


async def test_a_stream_without_a_token_is_refused(arena: Arena) -> None:
    code, reason, _, _ = await arena.dial_with(None).end()

    assert (code, reason) == (
        grpc.StatusCode.UNAUTHENTICATED,
        ErrorReason.UNAUTHENTICATED_NO_TOKEN,
    )


async def test_the_organizer_has_no_stream(arena: Arena) -> None:
    token = arena.app.settings.organizer_token_file.read_text().strip()

    code, reason, metadata, _ = await arena.dial_with(token).end()

    assert (code, reason) == (grpc.StatusCode.PERMISSION_DENIED, ErrorReason.PERMISSION_DENIED)
    assert metadata == {"needed": "bot"}
