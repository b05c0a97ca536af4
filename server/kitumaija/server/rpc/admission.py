"""The interceptor at the door: lets a call in or refuses it, by the table of `roles.py`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import grpc
import grpc.aio

from kitumaija.server.errors import KitumaijaError, PermissionDenied
from kitumaija.server.rpc.auth import Authenticator, Caller
from kitumaija.server.rpc.handlers import Handler, with_behaviour
from kitumaija.server.rpc.roles import ACCESS, Access
from kitumaija.wire.status import ErrorReason

_Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


class Admission(grpc.aio.ServerInterceptor):
    """Refuses whoever may not call a method, before anything of the request is looked at.

    Belongs inside what turns errors into statuses (`interceptor.Guard`): a refusal is raised where
    the method would have run.
    """

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Return the handler, or one that refuses; None, which is UNIMPLEMENTED, where none is."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        access = ACCESS.get(handler_call_details.method)
        try:
            if access is None:
                raise _unlisted(handler_call_details.method)
            caller = self._authenticator.caller(_Metadata(handler_call_details))
            _let_in(caller, access)
        except KitumaijaError as error:
            return with_behaviour(handler, _refusing(error), read=_unread)
        if access is Access.OWN_BOT:
            return with_behaviour(handler, _for_its_own(handler.unary_unary, caller))
        return handler


@dataclass(frozen=True, slots=True)
class _Metadata:
    """The metadata of a call that has no context yet."""

    details: grpc.HandlerCallDetails

    def invocation_metadata(self) -> Iterable[tuple[str, str | bytes]] | None:
        return self.details.invocation_metadata


def _let_in(caller: Caller, access: Access) -> None:
    """Raise for a caller whom a method does not let in, as far as the token alone tells."""
    match access:
        case Access.ANYBODY | Access.INVITED:
            return
        case Access.BOT:
            caller.need_bot()
        case Access.BOT_OR_ORGANIZER | Access.TOKEN | Access.OWN_BOT:
            caller.need_token()
        case Access.ORGANIZER:
            caller.need_organizer()


def _for_its_own(behaviour: Any, caller: Caller) -> Any:
    async def call(request: Any, context: _Context) -> Any:
        caller.need_bot_or_organizer(request.bot_id)
        return await behaviour(request, context)

    return call


def _refusing(error: KitumaijaError) -> Any:
    """Return a behaviour that raises; as a coroutine it does for a streamed answer too."""

    async def call(_: Any, __: _Context) -> Any:
        raise error

    return call


def _unread(_: bytes) -> None:
    """Stand for a request of somebody who is refused: to parse it may be work."""


def _unlisted(method: str) -> PermissionDenied:
    return PermissionDenied(
        ErrorReason.PERMISSION_DENIED,
        f"nobody may call {method} on this server",
        {"needed": "nobody"},
    )
