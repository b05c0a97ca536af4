"""Matches over the network: what a bot is told, and what becomes of what it answers."""

from __future__ import annotations

import asyncio
import logging
import threading
from datetime import timedelta

import pytest

from kitumaija.engine import apply, new_game, position, text_seed
from kitumaija.sdk import Action, Bot, Card, Match, PlayCard, Result, Turn, play
from kitumaija.sdk.errors import BotError
from kitumaija.sdk.match import Ending
from kitumaija.sdk.rules import GameOptions, PickUp, default_action
from kitumaija.sdk.testing import Line, host_match, seating_of
from kitumaija.v1 import arena_pb2, fault_pb2
from kitumaija.wire.codec import action_from_message, action_to_message, legal_to_message
from kitumaija.wire.kinds import Kind
from kitumaija.wire.times import Limits
from tests.support.bots import AsyncFirst, First, Illegal, Raises
from tests.support.client import playing

STATE = position(seats=2, mover=0, hands={0: "8H 2D 9C 3S 4S", 1: "2C"}, pile="7H", stock="5C 6C")
DEAL = new_game(text_seed("client"), 2)


def _kept() -> tuple[list[First], type[First]]:
    made: list[First] = []

    class Kept(First):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    return made, Kept


async def test_a_match_is_played_from_the_offer_to_the_end() -> None:
    made, kept = _kept()

    async def script(line: Line) -> None:
        await line.greet()
        await host_match(line, "m", seed="network", seats=3, seat=1)

    async with playing(kept, script):
        pass

    (bot,) = made
    (match,), (result,) = bot.matches, bot.results
    assert (match.match_id, match.seat, match.seats) == ("m", 1, 3)
    assert [player.name for player in match.players] == ["Other-0", "Bot", "Other-2"]
    assert result.ending is Ending.PLAYED
    assert result.match == match
    assert result.deal is not None
    assert len(result.hands) == 3


async def test_the_network_tells_a_bot_exactly_what_local_play_tells_it() -> None:
    made, kept = _kept()

    class Default(Bot):
        def choose(self, turn: Turn) -> Action:
            return default_action(turn.view, turn.legal)

    async def script(line: Line) -> None:
        await line.greet()
        await host_match(line, "local/same", seed="same", seats=3, seat=1)

    async with playing(kept, script):
        pass
    play([Default, kept, Default], seed="same")

    online, local = made
    assert len(online.turns) == len(local.turns) > 5
    for there, here in zip(online.turns, local.turns, strict=True):
        assert there.view == here.view
        assert there.legal == here.legal
        assert there.events == here.events
        assert there.decision_id == here.decision_id
    assert online.results[0].events == local.results[0].events
    assert online.results[0].hands == local.results[0].hands
    assert online.results[0].places == local.results[0].places


async def test_hello_tells_who_comes_and_how_much_it_takes_on() -> None:
    heard: list[arena_pb2.Hello] = []

    async def script(line: Line) -> None:
        assert line.token == "token"
        heard.append(await line.greet())

    async with playing(First, script, capacity=3, version="v7"):
        pass

    (hello,) = heard
    assert hello.sdk.startswith("kitumaija-python/")
    assert (hello.language, hello.bot_version, hello.capacity) == ("python", "v7", 3)


async def test_every_match_has_a_bot_of_its_own_and_they_play_at_the_same_time() -> None:
    made, kept = _kept()

    async def script(line: Line) -> None:
        await line.greet()
        for match in ("a", "b"):
            await line.offer(match)
            await line.seat(match)
        for match in ("a", "b"):
            await line.ask(match, 1, STATE)
        assert {(await line.hear(Kind.ANSWER)).match_id for _ in range(2)} == {"a", "b"}

    async with playing(kept, script):
        pass

    assert [len(bot.turns) for bot in made] == [1, 1]


async def test_a_bot_that_thinks_holds_up_neither_pings_nor_other_matches() -> None:
    release = threading.Event()

    class Thinks(First):
        def choose(self, turn: Turn) -> Action | Card:
            if turn.match.match_id == "slow":
                release.wait(30)
            return super().choose(turn)

    async def script(line: Line) -> None:
        await line.greet()
        for match in ("slow", "fast"):
            await line.offer(match)
            await line.seat(match)
        await line.ask("slow", 1, STATE)
        await line.say(arena_pb2.ServerMessage(ping=arena_pb2.Ping(nonce=9)))
        assert (await line.hear(Kind.PONG)).nonce == 9
        await line.ask("fast", 1, STATE)
        assert (await line.hear(Kind.ANSWER)).match_id == "fast"
        release.set()
        assert (await line.hear(Kind.ANSWER)).match_id == "slow"

    async with playing(Thinks, script):
        pass


async def test_all_plain_methods_of_a_bot_are_called_in_one_thread_that_is_not_the_clients() -> (
    None
):
    threads: list[threading.Thread] = []

    class Notes(First):
        def __init__(self) -> None:
            super().__init__()
            threads.append(threading.current_thread())

        def on_start(self, match: Match) -> None:
            threads.append(threading.current_thread())

        def choose(self, turn: Turn) -> Action | Card:
            threads.append(threading.current_thread())
            return turn.legal[0]

        def on_end(self, result: Result) -> None:
            threads.append(threading.current_thread())

    async def script(line: Line) -> None:
        await line.greet()
        await host_match(line, "m", seed=1)

    async with playing(Notes, script):
        pass

    assert len(threads) > 4
    assert len(set(threads)) == 1
    assert threads[0] is not threading.current_thread()


async def test_an_async_bot_is_awaited_on_the_loop() -> None:
    threads: list[threading.Thread] = []

    class Notes(AsyncFirst):
        async def choose(self, turn: Turn) -> Action:
            threads.append(threading.current_thread())
            return await super().choose(turn)

    async def script(line: Line) -> None:
        await line.greet()
        await host_match(line, "m", seed=1)

    async with playing(Notes, script):
        pass

    assert set(threads) == {threading.current_thread()}


async def test_a_decision_tells_the_times_that_the_server_measured() -> None:
    made, kept = _kept()
    limits = Limits(per_decision=timedelta(milliseconds=1_250), bank=timedelta(milliseconds=7_500))

    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m", limits=limits)
        await line.seat("m", options=GameOptions(pickup=PickUp.ALWAYS))
        await line.ask("m", 1, STATE, limits=limits)
        await line.hear(Kind.ANSWER)

    async with playing(kept, script):
        pass

    (turn,) = made[0].turns
    assert turn.time_left == timedelta(milliseconds=8_750)
    assert turn.bank == timedelta(milliseconds=7_500)
    assert turn.match.limits == limits
    assert turn.match.options.pickup is PickUp.ALWAYS
    assert timedelta(0) < turn.remaining() < turn.time_left


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
    never = threading.Event()

    class Thinks(First):
        def choose(self, turn: Turn) -> Action | Card:
            if turn.decision_id == 1:
                never.wait(30)
            told.append(len(turn.events))
            return turn.legal[0]

    class Waits(Bot):
        async def choose(self, turn: Turn) -> Action:
            if turn.decision_id == 1:
                await asyncio.Event().wait()
            told.append(len(turn.events))
            return turn.legal[0]

    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        await line.ask("m", 2, STATE, events=DEAL.events)
        await line.say(arena_pb2.ServerMessage(ping=arena_pb2.Ping()))
        await line.hear(Kind.PONG)  # by now the bot's end has heard of the second decision
        never.set()
        assert (await line.hear(Kind.ANSWER)).decision_id == 2

    async with playing(Waits if is_async else Thinks, script):
        pass

    assert told[-1] == len(DEAL.events)


async def test_a_void_match_and_its_reason_are_told() -> None:
    made, kept = _kept()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    class Ends(kept):  # type: ignore[misc, valid-type]
        def on_end(self, result: Result) -> None:
            super().on_end(result)
            loop.call_soon_threadsafe(ended.set)

    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        end = arena_pb2.MatchEnd(
            match_id="m", ending=arena_pb2.MATCH_ENDING_VOID, void_reason="a fault of the server"
        )
        await line.say(arena_pb2.ServerMessage(match_end=end))
        await ended.wait()

    async with playing(Ends, script):
        pass

    (result,) = made[0].results
    assert result.ending is Ending.VOID
    assert result.place is None
    assert not result.won
    assert not result.lost
    assert result.void_reason == "a fault of the server"


async def test_faults_and_forfeits_are_told_at_the_end() -> None:
    made, kept = _kept()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    class Ends(kept):  # type: ignore[misc, valid-type]
        def on_end(self, result: Result) -> None:
            super().on_end(result)
            loop.call_soon_threadsafe(ended.set)

    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        end = arena_pb2.MatchEnd(
            match_id="m",
            ending=arena_pb2.MATCH_ENDING_FORFEITS,
            places=[1, 2],
            forfeits=[arena_pb2.Forfeit(seat=1, fault=fault_pb2.FAULT_KIND_FLOODING)],
            faults=[
                arena_pb2.SeatFaults(
                    seat=1,
                    faults=[fault_pb2.FAULT_KIND_DECISION_TIMEOUT, fault_pb2.FAULT_KIND_FLOODING],
                )
            ],
        )
        await line.say(arena_pb2.ServerMessage(match_end=end))
        await ended.wait()

    async with playing(Ends, script):
        pass

    (result,) = made[0].results
    assert result.ending is Ending.FORFEITS
    assert result.termination is None
    assert result.forfeits == (1,)
    assert result.faults == ((), ("decision_timeout", "flooding"))
    assert result.won


async def test_what_a_newer_server_says_beside_is_passed_over() -> None:
    async def script(line: Line) -> None:
        await line.greet()
        await line.say(arena_pb2.ServerMessage())
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        assert (await line.hear(Kind.ANSWER)).decision_id == 1

    async with playing(First, script):
        pass


async def test_a_message_that_cannot_be_read_is_logged_and_the_rest_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("bad")
        seating = seating_of("bad")
        seating.options.pickup = 99  # type: ignore[assignment]
        await line.say(arena_pb2.ServerMessage(seating=seating))
        await line.offer("good")
        await line.seat("good")
        await line.ask("good", 1, STATE)
        assert (await line.hear(Kind.ANSWER)).match_id == "good"

    async with playing(First, script):
        pass

    assert "cannot be read, SEATING" in caplog.text
