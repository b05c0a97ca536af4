"""The sample bots: sound, small, and each at its lesson."""

from __future__ import annotations

import ast
import asyncio
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kitumaija.engine import replay
from kitumaija.sdk import Action, Bot, Card, Match, PlayCard, TakeCards, Turn, TurnCard, play
from kitumaija.sdk.arena import arena
from kitumaija.sdk.clocks import CountedClock
from kitumaija.sdk.loading import load, sample_names
from kitumaija.sdk.testing import Line, ScriptedServer, check_bot, host_match, make_turn
from kitumaija.wire.exits import ExitCode
from kitumaija.wire.times import Limits
from tests.support.client import client_for
from tests.support.syntax import tree_of

LADDER = ("smallest", "gambler", "observer", "rememberer", "timekeeper")
NAMES = sample_names()


def _source(name: str) -> str:
    return Path(sys.modules[load(f"sample:{name}").__module__].__file__ or "").read_text("utf-8")


def _answer(name: str, turn: Turn) -> object:
    bot = load(f"sample:{name}")()
    bot.on_start(turn.match)
    reply = bot.choose(turn)
    return PlayCard(reply) if isinstance(reply, Card) else reply


def test_there_are_six_and_the_steps_among_them() -> None:
    assert set(NAMES) == {*LADDER, "async_bot"}


@pytest.mark.parametrize("name", NAMES)
def test_it_is_sound_under_all_options_of_the_rules(name: str) -> None:
    found = check_bot(load(f"sample:{name}"), seeds=range(9), seats=(2, 3))

    assert found.late == 0


@pytest.mark.parametrize("name", NAMES)
def test_it_holds_out_at_the_largest_table(name: str) -> None:
    assert check_bot(load(f"sample:{name}"), seeds=[1], seats=10).late == 0


@pytest.mark.parametrize("name", NAMES)
def test_it_plays_the_same_game_again(name: str) -> None:
    bots = [load(f"sample:{name}"), load("sample:smallest")]

    assert play(bots, seed="again").record == play(bots, seed="again").record


@pytest.mark.parametrize("name", NAMES)
def test_it_is_short_and_begins_with_its_lesson(name: str) -> None:
    source = _source(name)

    assert len(source.splitlines()) <= (14 if name == "smallest" else 100)
    assert "Lesson:" in (ast.get_docstring(tree_of(source)) or "")


@pytest.mark.parametrize("name", NAMES)
def test_it_imports_the_sdk_and_the_standard_library_alone(name: str) -> None:
    imported = re.findall(r"^(?:from|import) ([\w.]+)", _source(name), re.MULTILINE)

    strange = {
        module
        for module in imported
        if not module.startswith("kitumaija.sdk")
        and module.partition(".")[0] not in sys.stdlib_module_names
    }
    assert strange == set()


@pytest.mark.parametrize("name", NAMES)
async def test_it_plays_a_match_over_the_network(name: str) -> None:
    async def script(line: Line) -> None:
        await line.greet()
        await host_match(line, "m", seed=3)

    async with ScriptedServer(script) as server:
        client = client_for(server, load(f"sample:{name}"), on_error="raise")
        run = asyncio.create_task(client.run())
        await server.played()
        client.stop()
        await run


@pytest.mark.parametrize("name", NAMES)
def test_its_file_is_a_program(name: str) -> None:
    path = sys.modules[load(f"sample:{name}").__module__].__file__ or ""

    done = subprocess.run(
        [sys.executable, path], env={}, capture_output=True, text=True, check=False
    )

    assert done.returncode == ExitCode.USAGE
    assert done.stderr.startswith("no server: set KITUMAIJA_ADDRESS")


##### Strength: a smoke test; `make sample-strength` measures it #####


@pytest.mark.parametrize(("bot", "before"), [("observer", "smallest"), ("rememberer", "observer")])
def test_a_step_is_clear_at_two_seats_even_in_few_games(bot: str, before: str) -> None:
    result = arena([f"sample:{bot}", f"sample:{before}"], seats=2, games=60, seed=1)

    assert result.rows[0].name.lower() == bot
    assert not any(row.errors or row.late for row in result.rows)


def test_looking_ahead_is_clearly_better_in_few_games() -> None:
    result = arena(["sample:timekeeper", "sample:rememberer"], seats=2, games=12, seed=1)

    assert result.rows[0].name == "Timekeeper"


##### Lessons #####


def test_the_observer_catches_with_the_cheapest_card_and_keeps_its_trumps() -> None:
    assert _answer("observer", make_turn(hand="KH 8H 2D", top="7H")) == PlayCard(Card.HEARTS_EIGHT)
    assert _answer("observer", make_turn(hand="2D 9D 3C", top="7H")) == PlayCard(Card.DIAMONDS_TWO)


def test_the_observer_sheds_what_anybody_can_catch_and_the_queen_before_all() -> None:
    free = make_turn(hand="AC 2S AD 9H", pile="7H 9D", phase="FREE")
    queen = make_turn(hand="AC 2S QS", pile="7H 9D", phase="FREE")

    assert _answer("observer", free) == PlayCard(Card.SPADES_TWO)
    assert _answer("observer", queen) == PlayCard(Card.SPADES_QUEEN)


def test_the_observer_tries_luck_while_the_stock_is_large() -> None:
    assert _answer("observer", make_turn(hand="2C", top="AC", stock_size=6)) == TurnCard()
    assert _answer("observer", make_turn(hand="2C", top="AC", stock_size=5)) == TakeCards(1)


def test_the_rememberer_knows_the_pile_and_what_others_picked_up() -> None:
    known: list[tuple[list[Card], set[Card]]] = []
    cls: Any = load("sample:rememberer")

    class Watched(cls):  # type: ignore[misc]
        def choose(self, turn: Turn) -> Action | Card:
            reply: Action | Card = super().choose(turn)
            known.append((list(self.pile), set(self.held[1])))
            return reply

    played = play([Watched, load("sample:smallest")], seed="memory")

    asked = [
        step.state
        for step, decision in zip(
            replay(played.record).steps, played.record.decisions, strict=False
        )
        if decision.seat == 0
    ]
    assert len(known) == len(asked) > 20
    for state, (pile, held) in zip(asked, known, strict=True):
        assert tuple(pile) == state.pile
        assert held <= set(state.hand(played.players[1].seat))
    assert any(held for _, held in known)


@pytest.mark.parametrize(("per_decision", "bank"), [(1_000, 10_000), (4, 10_000), (3, 0)], ids=str)
def test_the_timekeeper_is_never_late_and_never_touches_its_bank(
    per_decision: int, bank: int
) -> None:
    limits = Limits(
        per_decision=timedelta(milliseconds=per_decision),
        bank=timedelta(milliseconds=bank),
        margin=timedelta(0),
    )
    banks: list[timedelta] = []
    cls: Any = load("sample:timekeeper")

    class Watched(cls):  # type: ignore[misc]
        def choose(self, turn: Turn) -> Action:
            banks.append(turn.bank)
            action: Action = super().choose(turn)
            return action

    bots: list[type[Bot]] = [Watched, load("sample:smallest")]
    played = play(bots, seed="clock", limits=limits, clock=CountedClock())

    assert played.late == (0, 0)
    assert set(banks) == {limits.bank}


def test_the_timekeeper_thinks_longer_where_looking_at_the_clock_is_cheap() -> None:
    looks: dict[int, int] = {}

    class Counting(CountedClock):
        def __init__(self, microseconds: int) -> None:
            super().__init__(timedelta(microseconds=microseconds))
            self.cost = microseconds
            looks[microseconds] = 0

        def __call__(self) -> int:
            looks[self.cost] += 1
            return super().__call__()

    cls: Any = load("sample:timekeeper")
    for cost in (1_000, 250):
        turn = make_turn(hand="8H 2D 9C 3S 4S", top="7H", clock=Counting(cost))
        bot = cls()
        bot.on_start(turn.match)
        bot.memory = _Forgetful(turn)
        bot.choose(turn)

    assert looks[250] > looks[1_000]


class _Forgetful:
    """A memory without events: the world is made from the turn alone."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn

    def hear(self, events: object) -> None:
        """Hear nothing."""

    def world(self, turn: Turn, random: Random) -> object:
        from kitumaija.sdk.rules import position

        return position(
            seats=2, mover=0, hands={0: turn.hand, 1: "5C 6C 7C 8C KC"}, pile="7H", stock="3H 4H"
        )


def test_the_gambler_gambles_by_the_match_and_not_by_the_moment() -> None:
    turn = make_turn(hand="8H 2D 9C 3S 4S", top="7H")
    answers = {str(_answer("gambler", turn)) for _ in range(5)}

    assert len(answers) == 1


def test_the_ladder_of_the_readme_is_the_one_that_is_measured() -> None:
    readme = Path(__file__).parents[2] / "sample_bots" / "README.md"
    listed = re.findall(r"^\| \[(\w+)\]", readme.read_text("utf-8"), re.MULTILINE)

    assert listed == [*LADDER, "async_bot"]


def test_a_match_is_told_to_a_fresh_bot() -> None:
    """Two matches at once must not share what a sample keeps."""
    turn = make_turn(hand="8H 2D 9C 3S 4S", top="7H")
    match: Match = turn.match
    first: Any = load("sample:rememberer")()
    second: Any = load("sample:rememberer")()
    first.on_start(match)
    second.on_start(match)

    assert first.pile is not second.pile
