"""What `server/docs` says of matches is what they do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from kitumaija.engine import GameOptions, Seat, match_places, new_game
from kitumaija.server.limits import ServerLimits
from kitumaija.server.match import HANDOVER_LIMIT, SETTLE, Terms, longest_game
from kitumaija.server.match.clocks import bank_after, in_time, over
from kitumaija.server.match.faults import TABLE
from kitumaija.server.match.values import SWEEP
from kitumaija.wire.times import Limits
from tests.server.match.table import setup_of
from tests.support.clock import ms

DOCS = Path(__file__).parents[3] / "server" / "docs"


def rows(text: str, header: str) -> Iterator[list[str]]:
    """Yield the rows of the table under a header, as texts of cells."""
    lines = iter(text.splitlines())
    for line in lines:
        if line == header:
            break
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


def test_the_table_of_faults_is_the_one_that_matches_go_by() -> None:
    text = (DOCS / "faults.md").read_text(encoding="utf-8")
    header = "| fault | found | is played for the seat | its place | the ratings |"
    written = list(rows(text, header))
    assert written == [
        [
            f"`{fault}`",
            stage.value,
            follows.played.value,
            follows.placement.value,
            follows.rating.value,
        ]
        for (fault, stage), follows in TABLE.items()
    ]


CLOCKS = (DOCS / "clocks.md").read_text(encoding="utf-8")
EXAMPLES = list(rows(CLOCKS, "| used | bank before | over | in time | bank after |"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example[0]}-{example[1]}")
def test_the_worked_examples_of_the_clock_are_right(example: list[str]) -> None:
    used, bank, taken = (ms(int(cell)) for cell in example[:3])
    terms = Terms.of(setup_of())
    assert over(terms, used) == taken
    assert in_time(terms, bank, used) == (example[3] == "yes")
    assert bank_after(terms, bank, used, answered=True) == ms(int(example[4]))


def test_there_are_examples_on_both_sides_of_the_limit() -> None:
    assert {example[3] for example in EXAMPLES} == {"yes", "no"}


def test_the_defaults_of_the_limits_are_those_in_the_text() -> None:
    written = {
        row[0].strip("`"): row[1] for row in rows(CLOCKS, "| limit | default | what it limits |")
    }
    limits = Limits()
    assert written.pop("match_cap") == "the sum below"
    assert limits.match_cap is None
    for name, text in written.items():
        number, unit = text.split()
        seconds = timedelta(seconds=float(number)) / {"s": 1, "ms": 1000}[unit]
        assert getattr(limits, name) == seconds, name


def test_the_longest_match_in_the_text_is_right() -> None:
    assert "30 s + 400 × 1.19 s + 20 s = 526 s" in CLOCKS
    assert longest_game(2, GameOptions(), Limits()) == timedelta(seconds=526)
    assert timedelta(milliseconds=140) == HANDOVER_LIMIT + SETTLE + SWEEP


def test_the_server_keeps_within_what_the_longest_match_counts_on() -> None:
    assert ServerLimits().clock_starts_within <= HANDOVER_LIMIT
    assert ServerLimits().sweep_every <= SWEEP


@pytest.mark.parametrize(
    ("seats", "out", "forfeits", "example"),
    [
        (2, (), (0,), "| 2 | seat 0 forfeited | 2 1 |"),
        (4, (), (2, 0, 3), "| 4 | seats 2, 0, 3 forfeited, in that order | 3 1 4 2 |"),
        (
            4,
            (1, 3),
            (0,),
            "| 4 | seats 1 and 3 out, in that order; then seat 0 forfeited | 4 1 3 2 |",
        ),
    ],
)
def test_the_worked_examples_of_places_are_right(
    seats: int, out: tuple[int, ...], forfeits: tuple[int, ...], example: str
) -> None:
    assert example in (DOCS / "faults.md").read_text(encoding="utf-8").splitlines()
    start, _ = new_game(bytes(32), seats)
    state = replace(start, out=tuple(map(Seat, out)))
    places = match_places(state, tuple(map(Seat, forfeits)))
    assert " ".join(map(str, places)) == example.split("|")[-2].strip()
