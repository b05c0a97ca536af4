"""The bot's share in the shuffling: committed to, then revealed, without the author's doing."""

from __future__ import annotations

import hashlib

import pytest

from kitumaija.sdk.client.entropy import EntropyKeeper
from kitumaija.sdk.testing import Line
from kitumaija.v1 import arena_pb2
from kitumaija.wire.kinds import Kind
from tests.support.bots import First
from tests.support.client import playing

COMMIT, REVEAL = arena_pb2.ENTROPY_STEP_COMMIT, arena_pb2.ENTROPY_STEP_REVEAL


def _request(tournament: str, step: arena_pb2.EntropyStep.ValueType) -> arena_pb2.ServerMessage:
    asked = arena_pb2.EntropyRequest(tournament_id=tournament, step=step)
    return arena_pb2.ServerMessage(entropy_request=asked)


async def test_the_revealed_value_is_the_one_committed_to_and_each_tournament_has_its_own() -> None:
    values: dict[str, bytes] = {}

    async def script(line: Line) -> None:
        await line.greet()
        for tournament in ("t1", "t2"):
            await line.say(_request(tournament, COMMIT))
            commitment = await line.hear(Kind.ENTROPY)
            await line.say(_request(tournament, REVEAL))
            revealed = await line.hear(Kind.ENTROPY)
            assert (commitment.step, revealed.step) == (COMMIT, REVEAL)
            assert revealed.tournament_id == tournament
            assert hashlib.sha256(revealed.value).digest() == commitment.value
            values[tournament] = revealed.value

    async with playing(First, script):
        pass

    assert len(set(values.values())) == 2


async def test_it_is_the_same_on_the_next_stream() -> None:
    values: list[bytes] = []

    async def first(line: Line) -> None:
        await line.greet()
        await line.say(_request("t", COMMIT))
        values.append((await line.hear(Kind.ENTROPY)).value)
        await line.cut()

    async def second(line: Line) -> None:
        await line.greet()
        await line.say(_request("t", REVEAL))
        values.append(hashlib.sha256((await line.hear(Kind.ENTROPY)).value).digest())

    async with playing(First, first, second):
        pass

    assert values[0] == values[1]


def test_what_another_process_committed_to_is_not_revealed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    keeper = EntropyKeeper(bytes(32))
    asked = arena_pb2.EntropyRequest(tournament_id="t", step=REVEAL)

    assert keeper.answer(asked) is None
    assert "another run of this bot promised" in caplog.text


def test_a_step_of_a_newer_server_is_not_answered() -> None:
    keeper = EntropyKeeper(bytes(32))

    assert keeper.answer(arena_pb2.EntropyRequest(tournament_id="t")) is None


def test_another_secret_gives_another_value() -> None:
    asked = arena_pb2.EntropyRequest(tournament_id="t", step=COMMIT)

    answers = [EntropyKeeper(secret * 32).answer(asked) for secret in (b"a", b"b")]

    assert answers[0] != answers[1]
