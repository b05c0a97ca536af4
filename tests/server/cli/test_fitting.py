"""`kitumaija ratings fit`: what it makes of the list of matches, and how it says it."""

from __future__ import annotations

import json

import pytest

from kitumaija.server.cli.fitting import FittedTable
from kitumaija.server.cli.strengths import cells
from kitumaija.server.goal import Goal
from kitumaija.server.rating import RatedResult
from kitumaija.server.rating.fit import Fitted, fit
from kitumaija.v1 import tournament_pb2 as v1
from tests.support.placed import game, round_robin

BOTS = ["ada", "bo", "cy", "dee"]
SEED = b"commitment"


def _match(result: RatedResult) -> v1.Match:
    return v1.Match(
        table_size=len(result.seats),
        number=result.number,
        attempt=1,
        state=v1.MATCH_STATE_FINISHED,
        seats=[
            v1.MatchSeat(bot_id=bot, place=place, forfeited=out)
            for bot, place, out in zip(result.seats, result.places, result.forfeited, strict=True)
        ],
    )


def _entry(table_size: int, rated: int, *bots: str, planned: int = 100) -> v1.StandingsTable:
    rows = [v1.Standing(bot_id=bot, games=rated) for bot in bots]
    return v1.StandingsTable(table_size=table_size, rated=rated, planned=planned, rows=rows)


def test_it_is_the_fit_of_the_matches_that_are_rated_and_of_no_others() -> None:
    results = round_robin(BOTS, 2, rounds=3, seed="cli")
    rated = 24
    void = _match(game(0, "ada", "bo"))
    void.state = v1.MATCH_STATE_VOID
    at_three = _match(game(1, "ada", "bo", "cy"))

    made = FittedTable.of(_entry(2, rated, *BOTS), [void, at_three, *map(_match, results)], SEED)

    assert made.fit == fit(BOTS, results[:rated], table_size=2, seed=SEED)


def test_its_json_is_json_even_where_nothing_is_known() -> None:
    made = FittedTable.of(_entry(2, 1, *BOTS), [_match(game(0, "ada", "bo"))], SEED)

    told = json.loads(json.dumps(made.as_dict(), allow_nan=False))

    assert [(row["bot_id"], row["low"], row["high"]) for row in told["rows"]] == [
        ("ada", None, None),
        ("bo", None, None),
    ]
    assert told["without_a_fit"] == ["cy", "dee"]
    assert told["not_told_apart"] == [["ada", "bo"]]
    assert told["games"]["ada"]["places_by_seat"] == [[1, 0], [0, 0]]


def test_absences_are_told_apart_from_other_forfeits() -> None:
    entry = _entry(2, 1, "ada", "bo")
    entry.rows[1].forfeits = 3
    entry.rows[1].faults.append(v1.FaultCount(fault="no_show", count=2))

    told = FittedTable.of(entry, [], SEED).as_dict()["games"]["bo"]

    assert (told["forfeits"], told["absences"]) == (3, 2)


def test_people_read_ranks_groups_chances_and_places(capsys: pytest.CaptureFixture[str]) -> None:
    results = [game(number, *("ada", "bo")[:: 1 if number % 5 else -1]) for number in range(60)]
    made = FittedTable.of(_entry(2, 60, "ada", "bo", "cy"), map(_match, results), SEED)

    made.show("The cup", above=True, places=True)

    lines = capsys.readouterr().out.splitlines()
    assert "The cup · tables of 2 · 60 of 100 matches · 30 sets" in lines
    assert "  nothing is known of: cy" in lines
    assert any(line.split()[:2] == ["1", "ada"] and line.split()[5] == "1" for line in lines)
    assert not any("not told apart" in line for line in lines)
    assert any(line.startswith("ada") and "99.9" in line for line in lines)
    assert "ada by seat and place" in lines


def test_it_says_whether_a_goal_is_reached_and_since_when(
    capsys: pytest.CaptureFixture[str],
) -> None:
    results = [game(number, *("ada", "bo")[:: 1 if number % 5 else -1]) for number in range(200)]
    entry = _entry(2, 200, "ada", "bo", planned=200)
    goal = Goal.of("top 1 settled at 95 %")

    made = FittedTable.of(entry, map(_match, results), SEED, goal)
    made.show("The cup", above=False, places=False)

    assert made.settled is not None
    assert made.settled.best == ("ada",)
    said = f"the top 1 is settled at 95 %, after {made.settled.matches} matches: ada"
    assert said in capsys.readouterr().out
    assert made.as_dict()["settled"]["matches"] == made.settled.matches < 200
    entry.rows[0].state = v1.ENTRANT_STATE_WITHDRAWN
    alone = FittedTable.of(entry, map(_match, results), SEED, goal)
    alone.show("The cup", above=False, places=False)
    assert alone.as_dict()["settled"] is None
    assert "the top 1 is not settled at 95 % by 200 matches" in capsys.readouterr().out


WORTH = {number: ((1.25, 1.75), (1.75, 1.25))[number % 3 == 0] for number in range(60)}
"""What the cards of some matches at two seats were worth."""


def test_without_the_luck_of_the_cards_is_the_fit_of_what_is_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    results = round_robin(BOTS[:2], 2, rounds=30, seed="luck")
    entry = _entry(2, 60, *BOTS[:2])

    made = FittedTable.of(entry, map(_match, results), SEED, cards=WORTH)
    made.show("The cup", above=False, places=False)

    expected = fit(BOTS[:2], results, table_size=2, seed=SEED, cards=WORTH)
    assert expected.luck is not None
    told = json.loads(json.dumps(made.as_dict(), allow_nan=False))
    assert [row["strength"] for row in told["without_luck"]["rows"]] == [
        row.strength for row in expected.rows
    ]
    assert told["without_luck"]["cards"] == expected.luck.favour
    assert told["rows"] == FittedTable.of(entry, map(_match, results), SEED).as_dict()["rows"]
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("without the luck of the cards · ") for line in lines)
    assert any("a place that the cards are worth makes" in line for line in lines)


def test_of_cards_that_are_not_known_it_is_said_that_nothing_can_be(
    capsys: pytest.CaptureFixture[str],
) -> None:
    results = round_robin(BOTS[:2], 2, rounds=3, seed="luck")

    made = FittedTable.of(_entry(2, 6, *BOTS[:2]), map(_match, results), SEED, cards={})
    made.show("The cup", above=False, places=False)

    assert made.as_dict()["without_luck"] is None
    assert "no set is whole" in capsys.readouterr().out


def test_nothing_is_not_shown_as_less_than_nothing() -> None:
    row = Fitted(1, "ann", strength=-0.2, low=-0.5, high=0.4, best=1, worst=1, sets=2)

    assert cells(row) == ["+0", "+0", "+0", "1"]
