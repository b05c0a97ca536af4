"""Who is calling: bearer tokens and whose they are.

A call carries `authorization: Bearer <token>`. Which method lets in whom stands in `roles.py`.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from kitumaija.server.errors import PermissionDenied, Unauthenticated
from kitumaija.server.ids import token_hash
from kitumaija.server.store.rows import BotRow
from kitumaija.wire.status import ErrorReason


class Role(Enum):
    """What a caller is."""

    ANYBODY = "anybody"
    BOT = "bot"
    ORGANIZER = "organizer"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a call; `bot` is set for a bot's token."""

    role: Role
    bot: BotRow | None = None

    @property
    def name(self) -> str:
        """The caller's name in the audit log: `organizer`, `bot:ID` or `anybody`."""
        return f"bot:{self.bot.bot_id}" if self.bot is not None else self.role.value

    @property
    def is_organizer(self) -> bool:
        """Whether this is the organizer."""
        return self.role is Role.ORGANIZER

    def need_token(self) -> None:
        """Raise unless this is a bot or the organizer."""
        if self.role is Role.ANYBODY:
            raise _no_token("a bot's token or the organizer's")

    def need_bot(self) -> BotRow:
        """Return the bot that this is; raise for anybody else."""
        if self.bot is not None:
            return self.bot
        if self.is_organizer:
            raise PermissionDenied(
                ErrorReason.PERMISSION_DENIED,
                "a stream is opened with a bot's token, not with the organizer's: register a bot",
                {"needed": "bot"},
            )
        raise _no_token("a bot's token")

    def need_organizer(self) -> None:
        """Raise unless this is the organizer."""
        if self.is_organizer:
            return
        if self.role is Role.ANYBODY:
            raise _no_token("the organizer's token")
        raise PermissionDenied(
            ErrorReason.PERMISSION_DENIED,
            f"this takes the organizer's token, and {self.name} called",
            {"needed": "organizer"},
        )

    def need_bot_or_organizer(self, bot_id: str) -> None:
        """Raise unless this is the bot itself or the organizer."""
        if self.is_organizer or (self.bot is not None and self.bot.bot_id == bot_id):
            return
        if self.role is Role.ANYBODY:
            raise _no_token(f"the token of bot {bot_id!r} or the organizer's")
        raise PermissionDenied(
            ErrorReason.PERMISSION_DENIED,
            f"this takes the token of bot {bot_id!r} or the organizer's, and {self.name} called",
            {"needed": f"bot:{bot_id}"},
        )


class CallMetadata(Protocol):
    """What is asked of a gRPC context here."""

    def invocation_metadata(self) -> Iterable[tuple[str, str | bytes]] | None:
        """Return the metadata that the client sent."""
        ...


class Authenticator:
    """Finds the caller of a call.

    `bots` are all that are registered, and `organizer_hash` is the hash of the organizer's token.
    The bots are kept here, one small row each: neither thousands who come back at once nor whoever
    makes up tokens keeps the event loop at the store. Whoever changes a bot says so to `learn`.
    """

    def __init__(self, bots: Iterable[BotRow], organizer_hash: bytes) -> None:
        self._organizer_hash = organizer_hash
        self._bots = {bot.token_hash: bot for bot in bots}
        self._hashes = {bot.bot_id: bot.token_hash for bot in self._bots.values()}

    def learn(self, bot: BotRow) -> None:
        """Take a bot as it is now; the token that it had before opens nothing any more.

        To be called when that is committed, before anything else can happen.
        """
        self._bots.pop(self._hashes.get(bot.bot_id, b""), None)
        self._bots[bot.token_hash] = bot
        self._hashes[bot.bot_id] = bot.token_hash

    def caller(self, context: CallMetadata) -> Caller:
        """Return the caller; no token is anybody.

        Raises `Unauthenticated` for a token that is nobody's, `PermissionDenied` for that of a bot
        that is shut out.
        """
        token = _bearer(context)
        if token is None:
            return Caller(Role.ANYBODY)
        digest = token_hash(token)
        if hmac.compare_digest(digest, self._organizer_hash):
            return Caller(Role.ORGANIZER)
        bot = self._bots.get(digest)
        if bot is None:
            raise Unauthenticated(
                ErrorReason.UNAUTHENTICATED_TOKEN,
                "this token is nobody's: it is mistyped, or a newer one replaced it; ask the "
                "organizer for the bot's token",
            )
        if bot.disabled:
            raise PermissionDenied(
                ErrorReason.BOT_DISABLED,
                f"bot {bot.bot_id!r} is shut out by the organizer",
                {"bot_id": bot.bot_id},
            )
        return Caller(Role.BOT, bot)

    def bot(self, context: CallMetadata) -> BotRow:
        """Return the bot that calls; raises as `caller` does, and for anybody else."""
        return self.caller(context).need_bot()


def _bearer(context: CallMetadata) -> str | None:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str):
            scheme, _, token = value.partition(" ")
            if scheme.lower() != "bearer" or not token.strip():
                raise Unauthenticated(
                    ErrorReason.UNAUTHENTICATED_NO_TOKEN,
                    "the metadata `authorization` has to be `Bearer` and the token",
                )
            return token.strip()
    return None


def _no_token(what: str) -> Unauthenticated:
    return Unauthenticated(
        ErrorReason.UNAUTHENTICATED_NO_TOKEN,
        f"this takes {what}, as metadata `authorization: Bearer <token>`",
    )
