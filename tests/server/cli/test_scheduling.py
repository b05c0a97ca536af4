"""`kitumaija tournament schedule`: what is said of a round robin before there is one."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner, Result

from kitumaija.engine import text_seed
from kitumaija.server.__main__ import commands
from kitumaija.server.schedule.round_robin import RoundRobin


def run(*words: str) -> Result:
    return CliRunner().invoke(commands(), ["tournament", "schedule", *words])


def test_it_prints_exact_counts_and_how_long_it_takes_about() -> None:
    done = run("--entrants", "12", "--seats", "2", "--seats", "4", "--match-time", "6s")
    assert done.exit_code == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    # 132 matches of two, 48 at once for the room of twelve bots; 1,980 of four, 24 at once.
    assert ["2", "all", "tables", "132", "22", "11", "66", "1", "0:00:17"] in lines
    assert ["4", "all", "tables", "1,980", "660", "165", "495", "45", "0:08:15"] in lines


def test_it_says_how_even_a_choice_of_tables_is_and_lists_its_matches() -> None:
    words = ["--entrants", "12", "--seats", "4", "--budget", "500", "--list", "3", "--seed", "x"]
    [told] = json.loads(run(*words, "--json").stdout)
    assert told["tables"] == "balanced tables"
    assert (told["matches"], told["sets"], told["games"]) == (480, 120, 160)
    assert (told["pairs_meet_at_least"], told["pairs_meet_at_most"]) == (10, 11)
    names = [f"bot-{number:02}" for number in range(1, 13)]
    schedule = RoundRobin(names, table_size=4, rounds=1, budget=500, seed=text_seed("x"))
    assert [match["seats"] for match in told["listed"]] == [list(one) for one in schedule[:3]]
    assert f"2 (set 2): {' '.join(schedule[2])}" in run(*words).stdout


def test_of_a_gauntlet_it_says_what_each_side_plays() -> None:
    words = ["--format", "gauntlet", "--entrants", "7", "--challengers", "2", "--seats", "3"]
    told = json.loads(run(*words, "--list", "4", "--json").stdout)
    assert (told["matches"], told["sets"]) == (60, 20)
    assert (told["games_of_a_challenger"], told["games_of_one_of_the_field"]) == (30, 24)
    sides = [len({"bot-1", "bot-2"}.intersection(one["seats"])) for one in told["listed"]]
    assert sides == [1, 1, 1, 1]
    assert "60 matches in 20 sets" in run(*words).stdout


def test_of_an_adaptive_tournament_it_says_how_long_it_is_at_the_most() -> None:
    words = ["--format", "adaptive", "--entrants", "60", "--seats", "4"]
    told = json.loads(run(*words, "--budget", "7201", "--json").stdout)
    assert (told["matches_at_most"], told["first_matches"]) == (7_200, 240)
    assert (told["tables_per_round"], told["rounds_at_most"]) == (15, 120)
    assert (
        "at most 7,200 matches in 120 rounds of 15 tables" in run(*words, "--budget", "7201").stdout
    )
    for budget in ("239", "100001"):
        refused = run(*words, "--budget", budget)
        assert refused.exit_code != 0
        assert "wanted 240 or more" in " ".join(refused.output.replace("│", " ").split())


@pytest.mark.parametrize("played_as", ["swiss", "knockout", "ladder"])
def test_what_depends_on_results_is_shown_with_made_up_ones(played_as: str) -> None:
    words = ["--format", played_as, "--entrants", "9", "--seats", "2", "--rounds", "5"]
    told = json.loads(run(*words, "--json").stdout)
    assert told["format"] == played_as
    drawn = told["rounds"][0]
    seated = [name for seats in drawn["tables"] for name in seats]
    assert sorted([*seated, *drawn["byes"]]) == [f"bot-{number}" for number in range(1, 10)]
    assert told["matches"] == sum(2 * len(one["tables"]) for one in told["rounds"])
    assert len(told["order"]) == (1 if played_as == "knockout" else 9)
    shown = run(*words).stdout
    assert "the results are made up" in shown
    assert f"in the end: {' '.join(told['order'])}" in shown


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--entrants", "12", "--budget", "11"], "11 matches are too few"),
        (["--entrants", "3", "--seats", "4"], "at least 4 entrants, got 3"),
        (["--entrants", "3", "--match-time", "soon"], "soon"),
        (["--entrants", "3", "--format", "swiss", "--seats", "4"], "at least 4 entrants, got 3"),
        (
            ["--entrants", "9", "--format", "ladder", "--seats", "2", "--seats", "3"],
            "one table size",
        ),
        (["--entrants", "1001", "--format", "swiss"], "up to 1000 entrants, got 1001"),
        (["--entrants", "3", "--format", "gauntlet", "--challengers", "3"], "got 3 and 0"),
    ],
)
def test_what_cannot_be_is_refused_and_said(words: list[str], why: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert why in " ".join(done.output.replace("│", " ").split())
