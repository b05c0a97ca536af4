"""Steps about the bot's share in the shuffling."""

from __future__ import annotations

import hashlib
from typing import Final

from kitumaija.sdk.check.exam import Exam
from kitumaija.sdk.check.step import Failed, Skipped, Step
from kitumaija.v1 import arena_pb2
from kitumaija.wire.kinds import Kind
from kitumaija.wire.limits import ENTROPY_BYTES_MAX, ENTROPY_COMMITMENT_BYTES

_MASTER: Final = hashlib.sha256(b"a master seed that nobody plays by").digest()
ENOUGH: Final = 16
"""Fewer bytes than these can be tried out."""


def _asks(tournament: str, step: arena_pb2.EntropyStep.ValueType) -> arena_pb2.ServerMessage:
    request = arena_pb2.EntropyRequest(
        tournament_id=tournament, step=step, master_commitment=_MASTER
    )
    return arena_pb2.ServerMessage(entropy_request=request)


async def _given(exam: Exam, tournament: str, step: arena_pb2.EntropyStep.ValueType) -> bytes:
    """Ask, and return what comes. Raises `Skipped` for a bot that gives none."""
    await exam.stream.say(_asks(tournament, step))
    name = arena_pb2.EntropyStep.Name(step)
    try:
        heard = await exam.stream.hear(Kind.ENTROPY, exam.times.patience)
    except Failed:
        exam.stream.raise_violation()
        if not exam.stream.open or step == arena_pb2.ENTROPY_STEP_REVEAL:
            raise
        raise Skipped("the bot gives no entropy, which it need not") from None
    if (heard.said.tournament_id, heard.said.step) != (tournament, step):
        raise Failed(
            f"an Entropy for tournament {tournament} with the step {name}",
            f"one for {heard.said.tournament_id!r}, step {heard.said.step}",
        )
    value: bytes = heard.said.value
    return value


async def _commit(exam: Exam) -> None:
    await exam.here()
    commit = arena_pb2.ENTROPY_STEP_COMMIT
    first = await _given(exam, "spring", commit)
    if len(first) != ENTROPY_COMMITMENT_BYTES:
        raise Failed(f"a SHA-256, {ENTROPY_COMMITMENT_BYTES} bytes", f"{len(first)} bytes")
    if await _given(exam, "spring", commit) != first:
        raise Failed("the same hash when it is asked again", "another one")
    await exam.cut()
    if await _given(exam, "spring", commit) != first:
        raise Failed("the same hash on a new stream", "another one")
    if await _given(exam, "autumn", commit) == first:
        raise Failed("another hash for another tournament", "the same one")


async def _reveal(exam: Exam) -> None:
    await exam.here()
    commit, reveal = arena_pb2.ENTROPY_STEP_COMMIT, arena_pb2.ENTROPY_STEP_REVEAL
    hashed = await _given(exam, "winter", commit)
    first = await _given(exam, "winter", reveal)
    await exam.cut()
    for value in (first, await _given(exam, "winter", reveal)):
        if hashlib.sha256(value).digest() != hashed:
            raise Failed("the bytes whose SHA-256 it committed to", "others")
    if not ENOUGH <= len(first) <= ENTROPY_BYTES_MAX:
        raise Failed(f"{ENOUGH} to {ENTROPY_BYTES_MAX} bytes", f"{len(first)} bytes")


async def _unpromised(exam: Exam) -> None:
    await exam.here()
    await exam.stream.say(_asks("never-promised", arena_pb2.ENTROPY_STEP_REVEAL))
    await exam.quiet(
        Kind.ENTROPY, wanted="no Entropy for a tournament that it has not committed to"
    )


STEPS: Final = (
    Step(
        "entropy-commit",
        "It commits to its entropy for a tournament by one hash, on every stream.",
        _commit,
        "Proving the deal",
        "Draw the bytes once a tournament, keep them, and say their SHA-256 whenever asked.",
    ),
    Step(
        "entropy-reveal",
        "What it reveals is what it committed to.",
        _reveal,
        "Proving the deal",
        "Keep the bytes that were committed to for as long as the process lives.",
    ),
    Step(
        "entropy-unpromised",
        "It reveals nothing that it has not committed to.",
        _unpromised,
        "Proving the deal",
        "A bot that was started anew has nothing to reveal: say nothing then.",
    ),
)
