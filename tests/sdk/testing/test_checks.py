"""A check finds what is wrong with a bot, and says how to see it again."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kitumaija.sdk import Action, Bot, Card, Match, Turn, play
from kitumaija.sdk.errors import BotError
from kitumaija.sdk.rules import GameOptions
from kitumaija.sdk.testing import ALL_OPTIONS, Anything, check_bot
from kitumaija.wire.times import Limits
from tests.support.bots import AsyncFirst, First, Illegal, Raises


def test_a_sound_bot_passes_and_the_check_says_what_it_went_through() -> None:
    found = check_bot(First, seeds=range(3), seats=(2, 3))

    assert found.games == 6
    assert found.decisions > 50
    assert found.late == 0


def test_an_async_bot_is_checked_too() -> None:
    assert check_bot(AsyncFirst, seeds=range(1), seats=2).games == 1


def test_every_combination_of_options_takes_its_turn() -> None:
    seen: set[GameOptions] = set()

    class Notes(First):
        def on_start(self, match: Match) -> None:
            seen.add(match.options)

    check_bot(Notes, seeds=range(len(ALL_OPTIONS)), seats=2)

    assert seen == set(ALL_OPTIONS)


def test_the_bot_sits_in_every_seat() -> None:
    seats: set[int] = set()

    class Notes(First):
        def on_start(self, match: Match) -> None:
            seats.add(match.seat)

    check_bot(Notes, seeds=range(4), seats=3)

    assert seats == {0, 1, 2}


@pytest.mark.parametrize("bad", [Raises, Illegal])
def test_an_error_is_raised_with_the_call_that_shows_it_again(bad: type[Bot]) -> None:
    with pytest.raises(BotError) as raised:
        check_bot(bad, seeds=[5], seats=3)

    call = str(raised.value).partition("game:")[2].splitlines()[0].strip()
    names = {bad.__name__: bad, "Anything": Anything, "GameOptions": GameOptions, "play": play}
    with pytest.raises(BotError) as again:
        eval(call, names)
    assert again.value.turn == raised.value.turn


def test_a_rare_error_is_found() -> None:
    class Forgets(First):
        """Forgets that there are leads."""

        def choose(self, turn: Turn) -> Action | Card:
            assert turn.top is not None, "what is there to catch?"
            return super().choose(turn)

    with pytest.raises(BotError, match="what is there to catch"):
        check_bot(Forgets, seeds=range(200))


def test_late_decisions_are_counted_by_the_clock_that_is_given() -> None:
    now = 0

    def clock() -> int:
        return now

    class Slow(First):
        def choose(self, turn: Turn) -> Action | Card:
            nonlocal now
            now += 2_000_000_000
            return turn.legal[0]

    limits = Limits(per_decision=timedelta(seconds=1), bank=timedelta(0))
    found = check_bot(Slow, seeds=range(1), seats=2, limits=limits, clock=clock)

    assert found.late == found.decisions > 0
    assert found.slowest == timedelta(seconds=2)
