"""`BotService`: the registered bots and their tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc.aio

from kitumaija.server.errors import (
    AlreadyExists,
    KitumaijaError,
    NotFound,
    PermissionDenied,
    Unauthenticated,
)
from kitumaija.server.ids import random_id, random_token, token_hash
from kitumaija.server.rpc.auth import Authenticator, Caller
from kitumaija.server.rpc.fields import checked_id, checked_length
from kitumaija.server.rpc.invitations import Invitations
from kitumaija.server.rpc.paging import page_size
from kitumaija.server.rpc.requests import Request
from kitumaija.server.rpc.tournament_messages import timestamp
from kitumaija.server.settings import ServerSettings
from kitumaija.server.store import audit, bots
from kitumaija.server.store.errors import AlreadyStored
from kitumaija.server.store.rows import AuditRow, BotRow
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament.context import Context
from kitumaija.server.tournament.errands import Errands
from kitumaija.v1 import bot_pb2 as v1
from kitumaija.v1 import bot_pb2_grpc
from kitumaija.wire.limits import DISPLAY_NAME_CHARS_MAX, OWNER_CHARS_MAX
from kitumaija.wire.status import ErrorReason

Call = grpc.aio.ServicerContext[Any, Any]


class BotService(bot_pb2_grpc.BotServiceServicer):
    """Registers bots, renews their tokens, shuts them out."""

    def __init__(
        self, context: Context, authenticator: Authenticator, settings: ServerSettings
    ) -> None:
        self._context = context
        self._authenticator = authenticator
        self._errands = Errands()
        self._invitations = Invitations(settings)

    async def RegisterBot(
        self, request: v1.RegisterBotRequest, context: Call
    ) -> v1.RegisterBotResponse:
        """Register a bot and make its token."""
        caller = self._authenticator.caller(context)
        bot_id = request.bot_id or f"b-{random_id(self._context.token_bytes)}"
        owner = checked_length("owner", request.owner, OWNER_CHARS_MAX) or bot_id
        if not caller.is_organizer:
            owner = self._invitations.owner(request.invite_code, request.owner, bot_id)
        token = random_token(self._context.token_bytes)
        row = BotRow(
            bot_id=checked_id("bot_id", bot_id),
            display_name=checked_length(
                "display_name", request.display_name, DISPLAY_NAME_CHARS_MAX
            )
            or bot_id,
            owner=owner,
            token_hash=token_hash(token),
            created_at=self._context.wall(),
        )

        def answer(tx: WriteTx) -> v1.RegisterBotResponse:
            return v1.RegisterBotResponse(bot=self._stored_message(tx, bot_id), token=token)

        once = Request(
            request,
            caller,
            "RegisterBot",
            kind=v1.RegisterBotResponse,
            answer=answer,
            kept=lambda whole: v1.RegisterBotResponse(bot=whole.bot),
        )

        def work(tx: WriteTx) -> bool:
            def register() -> None:
                try:
                    bots.add(tx, row)
                except AlreadyStored:
                    raise _exists(bot_id) from None
                self._note(tx, caller, "register", bot_id)

            return once(tx, register)

        async def let_in() -> None:
            if await self._context.write(work):
                self._authenticator.learn(row)

        await self._errands.do(let_in())
        return once.answer

    async def RotateToken(
        self, request: v1.RotateTokenRequest, context: Call
    ) -> v1.RotateTokenResponse:
        """Make a new token; the old one is void at once and its stream is closed."""
        caller = self._authenticator.caller(context)
        token = random_token(self._context.token_bytes)

        def work(tx: WriteTx) -> BotRow:
            _stored(tx, request.bot_id)
            bots.set_token(tx, request.bot_id, token_hash(token))
            self._note(tx, caller, "rotate_token", request.bot_id)
            return _stored(tx, request.bot_id)

        replaced = Unauthenticated(
            ErrorReason.UNAUTHENTICATED_TOKEN,
            "this token was replaced by a newer one: come back with that",
        )

        async def rotate() -> None:
            self._shut_out(await self._context.write(work), replaced)

        await self._errands.do(rotate())
        return v1.RotateTokenResponse(token=token)

    async def GetBot(self, request: v1.GetBotRequest, context: Call) -> v1.GetBotResponse:
        """Return one bot."""
        message = await self._context.read(lambda tx: self._stored_message(tx, request.bot_id))
        return v1.GetBotResponse(bot=message)

    async def ListBots(self, request: v1.ListBotsRequest, context: Call) -> v1.ListBotsResponse:
        """Return a page of bots, by id."""
        size = page_size(request.page_size)
        page = await self._context.read(
            lambda tx: bots.page(tx, size=size, token=request.page_token)
        )
        return v1.ListBotsResponse(
            bots=[bot_message(row, self._context.presence.connected) for row in page.rows],
            next_page_token=page.next_token,
        )

    async def DisableBot(
        self, request: v1.DisableBotRequest, context: Call
    ) -> v1.DisableBotResponse:
        """Shut a bot out: its token opens nothing any more, its stream is closed."""
        caller = self._authenticator.caller(context)

        def answer(tx: WriteTx) -> v1.DisableBotResponse:
            return v1.DisableBotResponse(bot=self._stored_message(tx, request.bot_id))

        once = Request(request, caller, "DisableBot", kind=v1.DisableBotResponse, answer=answer)

        def work(tx: WriteTx) -> BotRow | None:
            def disable() -> None:
                _stored(tx, request.bot_id)
                bots.set_disabled(tx, request.bot_id, disabled=True)
                self._note(tx, caller, "disable", request.bot_id)

            return _stored(tx, request.bot_id) if once(tx, disable) else None

        disabled = PermissionDenied(
            ErrorReason.BOT_DISABLED,
            f"bot {request.bot_id!r} is shut out by the organizer",
            {"bot_id": request.bot_id},
        )

        async def shut_out() -> None:
            if (bot := await self._context.write(work)) is not None:
                self._shut_out(bot, disabled)

        await self._errands.do(shut_out())
        return once.answer

    def _shut_out(self, bot: BotRow, error: KitumaijaError) -> None:
        """Let what was committed of a bot hold at once, whether or not the caller is still there:
        its old token opens nothing any more, and the stream that it opened ends."""
        self._authenticator.learn(bot)
        self._context.presence.shut_out(bot.bot_id, error)

    def _stored_message(self, tx: ReadTx, bot_id: str) -> v1.RegisteredBot:
        return bot_message(_stored(tx, bot_id), self._context.presence.connected)

    def _note(self, tx: WriteTx, caller: Caller, action: str, bot_id: str) -> None:
        now = self._context.wall()
        audit.add(tx, AuditRow(at=now, actor=caller.name, action=action, subject=bot_id))


def bot_message(row: BotRow, connected: Callable[[str], bool]) -> v1.RegisteredBot:
    """Return a bot."""
    return v1.RegisteredBot(
        bot_id=row.bot_id,
        display_name=row.display_name,
        owner=row.owner,
        created_at=timestamp(row.created_at),
        disabled=row.disabled,
        connected=connected(row.bot_id),
    )


def _stored(tx: ReadTx, bot_id: str) -> BotRow:
    row = bots.get(tx, bot_id)
    if row is None:
        raise NotFound(
            ErrorReason.NOT_FOUND_BOT,
            f"there is no bot {bot_id!r}; list the bots to see which there are",
            {"bot_id": bot_id},
        )
    return row


def _exists(bot_id: str) -> AlreadyExists:
    return AlreadyExists(
        ErrorReason.ALREADY_EXISTS_BOT,
        f"there is a bot {bot_id!r} already, and ids are never given twice; choose another id",
        {"bot_id": bot_id},
    )
