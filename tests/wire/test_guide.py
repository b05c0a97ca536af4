"""The guide to the protocol says what is so: its examples run, its tables are those of the code."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from pathlib import Path

from google.protobuf.json_format import ParseDict
from google.rpc import code_pb2  # pyright: ignore[reportMissingTypeStubs]

from kitumaija.engine import (
    PlayCard,
    Seat,
    apply,
    legal_actions,
    new_game,
    position,
    text_seed,
    view,
)
from kitumaija.sdk.testing import Line, ScriptedServer
from kitumaija.server.limits import ServerLimits
from kitumaija.v1 import arena_pb2
from kitumaija.wire import limits as sizes
from kitumaija.wire.codec import action_from_message, legal_from_message, view_from_message
from kitumaija.wire.limits import DEFAULT_CAPACITY, FRAME_BYTES_MAX, SILENCE_MAX
from kitumaija.wire.session import (
    MATCH_TABLE,
    Kind,
    MatchEvent,
    MatchState,
    Violation,
)
from kitumaija.wire.status import PASSING, ErrorReason, code_of
from kitumaija.wire.times import Limits, limits_from_message
from tests.support.conversation import Message, Pair

GUIDE = (Path(__file__).parents[2] / "proto" / "README.md").read_text(encoding="utf-8")


def _section(heading: str) -> str:
    """Return what stands under a heading."""
    return GUIDE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def _blocks(language: str, text: str = GUIDE) -> list[str]:
    """Return the code blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def _rows(heading: str) -> list[list[str]]:
    """Return the cells of the first table under a heading, without its head."""
    lines = [line for line in _section(heading).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def _transcript() -> list[Message]:
    messages: list[Message] = []
    for block in _blocks("json", _section("A match begins: the messages")):
        plain = json.loads(block)
        bots = {field.name for field in arena_pb2.BotMessage.DESCRIPTOR.fields}
        message = arena_pb2.BotMessage() if set(plain) <= bots else arena_pb2.ServerMessage()
        ParseDict(plain, message)
        messages.append(message)
    return messages


async def test_the_bot_of_the_guide_plays_a_match() -> None:
    state = new_game(text_seed("guide"), 2).state

    async def script(line: Line) -> None:
        await line.greet()
        assert line.token == "secret"
        await line.offer("m")
        await line.seat("m")
        await line.say(arena_pb2.ServerMessage(ping=arena_pb2.Ping(nonce=5)))
        assert (await line.hear(Kind.PONG)).nonce == 5
        await line.ask("m", 1, state)
        answer = await line.hear(Kind.ANSWER)
        assert (answer.match_id, answer.decision_id) == ("m", 1)
        assert action_from_message(answer.action) in legal_actions(state)
        await line.accept("m", 1)
        end = arena_pb2.MatchEnd(match_id="m", ending=arena_pb2.MATCH_ENDING_PLAYED, places=[2, 1])
        await line.say(arena_pb2.ServerMessage(match_end=end))

    (program,) = _blocks("python")
    async with ScriptedServer(script) as server:
        environment = {"KITUMAIJA_ADDRESS": server.address, "KITUMAIJA_TOKEN": "secret"}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            program,
            env={**os.environ, **environment},
            stdout=asyncio.subprocess.PIPE,
        )
        printed, _ = await process.communicate()
    assert (process.returncode, printed) == (0, b"places by seat: 2 1\n")


def test_the_bot_of_the_guide_is_as_short_as_it_says() -> None:
    (program,) = _blocks("python")
    code = [line for line in program.splitlines() if line.strip()]
    assert len(code) <= 45


def test_the_messages_of_the_guide_may_be_said_in_this_order() -> None:
    pair = Pair()
    pair.say(*_transcript())
    (match_id,) = {
        message.decision.match_id
        for message in _transcript()
        if isinstance(message, arena_pb2.ServerMessage) and message.HasField("decision")
    }
    assert pair.bot.match(match_id) is pair.server.match(match_id) is MatchState.SEATED


def test_the_match_of_the_guide_is_played_by_the_rules() -> None:
    server = [m for m in _transcript() if isinstance(m, arena_pb2.ServerMessage)]
    bot = [m for m in _transcript() if isinstance(m, arena_pb2.BotMessage)]
    first, second = (m.decision for m in server if m.HasField("decision"))
    wrong, right, free = (action_from_message(m.answer.action) for m in bot if m.HasField("answer"))
    hand = " ".join(str(card) for card in view_from_message(first.view).hand)
    others = {1: "3C JC 6H TS QD", 2: "5S 7C AC 9H KD"}
    stock = "2C 4C 5C 6C 8C 9C TC QC KC 3D 4D 5D 6D 7D 8D TD JD AD 2H 3H 4H 5H TH JH QH KH AH "
    stock += "2S 3S 6S 7S 8S 9S JS QS AS"
    state = position(seats=3, hands={0: hand, **others}, pile="7H", stock=stock, mover=0)
    assert view_from_message(first.view) == view(state, Seat(0))
    assert legal_from_message(first.legal) == legal_actions(state)
    assert isinstance(wrong, PlayCard)
    assert wrong not in legal_actions(state)
    state = apply(state, right).state
    assert view_from_message(second.view) == view(state, Seat(0))
    assert legal_from_message(second.legal) == legal_actions(state)
    assert free in legal_actions(state)


def test_the_course_of_a_match_is_that_of_the_machine() -> None:
    (table,) = [block for block in _blocks("text") if "refused_open" in block]
    head, *lines = [line.split() for line in table.splitlines()]
    assert head == [state.value for state in MatchState]
    assert [line[0] for line in lines] == [event.value for event in MatchEvent]
    for line, event in zip(lines, MatchEvent, strict=True):
        for cell, state in zip(line[1:], MatchState, strict=True):
            following = MATCH_TABLE[state, event]
            if isinstance(following, Violation):
                assert cell == "!"
            else:
                assert cell == ("—" if following is state else following.value)


def test_the_tables_of_messages_name_all_there_are() -> None:
    for heading, message in (
        ("What the bot says", arena_pb2.BotMessage),
        ("What the server says", arena_pb2.ServerMessage),
    ):
        section = GUIDE.split(f"\n### {heading}\n", 1)[1].split("\n#", 1)[0]
        named = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
        fields = [field.name for field in message.DESCRIPTOR.fields]
        kinds = ["".join(map(str.capitalize, name.split("_"))) for name in fields]
        assert sorted(named) == sorted(kinds)


def test_the_table_of_errors_names_every_reason_with_its_status() -> None:
    rows = [[cell.strip("`") for cell in row[:3]] for row in _rows("Errors")]
    assert rows == [
        [
            reason.value,
            code_pb2.Code.Name(code_of(reason)),
            "yes" if reason in PASSING else "no",
        ]
        for reason in ErrorReason
    ]


def test_the_table_of_refusals_names_every_reason() -> None:
    named = [row[0].strip("`") for row in _rows("Refusals")]
    names = arena_pb2.RefusalReason.keys()[1:]
    assert sorted(named) == sorted(name.removeprefix("REFUSAL_REASON_") for name in names)


def test_the_table_of_limits_tells_the_defaults() -> None:
    told = {row[0].strip("`"): row[1] for row in _rows("The clock")}
    limits = limits_from_message(arena_pb2.Limits())
    seconds = {
        name: f"{getattr(limits, name).total_seconds():g} s"
        for name in ("startup", "per_decision", "bank", "increment", "grace")
    }
    assert limits == Limits()
    assert told == {
        **seconds,
        "margin": f"{limits.margin.total_seconds() * 1000:g} ms",
        "match_cap": "what the others add up to",
    }


def test_the_numbers_of_the_guide_are_those_of_the_server() -> None:
    limits = ServerLimits()
    guide = " ".join(GUIDE.split())
    for words in (
        f"at most {FRAME_BYTES_MAX // 1024} KiB",
        f"nothing is heard for {SILENCE_MAX.total_seconds():g} s is closed",
        f"| `Ping` | every {limits.ping_every.total_seconds():g} s |",
        f"{limits.unasked_per_second} messages a second, {limits.unasked_burst} at once",
        f"{limits.clock_starts_within.total_seconds() * 1000:g} ms after it was handed over",
    ):
        assert words in guide


def test_the_default_capacity_is_the_one_that_hello_promises() -> None:
    comment = "0 means the default, 8."
    assert comment in (Path(__file__).parents[2] / "proto/kitumaija/v1/arena.proto").read_text(
        encoding="utf-8"
    )
    assert DEFAULT_CAPACITY == 8


def test_the_sizes_of_what_a_bot_sends_are_those_that_are_held_to() -> None:
    row = r"^\| (.+?) \| (\d+ (?:KiB|characters|ids|bytes)).* \|$"
    told = dict(re.findall(row, GUIDE, re.MULTILINE))

    assert told == {
        "a frame": f"{sizes.FRAME_BYTES_MAX // 1024} KiB",
        "`Hello.sdk`": f"{sizes.SDK_CHARS_MAX} characters",
        "`Hello.language`": f"{sizes.LANGUAGE_CHARS_MAX} characters",
        "`Hello.bot_version`": f"{sizes.BOT_VERSION_CHARS_MAX} characters",
        "`Hello.match_ids`": f"{sizes.MATCHES_IN_HELLO_MAX} ids",
        "every `match_id`": f"{sizes.MATCH_ID_CHARS_MAX} characters",
        "`Goodbye.reason`": f"{sizes.GOODBYE_REASON_CHARS_MAX} characters",
        "`Entropy.value`, committing": f"{sizes.ENTROPY_COMMITMENT_BYTES} bytes",
        "`Entropy.value`, revealing": f"{sizes.ENTROPY_BYTES_MAX} bytes",
    }
