"""`BotService` over a socket."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from kitumaija.server.errors import Unauthenticated
from kitumaija.server.rpc.auth import Authenticator
from kitumaija.server.rpc.bot_service import BotService
from kitumaija.server.store import audit, bots
from kitumaija.v1 import arena_pb2
from kitumaija.v1 import bot_pb2 as v1
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused, organized
from tests.support.raw_bot import RawBot

CODE = "let me in"


async def test_a_bot_is_registered_with_a_token_that_is_shown_once(organizer: Organizer) -> None:
    request = v1.RegisterBotRequest(bot_id="ann", display_name="Änn, the\n1st", request_id="1")
    first = await organizer.call(organizer.registry.RegisterBot, request)
    assert (first.bot.bot_id, first.bot.owner, first.bot.disabled) == ("ann", "ann", False)
    assert first.bot.display_name == "Änn, the\n1st"
    assert len(first.token) >= 43
    again = await organizer.call(organizer.registry.RegisterBot, request)
    assert again.bot == first.bot
    assert again.token == ""
    # The token is good.
    organizer.tokens["ann"] = first.token
    await organizer.connect("ann")
    found = await organizer.call(organizer.registry.GetBot, v1.GetBotRequest(bot_id="ann"))
    assert found.bot.connected


async def test_an_id_is_drawn_where_none_is_wanted_and_never_given_twice(
    organizer: Organizer,
) -> None:
    drawn = await organizer.call(organizer.registry.RegisterBot, v1.RegisterBotRequest())
    assert drawn.bot.bot_id.startswith("b-")
    request = v1.RegisterBotRequest(bot_id=drawn.bot.bot_id)
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.registry.RegisterBot, request)
    assert refused.value.reason is ErrorReason.ALREADY_EXISTS_BOT


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (v1.RegisterBotRequest(bot_id="Ann"), "bot_id"),
        (v1.RegisterBotRequest(bot_id="1st"), "bot_id"),
        (v1.RegisterBotRequest(bot_id="a" * 64), "bot_id"),
        (v1.RegisterBotRequest(display_name="x" * 61), "display_name"),
        (v1.RegisterBotRequest(owner="x" * 61), "owner"),
    ],
)
async def test_what_no_bot_can_be_called_is_refused(
    organizer: Organizer, request_: v1.RegisterBotRequest, field: str
) -> None:
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.registry.RegisterBot, request_)
    assert refused.value.metadata["field"] == field


async def test_nobody_but_the_organizer_registers_where_it_is_not_open(
    organizer: Organizer,
) -> None:
    request = v1.RegisterBotRequest(bot_id="ann", invite_code=CODE)
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.registry.RegisterBot, request, token=None)
    assert refused.value.reason is ErrorReason.REGISTRATION_CLOSED


async def test_an_invite_code_opens_registration(tmp_path: Path) -> None:
    async with organized(tmp_path / "data", open_registration=True, invite_code=CODE) as organizer:
        wrong = v1.RegisterBotRequest(bot_id="ann", invite_code="let me in?")
        with pytest.raises(Refused) as refused:
            await organizer.call(organizer.registry.RegisterBot, wrong, token=None)
        assert refused.value.reason is ErrorReason.INVITE_CODE
        right = v1.RegisterBotRequest(bot_id="ann", invite_code=CODE)
        made = await organizer.call(organizer.registry.RegisterBot, right, token=None)
        assert made.token


async def test_an_invite_code_of_an_owners_own_says_whose_the_bot_is(tmp_path: Path) -> None:
    """So who may enter one bot cannot enter another under another's name."""
    codes = {"Ann": "the code of Ann", "Bob": "the code of Bob"}
    async with organized(
        tmp_path / "data", open_registration=True, invite_code=CODE, invite_codes=codes
    ) as organizer:

        async def register(code: str, owner: str, bot_id: str = "") -> str:
            request = v1.RegisterBotRequest(bot_id=bot_id, invite_code=code, owner=owner)
            made = await organizer.call(organizer.registry.RegisterBot, request, token=None)
            return str(made.bot.owner)

        assert await register(codes["Ann"], "") == "Ann"
        assert await register(codes["Ann"], "Ann") == "Ann"
        assert await register(CODE, "Cem") == "Cem"
        assert await register(CODE, "", "dan") == "dan"
        for code, owner in ((codes["Ann"], "Bob"), (codes["Ann"], "Cem"), (CODE, "Ann"), ("", "")):
            with pytest.raises(Refused) as refused:
                await register(code, owner)
            assert refused.value.reason is ErrorReason.INVITE_CODE


async def test_a_new_token_voids_the_old_one_and_closes_its_stream(organizer: Organizer) -> None:
    await organizer.register("ann", "bob")
    old = organizer.tokens["ann"]
    bot = await organizer.connect("ann")
    request = v1.RotateTokenRequest(bot_id="ann")
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.registry.RotateToken, request, token=organizer.tokens["bob"])
    assert refused.value.reason is ErrorReason.PERMISSION_DENIED

    fresh = (await organizer.call(organizer.registry.RotateToken, request, token=old)).token
    await bot.gone()
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.registry.RotateToken, request, token=old)
    assert refused.value.reason is ErrorReason.UNAUTHENTICATED_TOKEN
    organizer.tokens["ann"] = fresh
    await organizer.connect("ann")


async def test_a_token_replaced_between_dialling_and_hello_opens_nothing(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob")
    async with RawBot(organizer.app.address, organizer.tokens["ann"]) as bot:
        await bot.call.wait_for_connection()
        # Whose stream was opened later was greeted: so the server has looked at the first.
        await organizer.connect("bob")
        await organizer.call(organizer.registry.RotateToken, v1.RotateTokenRequest(bot_id="ann"))

        await bot.say(arena_pb2.BotMessage(hello=arena_pb2.Hello()))

        _, reason, _, _ = await bot.end()
    assert reason is ErrorReason.UNAUTHENTICATED_TOKEN


class CalledBy:
    """A call with a token, of which nothing more is asked."""

    def __init__(self, token: str) -> None:
        self._token = token

    def invocation_metadata(self) -> tuple[tuple[str, str | bytes], ...]:
        return (("authorization", f"Bearer {self._token}"),)


async def test_a_token_is_void_and_its_stream_closed_though_who_replaced_it_hung_up(
    organizer: Organizer,
) -> None:
    await organizer.register("ann")
    bot = await organizer.connect("ann")
    old: Any = CalledBy(organizer.tokens["ann"])

    with organizer.app.store.read() as tx:
        authenticator = Authenticator(bots.everyone(tx), bytes(32))
    service = BotService(organizer.director.context, authenticator, organizer.app.settings)
    calling = asyncio.create_task(service.RotateToken(v1.RotateTokenRequest(bot_id="ann"), old))
    await asyncio.sleep(0)
    calling.cancel()

    await bot.gone()
    with pytest.raises(Unauthenticated):
        authenticator.bot(old)


async def test_a_bot_that_is_shut_out_is_out_at_once(organizer: Organizer) -> None:
    await organizer.register("ann")
    bot = await organizer.connect("ann")
    request = v1.DisableBotRequest(bot_id="ann", request_id="1")
    with pytest.raises(Refused):
        await organizer.call(organizer.registry.DisableBot, request, token=organizer.tokens["ann"])
    first = await organizer.call(organizer.registry.DisableBot, request)
    assert first.bot.disabled
    assert await organizer.call(organizer.registry.DisableBot, request) == first
    await bot.gone()
    with pytest.raises(Refused) as refused:
        await organizer.call(
            organizer.registry.ListBots, v1.ListBotsRequest(), token=organizer.tokens["ann"]
        )
    assert refused.value.reason is ErrorReason.BOT_DISABLED
    assert refused.value.code is grpc.StatusCode.PERMISSION_DENIED


async def test_bots_are_listed_by_id_page_by_page_to_everybody(organizer: Organizer) -> None:
    names = [f"bot-{number}" for number in range(7)]
    await organizer.register(*reversed(names))
    found: list[str] = []
    token = ""
    while len(found) < 7:
        request = v1.ListBotsRequest(page_size=3, page_token=token)
        page = await organizer.call(organizer.registry.ListBots, request, token=None)
        found += [bot.bot_id for bot in page.bots]
        token = page.next_page_token
    assert found == names
    assert token == ""


async def test_a_bot_that_is_not_there_is_not_found(organizer: Organizer) -> None:
    for method, request in (
        (organizer.registry.GetBot, v1.GetBotRequest(bot_id="no")),
        (organizer.registry.RotateToken, v1.RotateTokenRequest(bot_id="no")),
        (organizer.registry.DisableBot, v1.DisableBotRequest(bot_id="no")),
    ):
        with pytest.raises(Refused) as refused:
            await organizer.call(method, request)
        assert refused.value.reason is ErrorReason.NOT_FOUND_BOT


async def test_what_is_done_to_bots_is_audited(organizer: Organizer) -> None:
    await organizer.register("ann")
    await organizer.call(organizer.registry.RotateToken, v1.RotateTokenRequest(bot_id="ann"))
    await organizer.call(organizer.registry.DisableBot, v1.DisableBotRequest(bot_id="ann"))
    with organizer.app.store.read() as tx:
        log = audit.page(tx, size=10).rows
    assert [(row.actor, row.action, row.subject) for row in reversed(log)] == [
        ("organizer", "register", "ann"),
        ("organizer", "rotate_token", "ann"),
        ("organizer", "disable", "ann"),
    ]
