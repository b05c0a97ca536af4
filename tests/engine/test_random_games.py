"""The promises of the rules, held over 100,000 random games of every kind of table."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.engine.soak_rules import ORACLE_EVERY, compare_with_oracle, parts_of, play_part
from tests.support.pairs import Row, all_pairs, pairs_of
from tests.support.playouts import (
    FULL_CAP,
    NO_CAP,
    PARAMETERS,
    ROWS,
    games_of,
    play_and_check,
)

# A row takes seconds, on a machine that others use a minute.
pytestmark = pytest.mark.timeout(600)

GAMES = 100_000
GAMES_A_ROW = -(-GAMES // len(ROWS))
GAMES_OF_EACH_PAIR = 200


def row_id(row: Row) -> str:
    return "-".join(str(value) for value in row.values())


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_every_state_of_a_random_game_keeps_the_promises_of_the_rules(row: Row) -> None:
    for game in games_of(row, GAMES_A_ROW):
        play_and_check(game)


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_a_second_reading_of_the_rules_agrees_on_every_twentieth_game(row: Row) -> None:
    for game in islice(games_of(row, GAMES_A_ROW), 0, None, ORACLE_EVERY):
        compare_with_oracle(game)


def test_the_soak_finds_nothing_in_a_few_games_and_plays_as_many_as_asked() -> None:
    parts = parts_of(100)

    assert sum(part.last - part.first for part in parts) >= 100
    assert [play_part(part) for part in parts] == [""] * len(parts)


def test_the_rows_hold_two_hundred_games_of_any_two_settings() -> None:
    kinds: dict[int, str] = {FULL_CAP: "full", NO_CAP: "none"}
    games = dict.fromkeys(all_pairs({**PARAMETERS, "cap": [*kinds.values(), "short"]}), 0)

    for row in ROWS:
        for game in games_of(row, GAMES_A_ROW):
            cap = kinds.get(game.options.turns_per_player, "short")
            for pair in pairs_of({**row, "cap": cap}):
                games[pair] += 1

    assert min(games.values()) >= GAMES_OF_EACH_PAIR
