"""Pairs that help each other: who is named, who is not, and how sure that is."""

from __future__ import annotations

import numpy as np
import pytest

from kitumaija.server.rating import RatedResult
from kitumaija.server.rating.collusion import BOTS_MAX, RATE, PairHelp, find, look
from tests.server.rating.collusion_power import INNOCENT, ROWS, Row, measure, play
from tests.server.rating.make_collusion import COLLUSION, tables
from tests.support.placed import holding_together

SEED = b"commitment"
BOTS = [f"bot-{number}" for number in range(6)]


def names(found: tuple[PairHelp, ...]) -> list[tuple[str, str]]:
    return [(pair.one, pair.other) for pair in found if pair.stands_out]


@pytest.mark.parametrize("seats", [3, 4])
def test_two_who_hold_together_are_named_and_nobody_else(seats: int) -> None:
    found = find(
        holding_together(BOTS, seats, rounds=10, together=1.5), table_size=seats, seed=SEED
    )

    assert names(found) == [("bot-0", "bot-1")]
    pair = found[0]
    assert len(found) == 15
    assert pair.chance <= 0.001
    assert pair.both.low > 0
    assert pair.both.low < pair.both.points < pair.both.high
    assert pair.of_one.sure
    assert pair.of_other.sure


def test_help_is_told_in_points_of_strength() -> None:
    """Of many games: 0.6 as a logarithm of odds are 104 points."""
    found = look(
        play(np.random.default_rng(3), Row(4, 40, collusion="soft", strength=104.0)),
        seed=SEED,
        flips=99,
    )

    pair = next(pair for pair in found if (pair.one, pair.other) == ("bot-00", "bot-01"))
    assert pair.both.low < 104 < pair.both.high
    assert pair.both.high - pair.both.low < 40
    assert pair.of_one.points == pytest.approx(104, abs=30)
    assert pair.together == 15 * 40


def test_who_only_gives_to_another_is_not_named_with_it() -> None:
    row = Row(4, 8, collusion="gift", strength=250.0)
    found = look(play(np.random.default_rng(5), row), seed=SEED, flips=999)

    assert names(found) == []
    pair = next(pair for pair in found if (pair.one, pair.other) == ("bot-00", "bot-01"))
    assert pair.of_one.high < 0
    assert pair.of_other.low > 0


def test_the_order_of_the_results_plays_no_part() -> None:
    there = holding_together(BOTS, 3, rounds=3, together=1.0)
    backwards = list(reversed(there))

    assert find(there, table_size=3, seed=SEED) == find(backwards, table_size=3, seed=SEED)


def test_other_draws_say_about_the_same_and_the_same_draws_the_same() -> None:
    there = holding_together(BOTS, 3, rounds=4, together=0.5)
    first, again, other = (
        find(there, table_size=3, seed=seed) for seed in (b"one", b"one", b"other")
    )

    assert first == again
    assert first != other
    chances = {(pair.one, pair.other): pair.chance for pair in other}
    assert all(
        pair.chance == pytest.approx(chances[pair.one, pair.other], abs=0.05) for pair in first
    )


def test_several_table_sizes_share_the_rate() -> None:
    there = holding_together(BOTS, 3, rounds=3, together=0.5)
    alone, one_of_two = (find(there, table_size=3, seed=SEED, tables=count) for count in (1, 2))

    assert [pair.chance for pair in one_of_two] == [min(1, 2 * pair.chance) for pair in alone]


def test_a_seat_that_was_forfeited_says_nothing() -> None:
    there = holding_together(BOTS, 3, rounds=3)
    lost = [
        RatedResult(one.number, one.seats, one.places, tuple(bot == "bot-0" for bot in one.seats))
        for one in there
    ]

    found = find(lost, table_size=3, seed=SEED)

    assert {bot for pair in found for bot in (pair.one, pair.other)} == set(BOTS[1:])


def test_of_those_who_always_sit_together_nothing_is_said() -> None:
    assert find(holding_together(BOTS[:3], 3, rounds=5), table_size=3, seed=SEED) == ()
    assert find([], table_size=3, seed=SEED) == ()


def test_tables_of_two_and_too_many_bots_are_refused() -> None:
    with pytest.raises(ValueError, match="nobody to hold together against"):
        find(holding_together(BOTS, 2, rounds=1), table_size=2, seed=SEED)
    many = [f"bot-{number}" for number in range(BOTS_MAX + 3)]
    games = [
        RatedResult(number, tuple(many[number : number + 3]), (1, 2, 3), (False,) * 3)
        for number in range(BOTS_MAX + 1)
    ]
    with pytest.raises(ValueError, match=f"wanted at most {BOTS_MAX}"):
        find(games, table_size=3, seed=SEED)


##### How often it is right #####


def test_innocent_bots_are_named_about_as_seldom_as_promised() -> None:
    found = measure(Row(4, 2), 40)

    # Two tournaments of forty are 5 %; six would come once in a hundred times.
    assert found["named"] * 40 <= 5
    assert found["named"] <= found["beyond_chance"]


def test_two_who_spare_each_other_are_mostly_found() -> None:
    found = measure(Row(4, 4, collusion="soft", strength=80.0), 10)

    assert found["the_two"] >= 0.5


@pytest.mark.parametrize("row", INNOCENT, ids=lambda row: row.name)
def test_over_a_thousand_tournaments_at_most_5_percent_name_an_innocent_bot(row: Row) -> None:
    known = COLLUSION.figures()[row.name]

    assert known["tournaments"] >= 1000
    error = (RATE * (1 - RATE) / known["tournaments"]) ** 0.5
    assert known["named"] <= RATE + 2 * error


def test_the_document_has_the_figures_that_were_measured() -> None:
    assert set(COLLUSION.figures()) == {row.name for row in ROWS}
    assert COLLUSION.document == COLLUSION.with_tables(
        COLLUSION.document, tables(COLLUSION.figures())
    )
