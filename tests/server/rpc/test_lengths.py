"""How long texts and pages may be: at the limit and above it, over a socket."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest

from kitumaija.server.rpc.paging import page_size
from kitumaija.v1 import bot_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.limits import (
    DISPLAY_NAME_CHARS_MAX,
    ID_CHARS_MAX,
    OWNER_CHARS_MAX,
    PAGE_SIZE_MAX,
    REASON_CHARS_MAX,
    REQUEST_ID_CHARS_MAX,
    TEXT_CHARS_MAX,
    TITLE_CHARS_MAX,
    UNSAFE_SEED_CHARS_MAX,
)
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused

Made = Callable[[str], Any]
Registered, Created = bot_pb2.RegisterBotRequest, v1.CreateTournamentRequest

TEXTS: dict[str, tuple[int, str, Made]] = {
    "bot_id": (ID_CHARS_MAX, "RegisterBot", lambda text: Registered(bot_id=text)),
    "display_name": (
        DISPLAY_NAME_CHARS_MAX,
        "RegisterBot",
        lambda text: Registered(display_name=text),
    ),
    "owner": (OWNER_CHARS_MAX, "RegisterBot", lambda text: Registered(owner=text)),
    "request_id": (REQUEST_ID_CHARS_MAX, "RegisterBot", lambda text: Registered(request_id=text)),
    "tournament_id": (
        ID_CHARS_MAX,
        "CreateTournament",
        lambda text: Created(tournament_id=text),
    ),
    "title": (TITLE_CHARS_MAX, "CreateTournament", lambda text: Created(title=text)),
    "unsafe_seed": (
        UNSAFE_SEED_CHARS_MAX,
        "CreateTournament",
        lambda text: Created(settings=v1.TournamentSettings(unsafe_seed=text)),
    ),
    "reason": (
        REASON_CHARS_MAX,
        "CancelTournament",
        lambda text: v1.CancelTournamentRequest(tournament_id="cup", reason=text),
    ),
}


async def call(organizer: Organizer, method: str, request: Any) -> Any:
    services = (organizer.registry, organizer.tournaments)
    stub = next(service for service in services if hasattr(service, method))
    return await organizer.call(getattr(stub, method), request)


@pytest.mark.parametrize("field", TEXTS)
@pytest.mark.parametrize("letter", ["a", "\U0001f0a1"])
async def test_a_text_may_be_as_long_as_its_limit_and_no_longer(
    organizer: Organizer, field: str, letter: str
) -> None:
    most, method, made = TEXTS[field]
    if letter == "a" or not field.endswith("_id") or field == "request_id":
        await organizer.create()
        await call(organizer, method, made(letter * (most - 1)))
        if method != "CancelTournament":
            await call(organizer, method, made(letter * most))

    with pytest.raises(Refused) as refused:
        await call(organizer, method, made(letter * (most + 1)))
    assert refused.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.value.reason is ErrorReason.INVALID_ARGUMENT_FIELD
    assert refused.value.metadata["field"] == field


@pytest.mark.parametrize("size", [PAGE_SIZE_MAX - 1, PAGE_SIZE_MAX, PAGE_SIZE_MAX + 1, 2**31 - 1])
def test_a_page_is_as_large_as_asked_and_never_larger_than_the_limit(size: int) -> None:
    assert page_size(size) == min(size, PAGE_SIZE_MAX)


@pytest.mark.parametrize("size", [TEXT_CHARS_MAX, TEXT_CHARS_MAX + 1, 60_000])
@pytest.mark.parametrize("letter", ["a", "\U0001f0a1"])
async def test_an_id_of_any_length_gets_a_status_that_a_client_can_read(
    organizer: Organizer, size: int, letter: str
) -> None:
    request = bot_pb2.GetBotRequest(bot_id=letter * size)
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.registry.GetBot, request)

    wanted = (
        ErrorReason.NOT_FOUND_BOT if size <= TEXT_CHARS_MAX else ErrorReason.INVALID_ARGUMENT_FIELD
    )
    assert refused.value.reason is wanted
    assert len(refused.value.message.encode()) <= 1_000
