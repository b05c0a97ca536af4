"""Matches over the network: what a bot is told, from the offer to the end."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta

import pytest

from kitumaija.engine import position
from kitumaija.sdk import Action, Bot, Card, Match, Result, Turn, play
from kitumaija.sdk.match import Ending
from kitumaija.sdk.rules import GameOptions, PickUp, default_action
from kitumaija.sdk.testing import Line, host_match, seating_of
from kitumaija.v1 import arena_pb2, fault_pb2
from kitumaija.wire.kinds import Kind
from kitumaija.wire.times import Limits
from tests.support.bots import AsyncFirst, First
from tests.support.client import playing

STATE = position(seats=2, mover=0, hands={0: "8H 2D 9C 3S 4S", 1: "2C"}, pile="7H", stock="5C 6C")


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
        seating.options.repetition = 1  # no rule is called so, in no version
        await line.say(arena_pb2.ServerMessage(seating=seating))
        await line.offer("good")
        await line.seat("good")
        await line.ask("good", 1, STATE)
        assert (await line.hear(Kind.ANSWER)).match_id == "good"

    async with playing(First, script):
        pass

    assert "cannot be read, SEATING" in caplog.text
