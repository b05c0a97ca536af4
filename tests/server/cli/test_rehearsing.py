"""What a rehearsal makes of the faults that it has seen, and whom it lets play."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from typer.testing import CliRunner

from kitumaija.server.__main__ import commands
from kitumaija.server.cli.local import Animal, never_there, zoo
from kitumaija.server.cli.rehearsal_plan import (
    FAIR,
    MATCHES_MAX,
    choose_bots,
    fit,
    matches_of_a_round,
)
from kitumaija.server.cli.rehearsing import Found, Rehearsal
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.exits import ExitCode

FLOODING = Animal("hostile:flooding", "floods", "flooding", frozenset({"no_show"}), dials_in=True)
ALLOWED = Animal("hostile:double", "is two", None, frozenset(), dials_in=True)


@pytest.mark.parametrize(
    ("animal", "faults", "as_expected"),
    [
        (None, {}, True),
        (None, {"decision_timeout": 1}, False),
        (ALLOWED, {}, True),
        (ALLOWED, {"disconnected": 1}, False),
        (FLOODING, {}, False),
        (FLOODING, {"no_show": 2}, False),
        (FLOODING, {"flooding": 1}, True),
        (FLOODING, {"flooding": 3, "no_show": 1}, True),
        (FLOODING, {"flooding": 3, "illegal_action": 1}, False),
    ],
)
def test_a_bot_must_get_its_fault_and_may_get_what_comes_with_it(
    animal: Animal | None, faults: dict[str, int], *, as_expected: bool
) -> None:
    assert Found("bot", "source", animal, Counter(faults)).as_expected is as_expected


def test_who_never_met_a_fair_bot_need_not_get_its_fault_and_gets_no_other() -> None:
    untried = [
        Found("bot", "source", FLOODING, Counter(faults), tried=False).as_expected
        for faults in ({}, {"no_show": 2}, {"illegal_action": 1})
    ]

    assert untried == [True, True, False]


@pytest.mark.parametrize(
    ("state", "faults", "left", "ok"),
    [
        (v1.TOURNAMENT_STATE_FINISHED, {}, (), True),
        (v1.TOURNAMENT_STATE_CANCELLED, {}, (), False),
        (v1.TOURNAMENT_STATE_FINISHED, {"illegal_action": 1}, (), False),
        (v1.TOURNAMENT_STATE_FINISHED, {}, ("server",), False),
    ],
)
def test_all_is_well_if_it_finished_as_expected_and_left_nothing(
    state: v1.TournamentState.ValueType,
    faults: dict[str, int],
    left: tuple[str, ...],
    *,
    ok: bool,
) -> None:
    found = (Found("bot", "sample:smallest", None, Counter(faults)),)

    assert Rehearsal(v1.Tournament(state=state), found, timedelta(), left).ok is ok


DRAWN = (
    v1.TOURNAMENT_FORMAT_SWISS,
    v1.TOURNAMENT_FORMAT_KNOCKOUT,
    v1.TOURNAMENT_FORMAT_LADDER,
)


@pytest.mark.parametrize(
    "settings",
    [
        *({"table_sizes": sizes} for sizes in ([2], [3], [4], [2, 4], [10], [2, 10])),
        {"table_sizes": [2], "match_budget": 40},
        *({"table_sizes": [4], "format": each} for each in DRAWN),
        {"table_sizes": [2], "format": DRAWN[0], "match_budget": 12},
        {"table_sizes": [4], "format": v1.TOURNAMENT_FORMAT_ADAPTIVE, "match_budget": 40},
        {
            "table_sizes": [4],
            "format": v1.TOURNAMENT_FORMAT_GAUNTLET,
            "challengers": ["one", "two"],
        },
    ],
)
def test_as_many_bots_play_as_the_bound_allows_and_the_fair_ones_always(
    settings: dict[str, Any],
) -> None:
    animals, asked = zoo(), v1.TournamentSettings(**settings)
    bound = min(MATCHES_MAX, asked.match_budget or MATCHES_MAX)

    chosen = choose_bots(asked, animals)

    assert tuple(chosen[: len(FAIR)]) == FAIR
    assert len(chosen) >= max(asked.table_sizes)
    assert matches_of_a_round(asked, len(chosen)) <= bound
    if len(chosen) < len(FAIR) + len(animals):
        assert matches_of_a_round(asked, len(chosen) + 1) > bound


@pytest.mark.parametrize("played_as", DRAWN)
def test_where_rounds_are_drawn_every_animal_has_room(
    played_as: v1.TournamentFormat.ValueType,
) -> None:
    animals = zoo()

    chosen = choose_bots(v1.TournamentSettings(table_sizes=[10], format=played_as), animals)

    assert chosen == [*FAIR, *animals]


@pytest.mark.parametrize(
    ("until", "fitted"),
    [
        ("top 3 settled at 95 %", "top 2 settled at 95 %"),
        ("order of  top 9 settled at 99.5%", "order of top 2 settled at 99.5 %"),
        ("top 1 settled at 80 %", "top 1 settled at 80 %"),
        ("the best", "the best"),
    ],
)
def test_a_rehearsal_asks_about_fewer_bots_than_play(until: str, fitted: str) -> None:
    settings = v1.TournamentSettings(
        format=v1.TOURNAMENT_FORMAT_ADAPTIVE, table_sizes=[2], until=until, match_budget=7200
    )

    fit(settings, ["ann", "bob", "cid"])

    assert settings.until == fitted
    assert settings.match_budget == MATCHES_MAX


def test_who_never_connects_is_known_beforehand() -> None:
    bots = {"a": "sample:smallest", "b": "hostile:mute", "c": "hostile:slow", "d": "hostile:tame"}

    assert never_there(bots) == {"b"}
    assert never_there({"a": "sample:smallest"}) == set()


@pytest.mark.parametrize(
    "more",
    [
        ("--seats", "3"),
        ("--limit", "bank=5s"),
        ("--option", "turns_per_player=8"),
        ("--file", "cup.toml"),
    ],
)
def test_settings_come_from_a_tournament_or_from_options_and_not_from_both(
    more: tuple[str, str],
) -> None:
    words = ["tournament", "rehearse", "--like", "cup", *more]

    done = CliRunner().invoke(commands(), words)

    assert done.exit_code == ExitCode.USAGE
    assert "leave out" in done.stderr
