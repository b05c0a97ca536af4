"""A game here, by the production rules."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from kitumaija.engine import DecidedBy, event_for, new_game, replay
from kitumaija.sdk import Action, Bot, Card, Match, Result, Turn, play
from kitumaija.sdk.clocks import Clock
from kitumaija.sdk.errors import BotError, UsageError
from kitumaija.sdk.events import Dealt, StartCardTurned
from kitumaija.sdk.match import Ending
from kitumaija.sdk.rules import GameOptions, PickUp
from kitumaija.wire.times import Limits
from tests.support.bots import AsyncFirst, First, Illegal, Last, Raises


def _kept() -> tuple[list[First], type[First]]:
    """A class that plays the first legal action, and the bots that were made of it."""
    made: list[First] = []

    class Kept(First):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    return made, Kept


def test_the_same_seed_gives_the_same_game() -> None:
    assert play([First, Last], seed=7).record == play([First, Last], seed=7).record
    assert play([First, Last], seed=7).record != play([First, Last], seed=8).record


@pytest.mark.parametrize("seed", [0, "", "a text", bytes(32)])
def test_any_number_or_text_and_32_bytes_are_seeds(seed: str | int | bytes) -> None:
    assert play([First, Last], seed=seed).places in {(1, 2), (2, 1), (1, 1)}


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_game_replays_to_the_same_end_at_every_table(seats: int) -> None:
    played = play([First, Last] * 5 if seats == 10 else [First] * seats, seed="table")

    replayed = replay(played.record)

    assert replayed.final == played.final
    assert len(played.places) == len(played.players) == seats


def test_bots_of_one_class_are_told_apart_by_a_number() -> None:
    played = play([First, Last, First, First], seed=1)

    assert [player.name for player in played.players] == ["First", "Last", "First-2", "First-3"]
    assert played.record.seats == ("First", "Last", "First-2", "First-3")


def test_every_bot_is_made_anew_for_a_match_and_hears_its_whole_course() -> None:
    made, kept = _kept()

    played = play([kept, kept], seed="course")

    assert len(made) == 2
    for seat, bot in enumerate(made):
        (match,), (result,) = bot.matches, bot.results
        assert match.seat == seat
        assert match.seats == 2
        assert [turn.decision_id for turn in bot.turns] == list(range(1, len(bot.turns) + 1))
        assert result.match == match
        assert result.ending is Ending.PLAYED
        assert (result.places, result.termination) == (played.places, played.termination)
        assert result.deal == played.record.deal
        assert result.hands == tuple(played.final.hand(player.seat) for player in match.players)


def test_the_events_of_all_turns_are_what_the_seat_may_see_each_once_and_in_order() -> None:
    made, kept = _kept()

    played = play([kept, Last, kept], seed="events")

    steps = replay(played.record).steps
    happened = [event for step in steps for event in step.events]
    for bot in made:
        told = [event for turn in bot.turns for event in turn.events] + [*bot.results[0].events]
        assert told == [event_for(event, bot.matches[0].seat) for event in happened]


def test_the_first_turn_tells_the_deal() -> None:
    made, kept = _kept()

    played = play([kept, Last], seed="deal")

    deal = new_game(played.record.deal.key, 2)
    own, other, start = made[0].turns[0].events
    assert own == deal.events[0]
    assert other == Dealt(played.players[1].seat, 5, None)
    assert isinstance(start, StartCardTurned)


def test_the_options_hold_for_the_game() -> None:
    options = GameOptions(pickup=PickUp.ALWAYS, turns_per_player=3)

    played = play([First, Last], seed=1, options=options)

    assert played.record.options == options
    assert played.final.turns <= 6


def test_an_async_bot_is_awaited() -> None:
    assert play([AsyncFirst, AsyncFirst], seed=3).places == play([First, First], seed=3).places


async def test_an_async_bot_inside_a_running_loop_is_refused_with_the_way_out() -> None:
    with pytest.raises(UsageError, match=r"asyncio.to_thread"):
        play([AsyncFirst, First], seed=1)


@pytest.mark.parametrize("bots", [[], [First], [First] * 11, First])
def test_a_wrong_number_of_bots_is_refused(bots: list[type[Bot]]) -> None:
    with pytest.raises(UsageError, match="wanted"):
        play(bots, seed=1)


def test_an_exception_in_a_bot_is_raised_with_its_turn_and_cause() -> None:
    with pytest.raises(BotError, match="choose raised ZeroDivisionError: the author") as raised:
        play([Raises, First], seed=1)

    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    assert raised.value.bot == "Raises"
    assert raised.value.turn is not None
    assert raised.value.turn.decision_id == 1


def test_an_illegal_answer_is_raised_with_what_was_legal() -> None:
    with pytest.raises(BotError, match="'take 6', which is not legal") as raised:
        play([First, Illegal], seed=1)

    assert "legal:" in str(raised.value)


@pytest.mark.parametrize("bad", [Raises, Illegal])
def test_with_fallback_the_first_legal_action_stands_in_and_the_errors_are_kept(
    bad: type[Bot],
) -> None:
    played = play([bad, First], seed=4, on_error="fallback")

    assert played.places == play([First, First], seed=4).places
    own = [decision for decision in played.record.decisions if decision.seat == 0]
    assert len(played.problems) == len(own)
    assert {decision.by for decision in own} == {DecidedBy.BOT}


def test_a_bot_that_cannot_be_made_is_told() -> None:
    class Unmade(First):
        def __init__(self) -> None:
            raise OSError("no model")

    with pytest.raises(BotError, match="Unmade: making the bot raised OSError: no model"):
        play([Unmade, First], seed=1)


def test_a_function_that_makes_no_bot_is_told() -> None:
    def nothing() -> Bot:
        return None  # type: ignore[return-value]

    with pytest.raises(BotError, match="nothing: wanted a Bot, and got None"):
        play([nothing, First], seed=1)


@pytest.mark.parametrize("method", ["on_start", "on_end"])
def test_an_exception_outside_of_choose_is_told(method: str) -> None:
    def fail(bot: Bot, value: Match | Result) -> None:
        raise KeyError("author")

    failing = type("Failing", (First,), {method: fail})

    with pytest.raises(BotError, match=f"Failing: {method} raised KeyError"):
        play([failing, First], seed=1)
    assert len(play([failing, First], seed=1, on_error="fallback").problems) == 1


class Slow(First):
    """Lets `used` nanoseconds pass on `clock` before it answers."""

    clock: Clock
    used = 0

    def choose(self, turn: Turn) -> Action | Card:
        Passing.now += self.used
        return super().choose(turn)


class Passing:
    """A clock that stands but when a slow bot moves it."""

    now = 0

    def __call__(self) -> int:
        return Passing.now


LIMITS = Limits(
    per_decision=timedelta(milliseconds=100),
    bank=timedelta(0),
    margin=timedelta(milliseconds=50),
)


@pytest.mark.parametrize(("used_ms", "late"), [(149, False), (150, False), (151, True)])
def test_a_decision_is_late_beyond_its_time_and_the_margin(used_ms: int, *, late: bool) -> None:
    slow = type("Slow", (Slow,), {"used": used_ms * 1_000_000})

    played = play([slow, First], seed=2, limits=LIMITS, clock=Passing())

    own = [decision for decision in played.record.decisions if decision.seat == 0]
    assert {decision.fault for decision in own} == {"decision_timeout" if late else None}
    assert {decision.by for decision in own} == {DecidedBy.DEFAULT if late else DecidedBy.BOT}
    assert played.late == (len(own) if late else 0, 0)


def test_the_bank_is_spent_only_above_the_time_for_a_decision() -> None:
    made, kept = _kept()
    # A checker sees a First before its own heir here; at run time it is Kept, which has none.
    bases: Any = (kept, Slow)
    slow = type("Slow", bases, {"used": 200_000_000})
    limits = Limits(
        per_decision=timedelta(milliseconds=100),
        bank=timedelta(milliseconds=120),
        margin=timedelta(milliseconds=50),
        increment=timedelta(milliseconds=10),
    )

    play([slow, First], seed=2, limits=limits, clock=Passing())

    banks = [turn.bank / timedelta(milliseconds=1) for turn in made[0].turns[:4]]
    assert banks == [120, 80, 40, 0]
    assert made[0].turns[1].last_used == timedelta(milliseconds=200)
    assert made[0].turns[0].time_left == timedelta(milliseconds=220)
