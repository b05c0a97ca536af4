"""The examples of `server/docs/ratings.md` are what is computed."""

from __future__ import annotations

import re

import pytest

from kitumaija.server.rating import RatedResult, rebuild
from tests.architecture.checkout import ROOT

DOCUMENT = ROOT / "server/docs/ratings.md"
EXAMPLE = re.compile(r"^\| ((?:[0-9*–]+ )+)\| ((?:[0-9.]+ )+)\| ((?:[0-9.]+ )+)\|$", re.MULTILINE)
EXAMPLES = EXAMPLE.findall(DOCUMENT.read_text(encoding="utf-8"))


def test_every_row_of_the_examples_is_read() -> None:
    table = DOCUMENT.read_text(encoding="utf-8").partition("## Examples")[2].partition("\n## ")[0]

    assert len(EXAMPLES) == table.count("\n|") - 2 == 9


@pytest.mark.parametrize(("places", "mu", "sigma"), EXAMPLES, ids=[row[0] for row in EXAMPLES])
def test_an_example_is_what_is_computed(places: str, mu: str, sigma: str) -> None:
    marks = places.split()
    bots = [f"bot-{seat}" for seat in range(len(marks))]
    here = [seat for seat, mark in enumerate(marks) if mark != "–"]
    result = RatedResult(
        0,
        seats=tuple(bots[seat] for seat in here),
        places=tuple(int(marks[seat].rstrip("*")) for seat in here),
        forfeited=tuple(marks[seat].endswith("*") for seat in here),
        absent=tuple(bot for seat, bot in enumerate(bots) if seat not in here),
    )

    table = rebuild(bots, [result])

    ratings = [table.entries[bot].rating for bot in bots]
    assert [f"{rating.mu:.3f}" for rating in ratings] == mu.split()
    assert [f"{rating.sigma:.3f}" for rating in ratings] == sigma.split()
