"""Steps about frames, links that are slow, and streams that the server ends in peace."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from kitumaija.sdk.check.exam import Exam
from kitumaija.sdk.check.step import Life, Skipped, Step
from kitumaija.sdk.check.steps.greeting import hear_pong, ping
from kitumaija.sdk.check.steps.unknown import with_unknown
from kitumaija.sdk.client.settings import Address
from kitumaija.sdk.testing.hostile.frozen import FreezingPath
from kitumaija.v1 import arena_pb2
from kitumaija.wire.times import duration_to_message

BIG_BYTES: Final = 1 << 20
"""The size of a big frame: a server sends one for a message that is as large alone."""

PIECE: Final = 60
PAUSE: Final = 0.02
"""What a slow link carries at once, in bytes, and how long it waits after it, in seconds."""


async def _together(exam: Exam) -> None:
    """All that can be said at once is, and the other way round."""
    await exam.here()
    table = exam.table()
    await table.offer()
    table.referee.proceed()
    await exam.stream.say(table.referee.seating(), ping(1), table.question(), ping(2))
    await hear_pong(exam, 1)
    await hear_pong(exam, 2)
    while True:
        table.referee.take(await table.answer())
        accepted = table.referee.accepted()
        if not table.referee.proceed():
            break
        await exam.stream.say(accepted, table.question())
    # The end of one match and the offer of the next one are in one frame, too.
    following = exam.table()
    following.started = table.over = True
    await exam.stream.say(accepted, table.referee.end(), following.referee.start())
    await following.ready()


async def _apart(exam: Exam) -> None:
    table = await exam.sit()
    table.referee.proceed()
    await table.ask()
    table.referee.take(await table.answer())
    for nonce in range(1, 4):
        await exam.stream.say(ping(nonce))
        await hear_pong(exam, nonce)
    await exam.stream.say(table.referee.accepted())


async def _big(exam: Exam) -> None:
    table = await exam.sit()
    table.referee.proceed()
    await exam.stream.say(with_unknown(ping(5), size=BIG_BYTES), table.question())
    await hear_pong(exam, 5)
    table.referee.take(await table.answer())
    await exam.stream.say(table.referee.accepted())


async def _drain(exam: Exam) -> None:
    table = await exam.sit()
    table.referee.proceed()
    within = duration_to_message(timedelta(seconds=5))
    await exam.stream.say(arena_pb2.ServerMessage(drain=arena_pb2.Drain(within=within)))
    await table.decide()
    await exam.stream.end()
    await exam.back(table)
    await exam.stream.say(table.referee.sync())
    table.referee.proceed()
    await table.decide()


async def _peaceful(exam: Exam) -> None:
    await exam.here()
    await exam.stream.end()
    await exam.back()
    table = await exam.sit()
    table.referee.proceed()
    await table.decide()


async def _slow_link(exam: Exam) -> None:
    if not exam.starts:
        raise Skipped("the link to a bot that is not started here is not ours to slow down")
    async with FreezingPath(Address.parse(exam.address)) as path:
        await exam.start(f"127.0.0.1:{path.port}")
        await exam.here()
        path.dribble(PIECE, PAUSE)
        table = await exam.sit(seats=5)
        await table.play(decisions=5)
        await exam.abandon()


STEPS: Final = (
    Step(
        "together",
        "It takes many messages in one frame, in their order, about one match and the next.",
        _together,
        "The stream",
        "Go through PlayResponse.messages in order; where a frame ends means nothing.",
    ),
    Step(
        "apart",
        "It takes messages that come one by one.",
        _apart,
        "The stream",
        "Act on each message as it comes; do not wait for a frame to be full.",
    ),
    Step(
        "big-frame",
        "It takes a frame of a megabyte.",
        _big,
        "The stream",
        "Set the largest message that your gRPC receives to its default, 4 MiB, or more.",
    ),
    Step(
        "slow-link",
        "It plays over a slow link, on which a message comes in pieces.",
        _slow_link,
        "The clock",
        "Leave the putting together of messages to gRPC, and give a dial several seconds.",
        life=Life.OWN,
    ),
    Step(
        "drain",
        "After Drain it goes on until the stream ends, and then dials again.",
        _drain,
        "What the server says",
        "Drain wants nothing of you: answer on, and dial again after the end of the stream.",
    ),
    Step(
        "peaceful-end",
        "It dials again after a stream that ended without an error.",
        _peaceful,
        "Errors",
        "An end without an error, and without your Goodbye, is a lost connection: dial again.",
    ),
)
