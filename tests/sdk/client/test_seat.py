"""A bot that errs, answers what is refused, or is overtaken, and what the SDK does about it."""

from __future__ import annotations

import asyncio
import logging
import threading

import pytest

from kitumaija.engine import GameOptions, apply, new_game, position, text_seed
from kitumaija.sdk import Action, Bot, Card, PlayCard, Turn
from kitumaija.sdk.errors import BotError
from kitumaija.sdk.match import Ending
from kitumaija.sdk.testing import Line, Referee, host_match
from kitumaija.v1 import arena_pb2, fault_pb2
from kitumaija.wire.codec import action_from_message, action_to_message, legal_to_message
from kitumaija.wire.kinds import Kind
from tests.support.bots import First, Illegal, Raises
from tests.support.client import playing

STATE = position(seats=2, mover=0, hands={0: "8H 2D 9C 3S 4S", 1: "2C"}, pile="7H", stock="5C 6C")
DEAL = new_game(text_seed("client"), 2)


@pytest.mark.parametrize(
    ("bad", "says"),
    [(Raises, "ZeroDivisionError: the author divided"), (Illegal, "'take 6', which is not legal")],
)
async def test_an_error_in_a_bot_is_logged_and_the_first_legal_action_stands_in(
    bad: type[Bot], says: str, caplog: pytest.LogCaptureFixture
) -> None:
    answers: list[Action] = []

    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        answers.append(action_from_message((await line.hear(Kind.ANSWER)).action))

    async with playing(bad, script):
        pass

    assert answers == [PlayCard(Card.DIAMONDS_TWO)]
    assert says in caplog.text
    assert "The SDK answered '2D' for it." in caplog.text
    assert "make_turn(hand=" in caplog.text


@pytest.mark.parametrize(
    ("forfeited", "said"),
    [
        ([], "at fault (2 × decision_timeout, 1 × illegal_action);"),
        ([0], "at fault (2 × decision_timeout, 1 × illegal_action) and lost its seat;"),
    ],
)
async def test_an_author_hears_of_his_faults_and_where_they_are_explained(
    forfeited: list[int], said: str, caplog: pytest.LogCaptureFixture
) -> None:
    late, illegal = fault_pb2.FAULT_KIND_DECISION_TIMEOUT, fault_pb2.FAULT_KIND_ILLEGAL_ACTION

    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        end = arena_pb2.MatchEnd(
            match_id="m",
            ending=arena_pb2.MATCH_ENDING_PLAYED,
            places=[2, 1],
            faults=[arena_pb2.SeatFaults(seat=0, faults=[late, illegal, late])],
            forfeits=[arena_pb2.Forfeit(seat=seat) for seat in forfeited],
        )
        await line.say(arena_pb2.ServerMessage(match_end=end))

    async with playing(First, script):
        pass

    assert said in caplog.text
    assert "`kitumaija replay explain m 0` shows how" in caplog.text


async def test_a_traceback_in_the_log_begins_with_the_authors_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        await line.hear(Kind.ANSWER)

    async with playing(Raises, script):
        pass

    (record,) = [r for r in caplog.records if r.levelno == logging.ERROR]
    frames = [line for line in record.getMessage().splitlines() if line.startswith("  File")]
    assert len(frames) == 1
    assert "bots.py" in frames[0]


async def test_with_raise_the_first_error_of_a_bot_says_goodbye_and_ends_the_run() -> None:
    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        assert (await line.hear(Kind.GOODBYE)).reason == "the bot failed"
        await line.hear_end()

    async with playing(Raises, script, on_error="raise") as run:
        with pytest.raises(BotError, match="ZeroDivisionError"):
            await run


@pytest.mark.parametrize("method", ["on_start", "on_end"])
async def test_an_error_outside_of_choose_is_logged_and_the_match_goes_on(
    method: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(bot: Bot, value: object) -> None:
        raise KeyError("author")

    async def script(line: Line) -> None:
        await line.greet()
        await host_match(line, "m", seed=1)
        await host_match(line, "n", seed=1)

    async with playing(type("Failing", (First,), {method: fail}), script):
        pass

    assert f"Failing: {method} raised KeyError" in caplog.text


async def test_a_bot_that_cannot_be_made_does_not_say_ready(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Unmade(First):
        def __init__(self) -> None:
            raise OSError("no model")

    async def script(line: Line) -> None:
        await line.greet()
        start = arena_pb2.MatchStart(match_id="m", seats=2)
        await line.say(arena_pb2.ServerMessage(match_start=start))
        while "no model" not in caplog.text:  # noqa: ASYNC110 - the log has no event to wait for
            await asyncio.sleep(0.001)
        await line.say(arena_pb2.ServerMessage(ping=arena_pb2.Ping(nonce=1)))
        assert (await line.hear(Kind.PONG)).nonce == 1  # and not Ready

    async with playing(Unmade, script):
        pass

    assert "making the bot raised OSError: no model" in caplog.text
    assert "does not take part in match m" in caplog.text


async def test_a_bot_that_calls_exit_harms_only_its_own_answer(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Exits(First):
        def choose(self, turn: Turn) -> Action | Card:
            raise SystemExit(1)

    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        assert (await line.hear(Kind.ANSWER)).decision_id == 1

    async with playing(Exits, script):
        pass

    assert "SystemExit was raised" in caplog.text


async def test_an_illegal_refusal_is_answered_with_what_the_server_calls_legal() -> None:
    other = apply(STATE, PlayCard(Card.DIAMONDS_TWO)).state
    only = PlayCard(Card.HEARTS_EIGHT)

    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        first = await line.hear(Kind.ANSWER)
        refusal = arena_pb2.Refusal(
            match_id="m",
            decision_id=1,
            reason=arena_pb2.REFUSAL_REASON_ILLEGAL_ACTION,
            action=first.action,
            detail="a rule of tomorrow",
            legal=legal_to_message([only]),
            retries_left=1,
        )
        await line.say(arena_pb2.ServerMessage(refusal=refusal))
        assert action_from_message((await line.hear(Kind.ANSWER)).action) == only
        await line.accept("m", 1)
        await line.ask("m", 2, other)
        assert (await line.hear(Kind.ANSWER)).decision_id == 2

    async with playing(First, script):
        pass


class Slow(First):
    """Thinks for 1.5 ms of a clock that moves by nothing else."""

    now = 0

    def choose(self, turn: Turn) -> Action | Card:
        type(self).now += 1_500_000
        return super().choose(turn)


class SlowAsync(Slow):
    """The same, as a coroutine that is waited for in between."""

    async def choose(self, turn: Turn) -> Action | Card:  # type: ignore[override]
        await asyncio.sleep(0)
        return super().choose(turn)


@pytest.mark.parametrize("bot", [Slow, SlowAsync])
async def test_an_answer_says_how_long_the_bot_thought_by_its_own_clock(bot: type[Slow]) -> None:
    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        assert (await line.hear(Kind.ANSWER)).think_time_us == 1_500

    async with playing(bot, script, clock=lambda: bot.now):
        pass


async def test_what_stands_in_for_a_bot_that_failed_was_not_thought_about() -> None:
    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        assert not (await line.hear(Kind.ANSWER)).HasField("think_time_us")

    async with playing(Raises, script):
        pass


async def test_an_illegal_refusal_without_retries_is_not_answered(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        first = await line.hear(Kind.ANSWER)
        refusal = arena_pb2.Refusal(
            match_id="m",
            decision_id=1,
            reason=arena_pb2.REFUSAL_REASON_ILLEGAL_ACTION,
            action=first.action,
            detail="a rule of tomorrow",
        )
        await line.say(arena_pb2.ServerMessage(refusal=refusal))
        await line.ask("m", 2, STATE)
        assert (await line.hear(Kind.ANSWER)).decision_id == 2

    async with playing(First, script):
        pass

    assert "did not take the answer to decision 1" in caplog.text
    assert "a rule of tomorrow" in caplog.text


async def test_an_answer_that_came_too_late_is_told(caplog: pytest.LogCaptureFixture) -> None:
    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        await line.hear(Kind.ANSWER)
        refusal = arena_pb2.Refusal(
            match_id="m",
            decision_id=1,
            reason=arena_pb2.REFUSAL_REASON_DECIDED,
            action=action_to_message(PlayCard(Card.DIAMONDS_TWO)),
        )
        await line.say(arena_pb2.ServerMessage(refusal=refusal))
        await line.ask("m", 2, STATE)
        assert (await line.hear(Kind.ANSWER)).decision_id == 2

    async with playing(First, script):
        pass

    assert "the answer to decision 1 came too late" in caplog.text


@pytest.mark.parametrize("is_async", [False, True])
async def test_a_thought_that_was_overtaken_is_dropped_and_its_events_are_told_later(
    caplog: pytest.LogCaptureFixture, *, is_async: bool
) -> None:
    told: list[int] = []
    thinking = asyncio.Event()
    loop = asyncio.get_running_loop()
    enough = threading.Event()

    class Thinks(First):
        def choose(self, turn: Turn) -> Action | Card:
            if turn.decision_id == 1:
                loop.call_soon_threadsafe(thinking.set)
                enough.wait(30)
            told.append(len(turn.events))
            return turn.legal[0]

    class Waits(Bot):
        async def choose(self, turn: Turn) -> Action:
            if turn.decision_id == 1:
                thinking.set()
                await asyncio.Event().wait()
            told.append(len(turn.events))
            return turn.legal[0]

    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        await thinking.wait()
        await line.ask("m", 2, STATE, events=DEAL.events)
        if not is_async:
            await line.say(arena_pb2.ServerMessage(ping=arena_pb2.Ping()))
            await line.hear(Kind.PONG)  # by now the bot's end has heard of the second decision
            enough.set()
        assert (await line.hear(Kind.ANSWER)).decision_id == 2

    async with playing(Waits if is_async else Thinks, script):
        pass

    assert told[-1] == len(DEAL.events)
    assert "decision 1 was made without the bot, which took too long" in caplog.text


async def test_what_only_a_newer_server_knows_disturbs_no_match() -> None:
    """Reasons, options and endings of a number that this SDK has no name for."""
    bots: list[First] = []

    class Kept(First):
        def __init__(self) -> None:
            super().__init__()
            bots.append(self)

    async def script(line: Line) -> None:
        match = Referee("m", opening=(STATE, ()))
        seating, end = match.seating(), match.void()
        seating.seating.options.pickup = 99  # type: ignore[assignment]
        end.match_end.ending = end.match_end.termination = 99  # type: ignore[assignment]
        await line.greet()
        await line.offer("m")
        await line.say(seating, match.ask())
        first = await line.hear(Kind.ANSWER)
        refusal = arena_pb2.Refusal(match_id="m", decision_id=1, action=first.action)
        refusal.reason = 99  # type: ignore[assignment]
        refusal.retries_left = 1
        refusal.legal.CopyFrom(legal_to_message(match.legal[1:2]))
        await line.say(arena_pb2.ServerMessage(refusal=refusal))
        again = await line.hear(Kind.ANSWER)
        assert action_from_message(again.action) == match.legal[1]
        await line.say(match.accepted(), end)

    async with playing(Kept, script):
        pass

    (bot,) = bots
    assert [turn.match.options for turn in bot.turns] == [GameOptions()]
    assert [result.ending for result in bot.results] == [Ending.VOID]
