"""The rows of `server/docs/calibration.md` that rest on real games, and a few of those games."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from kitumaija.engine import default_action, legal_actions, new_game, text_seed, view
from kitumaija.server.goal import Goal
from kitumaija.server.rating.fit.comparisons import Comparisons
from kitumaija.server.rating.fit.model import strengths
from kitumaija.server.rating.results import RatedResult
from tests.server.rating.engine_calibration import (
    DIALS,
    ENGINE_ROWS,
    ENGINE_STOPS,
    EngineRow,
    EngineStops,
    measure_engine,
)
from tests.server.rating.make_calibration import CALIBRATION
from tests.server.rating.stopping import Drawn, measure_stopped
from tests.support.dialled import Dial, by_rule, play
from tests.support.game_bank import Bank
from tests.support.simulated import compare


@cache
def _bank() -> Bank:
    return Bank.played("a small bank", (DIALS[0], DIALS[2], DIALS[4]), seats=3, sets=6, jobs=1)


def test_a_dial_says_what_a_player_does_by_the_number_that_is_drawn() -> None:
    state = new_game(text_seed("dial"), 2).state
    seen, legal = view(state, state.mover), legal_actions(state)
    player = Dial(rule=0.3, chance=0.2)

    by_chance = {player.choose(seen, legal, drawn) for drawn in np.arange(0, 0.2, 0.001).tolist()}
    assert by_chance == set(legal)
    assert player.choose(seen, legal, 0.49) == by_rule(seen, legal)
    assert player.choose(seen, legal, 0.51) == default_action(seen, legal)


def test_a_game_follows_from_its_key_and_the_seed_of_what_is_drawn() -> None:
    key, players = text_seed("game"), (DIALS[2], DIALS[5], DIALS[0], DIALS[4])
    games = [play(key, players, f"{number}") for number in range(6)]

    assert games == [play(key, players, f"{number}") for number in range(6)]
    assert len(set(games)) > 1


def test_every_set_of_a_bank_has_its_own_chance_whatever_is_played_besides() -> None:
    one, two = (
        Bank.played("a small bank", (DIALS[0], DIALS[2]), seats=2, sets=sets, jobs=1)
        for sets in (1, 4)
    )

    assert two.places.shape == (3, 4, 2, 2)
    assert (one.places == two.places[:, :1]).all()
    assert two.places.std(axis=1).any()


def test_the_truth_is_what_the_fit_comes_to_in_an_endless_tournament_from_the_bank() -> None:
    levels = np.array([0, 2, 1, 1, 2, 1])
    drawn = _bank().tournament(np.random.default_rng(1), levels, rounds=2_000)

    assert strengths(drawn.comparisons) == pytest.approx(drawn.truth, abs=0.06)
    # They differ by their levels, and by these alone.
    assert len(set(drawn.truth.tolist())) == 3
    assert drawn.truth.std() > 0.2


def test_what_is_drawn_from_a_bank_is_read_as_the_results_of_its_games_are() -> None:
    levels = np.array([2, 0, 1])
    tables, scores = _bank().draw(np.random.default_rng(2), levels, rounds=4)
    drawn = compare(tables, scores, bots=3)
    results = [
        RatedResult(
            3 * of_set + game,
            tuple(f"bot-{bot:02}" for bot in np.roll(table, game).tolist()),
            tuple((-np.roll(by_player, game)).astype(int).tolist()),
            (False,) * 3,
        )
        for of_set, table in enumerate(tables)
        for game, by_player in enumerate(scores[of_set])
    ]
    said = Comparisons.of(results)

    assert said.sets == drawn.sets
    for name in ("pairs", "of_set", "of_pair", "met", "before"):
        assert (getattr(said, name) == getattr(drawn, name)).all()


@pytest.mark.parametrize("anew", [False, True], ids=["drawn", "anew"])
def test_intervals_hold_about_as_often_as_they_say_for_players_of_the_game(*, anew: bool) -> None:
    found = measure_engine(EngineRow(6, 3, 10, anew=anew), 2 if anew else 40, jobs=1, sets=_bank())

    # Within what chance allows of so few: of twelve, the intervals of two may not hold.
    allowed = 0.12 if anew else 3.5 * found["coverage_error"]
    assert found["coverage"] == pytest.approx(0.95, abs=allowed)
    assert found["wrong_verdict"] <= 0.05
    assert found["games"] == 10 * 6 * 3


def test_a_verdict_that_parts_equals_is_wrong() -> None:
    def drawn(_: int) -> Drawn:
        tables = np.tile(np.arange(3), (40, 1))
        luck = np.random.default_rng(3).random((40, 3, 3))
        return np.zeros(3), tables, luck + np.array([0.6, 0, 0])

    found = measure_stopped(drawn, Goal.of("top 1 settled at 95 %"), 2)

    assert (found["settled"], found["wrong"]) == (1, 1)


@pytest.mark.parametrize("row", ENGINE_ROWS, ids=lambda row: row.name)
def test_of_players_of_the_game_the_intervals_cover_93_to_97_percent(row: EngineRow) -> None:
    known = CALIBRATION.figures()[row.name]

    assert known["tournaments"] == row.tournaments
    assert 0.93 <= known["coverage"] <= 0.97
    assert known["coverage_error"] < (0.007 if row.anew else 0.003)
    assert known["wrong_verdict"] <= 0.05
    # The unlimited game's strengths are known far better than a tournament tells them.
    assert max(known["level_errors"]) < known["half_width"] / 5


@pytest.mark.parametrize("row", ENGINE_STOPS, ids=lambda row: row.name)
def test_of_players_of_the_game_stopping_early_is_wrong_in_at_most_5_percent(
    row: EngineStops,
) -> None:
    known = CALIBRATION.figures()[row.name]

    assert known["tournaments"] >= 1000
    assert known["wrong"] <= 0.05
