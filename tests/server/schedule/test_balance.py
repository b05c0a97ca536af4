"""The committed table of balances, and what is said of one plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from kitumaija.server.schedule.balance import balance
from kitumaija.server.schedule.families import SPREAD_MAX

DOCUMENT = Path(__file__).parents[3] / "server" / "docs" / "balance.md"
BUDGETS = (1_000, 10_000, 100_000)


def _rows() -> dict[tuple[int, int], list[list[str]]]:
    """The table: for entrants and seats what stands under each budget."""
    rows: dict[tuple[int, int], list[list[str]]] = {}
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0].isdecimal():
            rows[int(cells[0]), int(cells[1])] = [cells[at : at + 4] for at in (2, 6, 10)]
    return rows


def _meet(cell: str) -> tuple[int, int]:
    fewest, _, most = cell.partition("–")
    return int(fewest), int(most or fewest)


def test_the_table_has_every_number_of_entrants_and_seats_and_none_is_uneven() -> None:
    rows = _rows()
    assert rows.keys() == {(n, k) for n in range(3, 41) for k in range(2, min(n, 10) + 1)}
    for budgets in rows.values():
        for *_, meet in budgets:
            fewest, most = _meet(meet)
            assert most - fewest <= SPREAD_MAX


@pytest.mark.parametrize(
    ("entrants", "size", "budget"),
    [
        *((entrants, 4, 1_000) for entrants in range(4, 41, 4)),
        *((entrants, 3, 10_000) for entrants in range(3, 41, 6)),
        (12, 10, 1_000),
        (17, 10, 100_000),
        (30, 10, 1_000),
        (40, 10, 100_000),
    ],
)
def test_the_table_says_what_is_played(entrants: int, size: int, budget: int) -> None:
    kind, matches, games, meet = _rows()[entrants, size][BUDGETS.index(budget)]
    found = balance(entrants, size, rounds=1, budget=budget)
    assert kind == found.plan.short
    assert int(matches.replace(",", "")) == found.plan.matches <= budget
    assert int(games.replace(",", "")) == found.plan.games
    assert _meet(meet) == (found.fewest, found.most)


def test_all_tables_are_perfectly_even_however_many_rounds() -> None:
    found = balance(7, 3, rounds=4)
    assert (found.fewest, found.most, found.spread) == (20, 20, 0)
