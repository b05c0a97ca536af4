"""How large the texts and byte strings of a bot's messages may be. No text holds a NUL character,
which not every database keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kitumaija.v1 import arena_pb2
from kitumaija.wire.kinds import Kind
from kitumaija.wire.limits import (
    BOT_VERSION_CHARS_MAX,
    ENTROPY_BYTES_MAX,
    ENTROPY_COMMITMENT_BYTES,
    GOODBYE_REASON_CHARS_MAX,
    ID_CHARS_MAX,
    LANGUAGE_CHARS_MAX,
    MATCH_ID_CHARS_MAX,
    MATCHES_IN_HELLO_MAX,
    SDK_CHARS_MAX,
)


def missized(kind: Kind, message: arena_pb2.BotMessage) -> str | None:
    """Say which part of a message has a size that it may not have; None if all of it is well."""
    check = _CHECKS.get(kind)
    return None if check is None else check(message)


def _hello(message: arena_pb2.BotMessage) -> str | None:
    hello = message.hello
    return (
        _text("Hello.sdk", hello.sdk, SDK_CHARS_MAX)
        or _text("Hello.language", hello.language, LANGUAGE_CHARS_MAX)
        or _text("Hello.bot_version", hello.bot_version, BOT_VERSION_CHARS_MAX)
        or _matches(hello)
    )


def _matches(hello: arena_pb2.Hello) -> str | None:
    if len(hello.match_ids) > MATCHES_IN_HELLO_MAX:
        return f"Hello.match_ids: got {len(hello.match_ids)}, wanted at most {MATCHES_IN_HELLO_MAX}"
    found = (_text("Hello.match_ids", each, MATCH_ID_CHARS_MAX) for each in hello.match_ids)
    return next(filter(None, found), None)


def _entropy(message: arena_pb2.BotMessage) -> str | None:
    entropy = message.entropy
    size = len(entropy.value)
    if entropy.step == arena_pb2.ENTROPY_STEP_COMMIT and size != ENTROPY_COMMITMENT_BYTES:
        return f"Entropy.value: got {size} bytes to commit, wanted {ENTROPY_COMMITMENT_BYTES}"
    if size > ENTROPY_BYTES_MAX:
        return f"Entropy.value: got {size} bytes, wanted at most {ENTROPY_BYTES_MAX}"
    return _text("Entropy.tournament_id", entropy.tournament_id, ID_CHARS_MAX)


def _text(name: str, text: str, most: int) -> str | None:
    if len(text) > most:
        return f"{name}: got {len(text)} characters, wanted at most {most}"
    if "\0" in text:
        return f"{name}: got a NUL character, wanted a text without one"
    return None


_CHECKS: Final[dict[Kind, Callable[[arena_pb2.BotMessage], str | None]]] = {
    Kind.HELLO: _hello,
    Kind.READY: lambda m: _text("Ready.match_id", m.ready.match_id, MATCH_ID_CHARS_MAX),
    Kind.ANSWER: lambda m: _text("Answer.match_id", m.answer.match_id, MATCH_ID_CHARS_MAX),
    Kind.RESYNC: lambda m: _text("Resync.match_id", m.resync.match_id, MATCH_ID_CHARS_MAX),
    Kind.GOODBYE: lambda m: _text("Goodbye.reason", m.goodbye.reason, GOODBYE_REASON_CHARS_MAX),
    Kind.ENTROPY: _entropy,
}
