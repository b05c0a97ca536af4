"""Every method of a real server is called by everybody who could call it.

What each of them is told is written down here once more, by hand: the table that the server goes
by is compared with what it does, and with what is printed of it for people.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor import MethodDescriptor
from grpc_health.v1 import health_pb2  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import (  # type: ignore[import-untyped]
    reflection_pb2,
    reflection_pb2_grpc,
)

from kitumaija.server.errors import PermissionDenied
from kitumaija.server.rpc.admission import Admission
from kitumaija.server.rpc.auth import Authenticator
from kitumaija.server.rpc.roles import ACCESS, Access
from kitumaija.v1 import bot_pb2
from kitumaija.wire.status import ErrorReason, reason_of
from tests.support.clock import ms
from tests.support.organizer import Organizer, Refused
from tests.support.raw_bot import PATIENCE

DOCS = Path(__file__).parents[3] / "server" / "docs" / "access.md"

NO_TOKEN = ErrorReason.UNAUTHENTICATED_NO_TOKEN
WRONG_TOKEN = ErrorReason.UNAUTHENTICATED_TOKEN
DENIED = ErrorReason.PERMISSION_DENIED
DISABLED = ErrorReason.BOT_DISABLED
CLOSED = ErrorReason.REGISTRATION_CLOSED
LET_IN = None

CALLERS = ("nobody", "the bot", "another bot", "the organizer")
EXPECTED = {
    Access.ANYBODY: (LET_IN, LET_IN, LET_IN, LET_IN),
    # Registration is not open on this server.
    Access.INVITED: (CLOSED, CLOSED, CLOSED, LET_IN),
    Access.BOT: (NO_TOKEN, LET_IN, LET_IN, DENIED),
    Access.BOT_OR_ORGANIZER: (NO_TOKEN, LET_IN, LET_IN, LET_IN),
    Access.TOKEN: (NO_TOKEN, LET_IN, LET_IN, LET_IN),
    Access.OWN_BOT: (NO_TOKEN, LET_IN, DENIED, LET_IN),
    Access.ORGANIZER: (NO_TOKEN, DENIED, DENIED, LET_IN),
}
"""What keeps the callers out of a method, in the order of CALLERS."""

ABOUT_THE_CALLER = {NO_TOKEN, WRONG_TOKEN, DENIED, DISABLED, CLOSED}


@dataclass
class Cast:
    """Everybody who calls, by their tokens; the requests are about the bot `bot_id`."""

    organizer: Organizer
    bot_id: str
    tokens: dict[str, str | None]

    @classmethod
    async def of(cls, organizer: Organizer, number: int) -> Cast:
        """Register a bot that the requests name, another one and one that is shut out."""
        # So many calls from one address are taken in so much time and no less.
        organizer.clock.advance(ms(60_000))
        own, other, shut = (f"{name}-{number}" for name in ("own", "other", "shut"))
        await organizer.register(own, other, shut)
        replaced = organizer.tokens[other]
        rotate = bot_pb2.RotateTokenRequest(bot_id=other)
        renewed = await organizer.call(organizer.registry.RotateToken, rotate)
        disable = bot_pb2.DisableBotRequest(bot_id=shut)
        await organizer.call(organizer.registry.DisableBot, disable)
        return cls(
            organizer,
            own,
            {
                "nobody": None,
                "the bot": organizer.tokens[own],
                "another bot": renewed.token,
                "the organizer": organizer.token,
                "a disabled bot": organizer.tokens[shut],
                "a token that is nobody's": "x" * 43,
                "a token that was replaced": replaced,
            },
        )

    async def kept_out_by(self, method: MethodDescriptor, caller: str) -> ErrorReason | None:
        """Call the method; return what is said of the caller, None if he is let in."""
        token = self.tokens[caller]
        metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        async with grpc.aio.insecure_channel(self.organizer.app.address) as channel:
            try:
                async with asyncio.timeout(PATIENCE):
                    await _call(channel, method, self._request(method), metadata)
            except grpc.aio.AioRpcError as error:
                refused = error
            else:
                return None
        assert refused.code() not in {
            grpc.StatusCode.UNIMPLEMENTED,
            grpc.StatusCode.RESOURCE_EXHAUSTED,
        }
        found = reason_of(refused)
        return found[0] if found and found[0] in ABOUT_THE_CALLER else None

    def _request(self, method: MethodDescriptor) -> Any:
        """Return a request that names the bot where it names one, and nothing that there is."""
        request = message_factory.GetMessageClass(method.input_type)()
        for field in ("tournament_id", "match_id"):
            if field in method.input_type.fields_by_name:
                setattr(request, field, "nowhere")
        if method.name != "RegisterBot" and "bot_id" in method.input_type.fields_by_name:
            setattr(request, "bot_id", self.bot_id)  # noqa: B010 - its type is known to nobody
        return request


async def _call(channel: Any, method: MethodDescriptor, request: Any, metadata: Any) -> None:
    """Make a call and hear what is said first, or that it is over."""
    kinds = {
        (False, False): channel.unary_unary,
        (False, True): channel.unary_stream,
        (True, True): channel.stream_stream,
    }
    make = kinds[bool(method.client_streaming), bool(method.server_streaming)](
        name_of(method),
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=message_factory.GetMessageClass(method.output_type).FromString,
    )
    if not method.server_streaming:
        await make(request, metadata=metadata)
        return
    if method.client_streaming:
        call = make(metadata=metadata)
        await call.done_writing()
    else:
        call = make(request, metadata=metadata)
    await call.read()
    call.cancel()


def name_of(method: MethodDescriptor) -> str:
    return f"/{method.containing_service.full_name}/{method.name}"


async def methods_of(organizer: Organizer) -> list[MethodDescriptor]:
    """Ask the server itself which services it has, and return all of their methods."""
    channel: Any
    async with grpc.aio.insecure_channel(organizer.app.address) as channel:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
        call = stub.ServerReflectionInfo()
        await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
        listed = (await call.read()).list_services_response.service
        await call.done_writing()
    pool = descriptor_pool.Default()
    services = [pool.FindServiceByName(service.name) for service in listed]
    return [method for service in services for method in service.methods]


async def test_every_method_lets_in_whom_the_table_says_and_nobody_else(
    organizer: Organizer,
) -> None:
    methods = await methods_of(organizer)
    assert {name_of(method) for method in methods} == set(ACCESS)

    for number, method in enumerate(methods):
        cast = await Cast.of(organizer, number)
        # The organizer comes last: what he may do, such as shutting the bot out, he does.
        heard = [await cast.kept_out_by(method, caller) for caller in CALLERS]
        assert tuple(heard) == EXPECTED[ACCESS[name_of(method)]], name_of(method)


async def test_a_token_that_opens_nothing_opens_nothing_that_is_open_to_everybody(
    organizer: Organizer,
) -> None:
    expected = {
        "a disabled bot": DISABLED,
        "a token that is nobody's": WRONG_TOKEN,
        "a token that was replaced": WRONG_TOKEN,
    }
    for number, method in enumerate(await methods_of(organizer)):
        cast = await Cast.of(organizer, number)
        heard = {caller: await cast.kept_out_by(method, caller) for caller in expected}
        assert heard == expected, name_of(method)


async def test_a_method_without_a_row_is_refused_to_the_organizer_too() -> None:
    """A method that somebody adds to a service and forgets here."""

    async def check(request: Any, context: Any) -> Any:
        return health_pb2.HealthCheckResponse()

    handler: Any = grpc.unary_unary_rpc_method_handler(
        check, request_deserializer=health_pb2.HealthCheckRequest.FromString
    )
    admission = Admission(Authenticator([], bytes(32)))

    class Details:
        method = "/kitumaija.v1.BotService/MakeTea"
        invocation_metadata = ()

    async def found(_: Any) -> Any:
        return handler

    refusing: Any = await admission.intercept_service(found, Details())  # type: ignore[arg-type]

    with pytest.raises(PermissionDenied, match="MakeTea"):
        await refusing.unary_unary(health_pb2.HealthCheckRequest(), None)


async def test_one_bot_has_no_token_of_another_made(organizer: Organizer) -> None:
    await organizer.register("alice", "bob")
    request = bot_pb2.RotateTokenRequest(bot_id="alice")

    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.registry.RotateToken, request, token=organizer.tokens["bob"])

    assert refused.value.metadata == {"needed": "bot:alice"}


def rows() -> Iterator[tuple[str, str, str]]:
    lines = iter(DOCS.read_text(encoding="utf-8").splitlines())
    for line in lines:
        if line == "| service | method | who may call it |":
            break
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            return
        service, method, who = (cell.strip().strip("`") for cell in line.strip("|").split("|"))
        yield service, method, who


def test_the_printed_table_is_the_one_that_the_server_goes_by() -> None:
    printed = {f"/{service}/{method}": who for service, method, who in rows()}

    assert printed == {method: access.value for method, access in ACCESS.items()}
