"""Many games: the same for the same seed, counted right, also by child processes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kitumaija.sdk.arena import arena
from kitumaija.sdk.arena.standings import GamePlayed, standings
from kitumaija.sdk.errors import BotError, LoadError, UsageError
from kitumaija.sdk.records import read_record, verify
from tests.support.bots import First, Illegal, Last, Raises


def _game(bots: tuple[int, ...], places: tuple[int, ...]) -> GamePlayed:
    return GamePlayed(bots, places, "finished", 10, (0,) * len(bots), ())


def test_the_same_seed_gives_the_same_standings() -> None:
    first = arena([First, Last], seats=2, games=6, seed=1)

    assert arena([First, Last], seats=2, games=6, seed=1) == first
    assert arena([First, Last], seats=2, games=6, seed=2) != first


def test_games_are_rounded_up_to_whole_sets() -> None:
    result = arena([First, Last, First], seats=3, games=4, seed=1)

    assert (result.games, result.sets) == (6, 2)
    assert [row.games for row in result.rows] == [6, 6, 6]
    assert sum(result.terminations.values()) == 6


def test_two_bots_of_one_class_are_two_rows() -> None:
    result = arena([First, First], seats=2, games=2, seed=1)

    assert {row.name for row in result.rows} == {"First", "First-2"}


def test_a_bot_that_sits_twice_at_a_table_is_counted_twice() -> None:
    result = arena([First, Last], seats=4, games=4, seed=1)

    assert [row.games for row in result.rows] == [8, 8]


def test_beating_is_counted_by_sets_with_ties_as_halves() -> None:
    sets = [
        [_game((0, 1), (1, 2)), _game((1, 0), (1, 2))],
        [_game((0, 1), (1, 2)), _game((1, 0), (1, 1))],
        [_game((0, 0, 1, 1), (1, 4, 2, 3))],
    ]
    result = standings(["A", "B"], 4, sets, duplicate=True)

    assert result.beats("A", "B").share == pytest.approx((0.5 + 0.75 + 0.5) / 3)
    assert result.beats("B", "A").share == pytest.approx(1 - result.beats("A", "B").share)
    assert {pair.sets for pair in result.against} == {3}
    with pytest.raises(KeyError, match="A and C never met"):
        result.beats("A", "C")


def test_the_best_mean_place_stands_first() -> None:
    games = [_game((0, 1), (2, 1)), _game((1, 0), (1, 2))]
    result = standings(["A", "B"], 2, [games], duplicate=True)

    assert [(row.name, row.mean_place, row.places) for row in result.rows] == [
        ("B", 1.0, (2, 0)),
        ("A", 2.0, (0, 2)),
    ]


@pytest.mark.parametrize("bad", [Raises, Illegal])
def test_errors_of_a_bot_are_counted_and_the_first_is_shown(bad: type) -> None:
    result = arena([bad, First], seats=2, games=2, seed=1)

    row = next(row for row in result.rows if row.name == bad.__name__)
    assert row.errors > 2
    assert row.first_error.startswith(f"{bad.__name__}: choose")
    assert all(not other.errors for other in result.rows if other is not row)


def test_errors_may_be_raised() -> None:
    with pytest.raises(BotError, match="Raises: choose raised"):
        arena([Raises, First], seats=2, games=2, seed=1, on_error="raise")


def test_progress_is_told_by_sets() -> None:
    heard: list[int] = []

    arena([First, Last], seats=2, games=6, seed=1, progress=heard.append)

    assert heard == [2, 4, 6]


def test_every_game_leaves_its_record(tmp_path: Path) -> None:
    arena([First, Last], seats=2, games=4, seed=1, records=tmp_path / "games")

    files = sorted((tmp_path / "games").iterdir())
    assert [file.name for file in files] == ["2-0-0.kitu", "2-0-1.kitu", "2-1-0.kitu", "2-1-1.kitu"]
    assert all(f.holds for file in files for f in verify(read_record(file)))


def test_the_games_of_a_set_have_one_deal_or_each_its_own(tmp_path: Path) -> None:
    def seeds(*, duplicate: bool) -> list[list[bytes]]:
        folder = tmp_path / str(duplicate)
        arena([First, Last], seats=2, games=4, seed=1, duplicate=duplicate, records=folder)
        found = [read_record(file).game.deal.seed for file in sorted(folder.iterdir())]
        return [found[:2], found[2:]]

    assert [len(set(one)) for one in seeds(duplicate=True)] == [1, 1]
    assert len({seed for one in seeds(duplicate=False) for seed in one}) == 4


def test_everything_is_told_as_plain_values() -> None:
    plain = arena([First, Last], seats=2, games=2, seed=1).as_dict()

    assert json.loads(json.dumps(plain)) == plain
    assert set(plain) == {
        "seats",
        "games",
        "sets",
        "duplicate",
        "decisions",
        "terminations",
        "standings",
        "beats",
    }


@pytest.mark.parametrize(
    ("bots", "numbers", "says"),
    [
        ([First], {}, "two bots or more"),
        ("sample:smallest", {}, "two bots or more"),
        ([First, Last], {"seats": 1}, "seats: got 1"),
        ([First, Last], {"seats": 11}, "seats: got 11"),
        ([First, Last], {"games": 0}, "games: got 0"),
        ([First, Last], {"jobs": 0}, "jobs: got 0"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    bots: list[type], numbers: dict[str, int], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        arena(bots, **{"seats": 2, "games": 2, "seed": 1, **numbers})  # type: ignore[arg-type]


def test_a_bot_that_cannot_be_loaded_is_told_before_the_first_game() -> None:
    with pytest.raises(LoadError, match="no such sample bot"):
        arena(["sample:smallest", "sample:nobody"], seats=2, games=2, seed=1)
