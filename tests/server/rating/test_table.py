"""The table of a table size: order, counts, forfeits, absences, and doing things once."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitumaija.server.rating import Entry, RatedResult, Rating, RatingTable, rebuild, update

ENTRANTS = ("ada", "bo", "cy", "dee")
NEW = Rating()


def _game(number: int, *seats: str, **changes: tuple[object, ...]) -> RatedResult:
    """A game in which the seats came in one after the other, with nobody forfeited."""
    values: dict[str, tuple[object, ...]] = {
        "places": tuple(range(1, len(seats) + 1)),
        "forfeited": (False,) * len(seats),
    }
    return RatedResult(number, seats, **(values | changes))  # type: ignore[arg-type]


def _after(*results: RatedResult) -> RatingTable:
    return rebuild(ENTRANTS, results)


def _ratings(table: RatingTable) -> dict[str, Rating]:
    return {bot_id: entry.rating for bot_id, entry in table.entries.items()}


def test_a_game_moves_those_who_played_it_by_the_official_update() -> None:
    table = _after(_game(0, "bo", "ada", "cy", places=(1, 2, 2)))

    bo, ada, cy = update([NEW] * 3, [1, 2, 2], ["bo", "ada", "cy"])
    assert _ratings(table) == {"ada": ada, "bo": bo, "cy": cy, "dee": NEW}
    assert (table.rated, table.games) == (1, 1)


def test_rows_count_games_places_and_conduct() -> None:
    table = _after(
        _game(
            0,
            "ada",
            "bo",
            "cy",
            places=(1, 2, 2),
            faults=({}, {"decision_timeout": 2}, {}),
            decisions=(10, 11, 12),
            default_decisions=(0, 3, 0),
        ),
        _game(1, "bo", "ada", faults=({"decision_timeout": 1, "illegal_action": 1}, {})),
    )

    bo = table.entries["bo"]
    assert (bo.games, bo.places, bo.mean_place) == (2, (1, 1), Fraction(3, 2))
    assert (bo.decisions, bo.default_decisions) == (11, 3)
    assert bo.faults == {"decision_timeout": 3, "illegal_action": 1}
    assert table.entries["cy"].places == (0, 1)
    assert table.entries["dee"] == Entry()
    assert table.entries["dee"].mean_place is None


def test_a_forfeited_seat_takes_its_last_place_and_the_others_are_rated_without_it() -> None:
    table = _after(_game(0, "ada", "bo", "cy", places=(1, 3, 2), forfeited=(False, True, False)))

    ada, cy = update([NEW] * 2, [1, 2], ["ada", "cy"])
    _, bo, _ = update([NEW] * 3, [1, 3, 2], ["ada", "bo", "cy"])
    assert _ratings(table) == {"ada": ada, "bo": bo, "cy": cy, "dee": NEW}
    assert table.entries["bo"].forfeits == 1
    assert table.entries["bo"].places == (0, 0, 1)
    assert table.entries["ada"].forfeits == 0


def test_of_several_forfeited_each_takes_a_last_place_behind_those_who_played() -> None:
    table = _after(_game(0, *ENTRANTS, places=(4, 1, 3, 2), forfeited=(True, False, True, False)))

    bo, dee = update([NEW] * 2, [1, 2], ["bo", "dee"])
    last = update([NEW] * 3, [3, 1, 2], ["ada", "bo", "dee"])[0]
    assert _ratings(table) == {"ada": last, "bo": bo, "cy": last, "dee": dee}


@pytest.mark.parametrize("strong", [Rating(25, 8), Rating(35, 2), Rating(15, 2)])
def test_nobody_does_better_by_a_forfeit_behind_anothers_than_by_losing(strong: Rating) -> None:
    """Ada was forfeited before; bo, who cannot win any more, may play on or give up."""
    entries = {"ada": Entry(strong), "bo": Entry(Rating(15, 3)), "cy": Entry()}

    def bo_after(*, gives_up: bool) -> Rating:
        game = _game(0, "ada", "bo", "cy", places=(3, 2, 1), forfeited=(True, gives_up, False))
        return RatingTable(entries).apply(game).entries["bo"].rating

    assert bo_after(gives_up=True) == bo_after(gives_up=False)


def test_at_two_seats_a_forfeit_leaves_the_winners_rating_and_counts_the_win() -> None:
    table = _after(_game(0, "ada", "bo", forfeited=(False, True)))

    ada, bo = table.entries["ada"], table.entries["bo"]
    assert ada == Entry(games=1, places=(1,))
    assert bo.rating == update([NEW] * 2, [1, 2], ["ada", "bo"])[1]
    assert (bo.games, bo.places, bo.forfeits, bo.absences) == (1, (0, 1), 1, 0)


def test_an_absentee_takes_a_last_place_that_moves_nobody_else() -> None:
    table = _after(_game(0, "ada", "bo", absent=("cy",)))

    ada, bo = update([NEW] * 2, [1, 2], ["ada", "bo"])
    _, _, cy = update([NEW] * 3, [1, 2, 3], ["ada", "bo", "cy"])
    assert _ratings(table) == {"ada": ada, "bo": bo, "cy": cy, "dee": NEW}
    row = table.entries["cy"]
    assert (row.games, row.places, row.forfeits, row.charges) == (1, (0, 0, 1), 1, {"no_show": 1})


def test_an_absentee_is_last_even_where_no_game_was_played() -> None:
    table = _after(RatedResult(0, seats=("ada",), absent=("bo", "cy")))

    last = update([NEW] * 2, [1, 2], ["ada", "bo"])[1]
    assert _ratings(table) == {"ada": NEW, "bo": last, "cy": last, "dee": NEW}
    assert table.entries["ada"] == Entry()
    assert table.entries["bo"].places == table.entries["cy"].places == (0, 0, 1)
    assert (table.rated, table.games) == (1, 0)


def test_a_number_that_was_given_up_changes_nothing_but_the_pointer() -> None:
    before = _after(_game(0, "ada", "bo"))

    after = before.apply(RatedResult(1))

    assert after == RatingTable(before.entries, rated=2, games=1)


def test_a_result_that_is_in_the_table_changes_nothing() -> None:
    results = [_game(0, "ada", "bo"), _game(1, "bo", "cy"), _game(2, "cy", "ada")]
    table = _after(*results)

    assert table.apply_all(results) == table


def test_results_are_rated_in_the_order_of_the_schedule_or_not_at_all() -> None:
    table = _after(_game(0, "ada", "bo"))

    with pytest.raises(ValueError, match="got the result of number 2; wanted number 1"):
        table.apply(_game(2, "ada", "bo"))
    with pytest.raises(ValueError, match=r"\['zoe'\] at number 1 are no entrants"):
        table.apply(_game(1, "ada", "zoe"))


@st.composite
def schedules(draw: st.DrawFn) -> list[RatedResult]:
    """Some results of each kind, in order."""
    results = []
    for number in range(draw(st.integers(0, 6))):
        seats = tuple(draw(st.permutations(ENTRANTS))[: draw(st.integers(2, 4))])
        size = len(seats)
        away = draw(st.integers(0, 2 if size == 4 else 0))
        kind = draw(st.sampled_from(["game", "no game", "nothing"]))
        if kind == "nothing":
            results.append(RatedResult(number))
        elif kind == "no game":
            results.append(RatedResult(number, seats[:1], absent=seats[1:]))
        else:
            here = seats[away:]
            places = draw(
                st.lists(st.integers(1, len(here)), min_size=len(here), max_size=len(here))
            )
            gone = draw(st.lists(st.booleans(), min_size=len(here), max_size=len(here)))
            results.append(
                RatedResult(number, here, tuple(places), tuple(gone), absent=seats[:away])
            )
    return results


@given(schedules(), st.data())
@settings(max_examples=25)
def test_piece_by_piece_through_the_store_is_the_same_as_all_at_once(
    results: list[RatedResult], data: st.DataObject
) -> None:
    """A server that stops anywhere, and rates some results again, comes to the same table."""
    cuts = data.draw(st.lists(st.integers(0, len(results)), max_size=4).map(sorted))
    table = RatingTable.of(ENTRANTS)
    for cut in [*cuts, len(results)]:
        table = RatingTable.from_dict(json.loads(json.dumps(table.as_dict())))
        table = table.apply_all(results[max(0, table.rated - 2) : cut])

    assert table == rebuild(ENTRANTS, results)


@given(schedules())
@settings(max_examples=25)
def test_places_games_and_forfeits_add_up(results: list[RatedResult]) -> None:
    table = rebuild(ENTRANTS, results)

    rows = table.entries.values()
    played = sum(len(result.seats) for result in results if result.played)
    absent = sum(len(result.absent) for result in results)
    assert table.rated == len(results)
    assert table.games == sum(result.played for result in results)
    assert sum(row.games for row in rows) == played + absent
    assert all(sum(row.places) == row.games for row in rows)
    assert sum(row.absences for row in rows) == absent
    assert sum(row.forfeits for row in rows) == absent + sum(
        sum(result.forfeited) for result in results
    )


def test_the_order_is_by_score_then_mean_then_places_then_shared() -> None:
    same = Rating(25, 5)
    table = RatingTable(
        {
            "high-mean": Entry(Rating(31, 7)),
            "low-places": Entry(same, games=2, places=(0, 2)),
            "no-games": Entry(same),
            "twin-b": Entry(same, games=2, places=(1, 0, 1)),
            "twin-a": Entry(same, games=1, places=(0, 1)),
            "best-places": Entry(same, games=2, places=(2,)),
            "leader": Entry(Rating(20, 1)),
        }
    )

    found = [(ranked.rank, ranked.bot_id) for ranked in table.ranking()]

    assert found == [
        (1, "leader"),
        (2, "high-mean"),
        (3, "best-places"),
        (4, "low-places"),
        (4, "twin-a"),
        (4, "twin-b"),
        (7, "no-games"),
    ]


def test_a_difference_below_a_millionth_makes_no_order() -> None:
    table = RatingTable({"bo": Entry(Rating(25, 5)), "ada": Entry(Rating(25 + 1e-9, 5))})

    assert [ranked.rank for ranked in table.ranking()] == [1, 1]


def test_ratings_that_nothing_can_compute_are_left_and_named() -> None:
    far = RatingTable({"ada": Entry(Rating(0, 1)), "bo": Entry(Rating(1e30, 1)), "cy": Entry()})

    table = far.apply(_game(0, "ada", "bo")).apply(_game(1, "ada", "cy"))

    assert table.left == (0,)
    assert table.entries["bo"].rating == Rating(1e30, 1)
    assert table.entries["bo"].places == (0, 1)
    assert table.entries["ada"].rating.mu > 0
    assert RatingTable.from_dict(table.as_dict()) == table


def test_another_form_of_stored_ratings_is_refused() -> None:
    with pytest.raises(ValueError, match="got ratings of form 2; wanted form 1: rebuild them"):
        RatingTable.from_dict(RatingTable.of(ENTRANTS).as_dict() | {"form": 2})
