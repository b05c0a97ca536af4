"""Broken streams: what is said again on the next one, and when there is none."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta

import pytest

from kitumaija.engine import Seat, apply, event_for, new_game, position, text_seed
from kitumaija.sdk import Action, Bot, Card, Match, PlayCard, Turn
from kitumaija.sdk.clocks import nanoseconds
from kitumaija.sdk.errors import ConnectionFailed, Refused
from kitumaija.sdk.testing import Line, ScriptedServer
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import action_from_message
from kitumaija.wire.kinds import Kind
from kitumaija.wire.status import ErrorReason
from tests.support.bots import First
from tests.support.client import client_for, playing

STATE = position(seats=2, mover=0, hands={0: "8H 2D 9C 3S 4S", 1: "2C"}, pile="7H", stock="5C 6C")
DEAL = [event_for(event, Seat(0)) for event in new_game(text_seed("cut"), 2).events]


def _kept() -> tuple[list[First], type[First]]:
    made: list[First] = []

    class Kept(First):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    return made, Kept


async def _asked(line: Line) -> None:
    """A match up to its first decision."""
    await line.greet()
    await line.offer("m")
    await line.seat("m")
    await line.ask("m", 1, STATE, events=DEAL)


async def _asked_again(line: Line) -> None:
    """The same match on a new stream."""
    await line.greet("m")
    await line.sync("m", events=DEAL)
    await line.ask("m", 1, STATE, first_event=len(DEAL))


async def test_an_answer_that_was_lost_is_sent_again_under_its_number() -> None:
    made, kept = _kept()
    answers: list[arena_pb2.Answer] = []

    async def cut(line: Line) -> None:
        await _asked(line)
        answers.append(await line.hear(Kind.ANSWER))
        await line.cut()

    async def again(line: Line) -> None:
        await _asked_again(line)
        answers.append(await line.hear(Kind.ANSWER))
        await line.accept("m", 1)
        await line.ask("m", 2, STATE, first_event=len(DEAL))
        assert (await line.hear(Kind.ANSWER)).decision_id == 2

    async with playing(kept, cut, again):
        pass

    assert answers[0] == answers[1]
    (bot,) = made
    assert [turn.decision_id for turn in bot.turns] == [1, 2]


async def test_a_bot_that_thinks_while_the_line_is_cut_is_asked_once_and_answers_on_the_next() -> (
    None
):
    release = threading.Event()
    asked: list[int] = []

    class Thinks(First):
        def choose(self, turn: Turn) -> Action | Card:
            asked.append(turn.decision_id)
            release.wait(30)
            return turn.legal[-1]

    async def cut(line: Line) -> None:
        await _asked(line)
        await line.cut()

    async def again(line: Line) -> None:
        await _asked_again(line)
        release.set()
        answer = await line.hear(Kind.ANSWER)
        assert answer.decision_id == 1

    async with playing(Thinks, cut, again):
        pass

    assert asked == [1]


async def test_events_are_told_once_whatever_was_cut() -> None:
    made, kept = _kept()
    more = [event_for(e, Seat(0)) for e in apply(STATE, PlayCard(Card.HEARTS_EIGHT)).events]

    async def cut(line: Line) -> None:
        await _asked(line)
        await line.hear(Kind.ANSWER)
        await line.cut()

    async def again(line: Line) -> None:
        await line.greet("m")
        await line.sync("m", events=[*DEAL, *more])
        await line.ask("m", 2, STATE, first_event=len(DEAL) + len(more))
        await line.hear(Kind.ANSWER)

    async with playing(kept, cut, again):
        pass

    first, second = made[0].turns
    assert list(first.events) == DEAL
    assert list(second.events) == more


async def test_a_new_process_is_told_the_whole_match_and_need_not_be_ready() -> None:
    made, kept = _kept()

    async def script(line: Line) -> None:
        await line.greet("m")
        await line.sync("m", events=DEAL, seat=0)
        await line.ask("m", 5, STATE, first_event=len(DEAL))
        assert (await line.hear(Kind.ANSWER)).decision_id == 5

    async with playing(kept, script):
        pass

    (bot,) = made
    assert [match.match_id for match in bot.matches] == ["m"]
    assert list(bot.turns[0].events) == DEAL


async def test_missing_events_are_asked_for_before_the_bot_is_asked() -> None:
    made, kept = _kept()

    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE, first_event=3)
        assert (await line.hear(Kind.RESYNC)).match_id == "m"
        await line.sync("m", events=DEAL)
        await line.ask("m", 1, STATE, first_event=len(DEAL))
        await line.hear(Kind.ANSWER)

    async with playing(kept, script):
        pass

    (turn,) = made[0].turns
    assert list(turn.events) == DEAL


async def test_a_match_that_was_not_seated_is_confirmed_on_the_next_stream() -> None:
    made, kept = _kept()

    async def cut(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.cut()

    async def again(line: Line) -> None:
        await line.greet("m")
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        await line.hear(Kind.ANSWER)

    async with playing(kept, cut, again):
        pass

    assert len(made) == 1


async def test_a_match_that_ended_meanwhile_is_let_go(caplog: pytest.LogCaptureFixture) -> None:
    made, kept = _kept()

    async def cut(line: Line) -> None:
        await _asked(line)
        await line.hear(Kind.ANSWER)
        await line.cut()

    async def again(line: Line) -> None:
        await line.greet()
        await line.offer("n")
        await line.seat("n")
        await line.ask("n", 1, STATE)
        await line.hear(Kind.ANSWER)

    async with playing(kept, cut, again):
        pass

    assert [len(bot.turns) for bot in made] == [1, 1]
    assert "the match ended while the bot was away" in caplog.text


async def test_a_drained_stream_is_read_to_its_end_and_dialled_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")

    async def draining(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.say(arena_pb2.ServerMessage(drain=arena_pb2.Drain()))
        await line.ask("m", 1, STATE, events=DEAL)
        await line.hear(Kind.ANSWER)

    async def again(line: Line) -> None:
        await _asked_again(line)
        assert (await line.hear(Kind.ANSWER)).decision_id == 1

    async with playing(First, draining, again):
        pass

    assert "the server shuts down for a while" in caplog.text


async def test_a_silent_server_is_left_for_a_new_stream() -> None:
    silence, now = timedelta(milliseconds=50), 0

    async def silent(line: Line) -> None:
        nonlocal now
        await line.greet()
        await line.say(arena_pb2.ServerMessage(ping=arena_pb2.Ping(nonce=1)))
        await line.hear(Kind.PONG)
        now += nanoseconds(silence)
        await asyncio.Event().wait()

    async def again(line: Line) -> None:
        await line.greet()

    async with ScriptedServer(silent, again) as server:
        client = client_for(server, First, silence=silence, clock=lambda: now)
        run = asyncio.create_task(client.run())
        await server.played()
        client.stop()
        await run


@pytest.mark.parametrize(
    ("reason", "says"),
    [
        (ErrorReason.REPLACED, "another copy of this bot connected with the same token"),
        (ErrorReason.UNAUTHENTICATED_TOKEN, "the server does not know this token"),
        (ErrorReason.BOT_DISABLED, "shut this bot out"),
        (ErrorReason.BOT_VERSION_FROZEN, "frozen the bot's version"),
        (ErrorReason.PROTOCOL_VIOLATION, "the SDK broke the protocol"),
        (ErrorReason.FLOODING, "more messages than the server takes"),
    ],
)
async def test_a_refusal_for_good_ends_the_run_with_advice_and_without_dialling_again(
    reason: ErrorReason, says: str
) -> None:
    streams = 0

    async def script(line: Line) -> None:
        nonlocal streams
        streams += 1
        await line.hear(Kind.HELLO)
        await line.end_with(reason)

    async with playing(First, script) as run:
        with pytest.raises(Refused, match=says):
            await run

    assert streams == 1


@pytest.mark.parametrize(
    "reason", [ErrorReason.SILENT, ErrorReason.STORE_FAILED, ErrorReason.INTERNAL]
)
async def test_what_passes_by_itself_is_dialled_again(reason: ErrorReason) -> None:
    async def failing(line: Line) -> None:
        await line.greet()
        await line.end_with(reason)

    async def again(line: Line) -> None:
        await line.greet()

    async with playing(First, failing, again):
        pass


async def test_a_server_that_cannot_be_reached_is_given_up_after_the_patience() -> None:
    async with ScriptedServer(_asked) as server:
        client = client_for(server, First, patience=timedelta(0))
    # The server is gone, and its port with it.
    with pytest.raises(ConnectionFailed, match=f"no server at {server.address}"):
        await client.run()


async def test_stopping_says_goodbye_and_waits_for_the_servers_end() -> None:
    ended = asyncio.Event()

    async def script(line: Line) -> None:
        await _asked(line)
        await line.hear(Kind.ANSWER)
        stop.set()
        assert (await line.hear(Kind.GOODBYE)).reason == "enough"
        await line.hear_end()
        ended.set()

    stop = asyncio.Event()
    async with ScriptedServer(script) as server:
        client = client_for(server, First)
        run = asyncio.create_task(client.run())
        await stop.wait()
        client.stop("enough")
        await run
        assert ended.is_set()


async def test_stopping_does_not_wait_for_a_bot_that_thinks() -> None:
    thinking = asyncio.Event()
    loop = asyncio.get_running_loop()
    release = threading.Event()

    class Thinks(Bot):
        def choose(self, turn: Turn) -> Action:
            loop.call_soon_threadsafe(thinking.set)
            release.wait(30)
            return turn.legal[0]

    async def script(line: Line) -> None:
        await _asked(line)
        await line.hear(Kind.GOODBYE)

    async with ScriptedServer(script) as server:
        client = client_for(server, Thinks)
        run = asyncio.create_task(client.run())
        await thinking.wait()
        client.stop()
        await run
        release.set()


async def test_a_client_that_is_stopped_before_it_has_dialled_never_dials() -> None:
    streams = 0

    async def script(line: Line) -> None:
        nonlocal streams
        streams += 1

    async with ScriptedServer(script) as server:
        client = client_for(server, First)
        client.stop()
        await client.run()

    assert streams == 0


async def test_an_answer_of_the_wrong_decision_is_never_sent() -> None:
    """After a cut the server may ask something else: the old answer is not for that."""
    made, kept = _kept()

    class Starts(kept):  # type: ignore[misc, valid-type]
        def on_start(self, match: Match) -> None:
            super().on_start(match)

    async def cut(line: Line) -> None:
        await _asked(line)
        await line.hear(Kind.ANSWER)
        await line.cut()

    async def again(line: Line) -> None:
        await line.greet("m")
        await line.sync("m", events=DEAL)
        free = apply(STATE, PlayCard(Card.DIAMONDS_TWO)).state
        await line.ask("m", 2, free, first_event=len(DEAL))
        answer = await line.hear(Kind.ANSWER)
        assert answer.decision_id == 2
        assert action_from_message(answer.action) == PlayCard(Card.CLUBS_NINE)

    async with playing(Starts, cut, again):
        pass

    assert [turn.decision_id for turn in made[0].turns] == [1, 2]
