"""Steps about the beginning of a stream, and about Pings."""

from __future__ import annotations

from typing import Final

from kitumaija.sdk.check.exam import Exam
from kitumaija.sdk.check.step import Failed, Step
from kitumaija.v1 import arena_pb2
from kitumaija.wire.kinds import Kind

_CAPACITY_MAX: Final = 10_000


def ping(nonce: int) -> arena_pb2.ServerMessage:
    """Return a Ping."""
    return arena_pb2.ServerMessage(ping=arena_pb2.Ping(nonce=nonce))


async def hear_pong(exam: Exam, nonce: int) -> None:
    """Hear the Pong of a Ping that was just said. Raises `Failed` for any other number."""
    within = exam.times.patience
    wanted = f"a Pong with nonce {nonce} within {within:g} s"
    heard = await exam.stream.hear(Kind.PONG, within, wanted=wanted)
    if heard.said.nonce != nonce:
        raise Failed(wanted, f"a Pong with nonce {heard.said.nonce}")


async def _hello(exam: Exam) -> None:
    await exam.here()
    # A second Hello, or anything else that may not be said, would come now.
    await exam.quiet(Kind.HELLO, wanted="one Hello on a stream")


async def _token(exam: Exam) -> None:
    stream = await exam.here()
    wanted = "the metadata `authorization: Bearer TOKEN` with the token that the bot was given"
    shown = stream.line.authorization
    if not shown:
        raise Failed(wanted, "no such metadata")
    if not shown.startswith("Bearer "):
        raise Failed(wanted, "an authorization that does not begin with `Bearer `")
    if stream.line.token != exam.door.token:
        raise Failed(wanted, "another token")


async def _introduction(exam: Exam) -> None:
    await exam.here()
    for name in ("sdk", "language"):
        if not getattr(exam.hello, name):
            raise Failed(f"Hello.{name}, which tells who wrote the client", "an empty text")
    if exam.hello.capacity > _CAPACITY_MAX:
        raise Failed(
            f"a capacity that can be meant, at most {_CAPACITY_MAX} matches at once",
            f"{exam.hello.capacity}",
        )
    if exam.hello.match_ids:
        raise Failed(
            "no match_ids in the Hello of a bot that plays no match yet",
            ", ".join(exam.hello.match_ids),
        )


async def _ping(exam: Exam) -> None:
    stream = await exam.here()
    for nonce in (7, 0, 2**40 - 1):
        await stream.say(ping(nonce))
        await hear_pong(exam, nonce)


async def _pings(exam: Exam) -> None:
    stream = await exam.here()
    await stream.say(*(ping(nonce) for nonce in range(1, 6)))
    for nonce in range(1, 6):
        await hear_pong(exam, nonce)


STEPS: Final = (
    Step(
        "hello",
        "It opens its stream with Hello, and says it once.",
        _hello,
        "The stream",
        "Say Hello before anything else on each new stream, and nowhere else.",
    ),
    Step(
        "token",
        "It shows its token in the metadata of the call.",
        _token,
        "The stream",
        "Send KITUMAIJA_TOKEN as the metadata `authorization`, with `Bearer ` before it.",
    ),
    Step(
        "introduction",
        "Hello tells its client, its language and a capacity that can be meant, and no match yet.",
        _introduction,
        "What the bot says",
        "Fill Hello's fields as arena.proto explains them; match_ids are those of earlier streams.",
    ),
    Step(
        "ping",
        "It answers each Ping at once with a Pong of the same number.",
        _ping,
        "What the server says",
        "Send Pong with the Ping's nonce as soon as the Ping is read.",
    ),
    Step(
        "pings",
        "It answers several Pings in one frame, each of them, in order.",
        _pings,
        "The stream",
        "Go through all messages of a frame, in order: a frame may hold many.",
    ),
)
