"""`kitumaija ratings collusion`: what it makes of the list of matches, and how it says it."""

from __future__ import annotations

import json

import pytest

from kitumaija.server.cli.collusion import Suspects, sizes_with_pairs
from kitumaija.server.rating import RatedResult
from kitumaija.server.rating.collusion import WARNING, find
from kitumaija.v1 import tournament_pb2 as v1
from tests.support.placed import game, holding_together

BOTS = ["ada", "bo", "cy", "dee", "eli"]
SEED = b"commitment"


def _match(result: RatedResult) -> v1.Match:
    return v1.Match(
        table_size=len(result.seats),
        number=result.number,
        attempt=1,
        state=v1.MATCH_STATE_FINISHED,
        seats=[
            v1.MatchSeat(bot_id=bot, place=place)
            for bot, place in zip(result.seats, result.places, strict=True)
        ],
    )


def _suspects(results: list[RatedResult], rated: int | None = None) -> Suspects:
    entry = v1.StandingsTable(
        table_size=3, rated=len(results) if rated is None else rated, planned=len(results)
    )
    strangers = [_match(game(0, "ada", "bo")), _match(game(1, "ada", "bo"))]
    strangers[1].state = v1.MATCH_STATE_VOID
    return Suspects.of(entry, [*strangers, *map(_match, results)], SEED, 1)


def test_it_looks_at_the_matches_that_are_rated_and_at_no_others() -> None:
    results = holding_together(BOTS, 3, rounds=4)

    made = _suspects(results, rated=60)

    assert made.pairs == find(results[:60], table_size=3, seed=SEED)


def test_its_json_has_every_pair_and_the_warning() -> None:
    made = _suspects(holding_together(BOTS, 3, rounds=20, together=1.5))

    told = json.loads(json.dumps(made.as_dict(), allow_nan=False))

    assert told["warning"] == WARNING
    assert told["rate"] == 0.05
    assert len(told["pairs"]) == 10
    assert [pair["bot_ids"] for pair in told["pairs"] if pair["stands_out"]] == [["ada", "bo"]]


def test_who_stands_out_is_named_first_and_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    made = _suspects(holding_together(BOTS, 3, rounds=20, together=1.5))

    made.show("cup", whole=False)

    said = capsys.readouterr().out
    assert "ada and bo stand out" in said
    assert said.count(" + ") == 6
    made.show("cup", whole=True)
    assert capsys.readouterr().out.count(" + ") == 10


def test_of_innocent_bots_it_says_that_nobody_stands_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _suspects(holding_together(BOTS, 3, rounds=2)).show("cup", whole=False)
    assert "no pair stands out" in capsys.readouterr().out


def test_tables_of_two_are_left_out() -> None:
    tables = [v1.StandingsTable(table_size=size) for size in (2, 3, 10)]
    found = sizes_with_pairs(v1.GetStandingsResponse(tables=tables))
    assert [entry.table_size for entry in found] == [3, 10]
