"""Rounds that were not drawn so, or whose points are not those of their matches: what is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

import pytest

from kitumaija.server.checking.rounds import RoundsCheck
from kitumaija.server.checking.values import Check, Subject
from kitumaija.server.choices import Format
from kitumaija.server.schedule.rounds import Rounds
from kitumaija.server.store.rows import (
    EntrantRow,
    EntrantState,
    MatchRow,
    MatchSeatRow,
    MatchState,
    RoundRow,
    SeatedMatch,
    TournamentRow,
    TournamentState,
)
from kitumaija.server.tournament.goals import all_looked_at, chooser
from kitumaija.server.tournament.lifecycle import Command
from kitumaija.server.tournament.points import points_of_round
from kitumaija.server.tournament.schedules import Basis, rounds_of
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.server.tournament.turnout import Turn
from tests.support.organizer import WHEN

BOTS = ("ann", "bob", "cid", "dot", "eve")


def settings_of(played_as: Format) -> TournamentSettings:
    if played_as is Format.ADAPTIVE:
        return TournamentSettings(
            format=played_as, until="top 2 settled at 99 %", match_budget=40, tables_per_round=2
        )
    return TournamentSettings(format=played_as, rounds=3 if played_as.has_rounds else 1)


def results(schedule: Rounds, first: int = 0) -> list[SeatedMatch]:
    """Every match from a number on, won by the first of its seats by the alphabet."""
    found = []
    for number in range(first, len(schedule)):
        seats = schedule[number]
        rows = [
            MatchSeatRow(f"m{number}", seat, bot, place=1 + sorted(seats).index(bot))
            for seat, bot in enumerate(seats)
        ]
        match = MatchRow(
            f"m{number}", "cup", 2, number, 1, f"d{number}", WHEN, MatchState.FINISHED, final=True
        )
        found.append(SeatedMatch(match, tuple(rows)))
    return found


def played(played_as: Format) -> tuple[RoundRow, ...]:
    """The rounds of a tournament that was played to its end."""
    settings = settings_of(played_as)
    schedule = rounds_of(settings, Basis(BOTS, bytes(32), {}))
    rows: list[RoundRow] = []
    following = schedule.next_after(None, choose=chooser(settings, schedule, ()))
    while following is not None:
        row = RoundRow("cup", 2, len(rows), len(schedule), following.tables, following.byes)
        schedule.add(following)
        points = points_of_round(results(schedule, row.first_match))
        choose = chooser(settings, schedule, all_looked_at(results(schedule)))
        following = schedule.next_after(points, choose=choose)
        schedule.close(points)
        rows.append(replace(row, points=points))
    return tuple(rows)


def found(
    played_as: Format,
    rows: Sequence[RoundRow],
    *,
    left: Sequence[str] = (),
    finished: bool = True,
    turns: tuple[Turn, ...] | None = None,
) -> list[str]:
    settings = settings_of(played_as)
    basis = Basis(BOTS, bytes(32), {}, tuple(rows))
    schedule = rounds_of(settings, basis)
    state = TournamentState.FINISHED if finished else TournamentState.RUNNING
    entrants = {
        bot: EntrantRow(
            "cup", bot, at, EntrantState.WITHDRAWN if bot in left else EntrantState.ENTERED
        )
        for at, bot in enumerate(BOTS)
    }
    row = TournamentRow("cup", "cup", state, settings.as_dict(), bytes(32), b"", WHEN, bytes(32))
    check = RoundsCheck(
        Subject(row, settings, entrants, {2: schedule}, BOTS, basis.rounds, turns=turns)
    )
    for seated in results(schedule):
        check.add(seated)
    findings = list(check.findings())
    assert {finding.check for finding in findings} <= {Check.SCHEDULE}
    return [finding.sentence for finding in findings]


@pytest.mark.parametrize("played_as", [one for one in Format if one.is_drawn])
def test_rounds_that_were_drawn_by_the_rules_are_right(played_as: Format) -> None:
    assert found(played_as, played(played_as)) == []


def swapped(rows: tuple[RoundRow, ...]) -> list[RoundRow]:
    """The second round with two of its bots at each other's table."""
    first, second, *later = rows
    (one, two), (other, another), *more = second.tables
    return [first, replace(second, tables=((other, two), (one, another), *more)), *later]


def turned(rows: tuple[RoundRow, ...]) -> list[RoundRow]:
    """The second round with the seats of a table turned."""
    first, second, *later = rows
    table, *more = second.tables
    return [first, replace(second, tables=(table[::-1], *more)), *later]


def without_a_bye(rows: tuple[RoundRow, ...]) -> list[RoundRow]:
    """The second round with another one sitting out than was due."""
    first, second, *later = rows
    (one, two), *more = second.tables
    changed = replace(second, tables=((*second.byes, two), *more), byes=(one,))
    return [first, changed, *later]


@pytest.mark.parametrize(
    ("played_as", "tampered"),
    [
        *product([Format.SWISS, Format.LADDER], [swapped, turned, without_a_bye]),
        (Format.ADAPTIVE, turned),
    ],
)
def test_a_round_that_was_not_drawn_so_is_found_where_it_lies(
    played_as: Format, tampered: Callable[[tuple[RoundRow, ...]], list[RoundRow]]
) -> None:
    sentences = found(played_as, tampered(played(played_as)))
    assert any(
        sentence.startswith("the tournament 'cup': round 2 has the tables")
        for sentence in sentences
    )


def test_a_table_that_other_results_would_have_chosen_is_found() -> None:
    """The results of the first rounds stand, and a later round is not what they make."""
    *most, last = played(Format.ADAPTIVE)
    assert len(most) > 5
    seats = tuple(bot for bot in BOTS if bot not in last.tables[0])[:2]
    changed = replace(last, tables=(seats, *last.tables[1:]), byes=())
    sentences = found(Format.ADAPTIVE, [*most, changed])
    assert any(f"round {len(most) + 1} has the tables" in one for one in sentences)


def test_points_that_are_not_those_of_the_matches_are_found() -> None:
    first, *later = played(Format.SWISS)
    points = {**(first.points or {})}
    name = next(iter(points))
    points[name] += 1
    sentences = found(Format.SWISS, [replace(first, points=points), *later])
    assert sentences[0].startswith("the tournament 'cup': round 1 gave the points")


def test_a_tournament_that_ended_before_its_last_round_is_found() -> None:
    *most, last = played(Format.SWISS)
    assert any("another one follows" in one for one in found(Format.SWISS, most))
    assert found(Format.SWISS, most, finished=False) == []
    still_open = [*most, replace(last, points=None)]
    assert any("round 3 is not over" in one for one in found(Format.SWISS, still_open))


def test_a_knockout_goes_on_without_nobody_who_has_not_left() -> None:
    first, second, *_ = played(Format.KNOCKOUT)
    names = [*second.byes, *(bot for seats in second.tables for bot in seats)]
    gone = names[0]
    schedule = rounds_of(
        settings_of(Format.KNOCKOUT), Basis(BOTS, bytes(32), {}, (replace(first, points=None),))
    )
    following = schedule.next_after(first.points, [gone])
    assert following is not None
    without = [
        first,
        RoundRow("cup", 2, 1, second.first_match, following.tables, following.byes),
    ]
    [sentence] = found(Format.KNOCKOUT, without, finished=False)
    assert f"round 2 goes on without {gone!r}" in sentence
    assert found(Format.KNOCKOUT, without, left=[gone], finished=False) == []


def with_one_out(played_as: Format, out: str) -> tuple[RoundRow, ...]:
    """The rounds of a tournament in whose second round one had no part."""
    schedule = rounds_of(settings_of(played_as), Basis(BOTS, bytes(32), {}))
    rows: list[RoundRow] = []
    following = schedule.next_after(None)
    while following is not None:
        row = RoundRow("cup", 2, len(rows), len(schedule), following.tables, following.byes)
        schedule.add(following)
        points = points_of_round(results(schedule, row.first_match))
        following = schedule.next_after(points, [out] if row.number == 0 else [])
        schedule.close(points)
        rows.append(replace(row, points=points))
    return tuple(rows)


def on_the_bench(out: str, since: int, until: int) -> tuple[Turn, ...]:
    return (Turn(out, Command.BENCH, since), Turn(out, Command.RETURN, until))


@pytest.mark.parametrize("played_as", [Format.SWISS, Format.LADDER])
def test_whoever_has_no_part_in_a_round_must_have_been_on_the_bench_when_it_was_drawn(
    played_as: Format,
) -> None:
    rows = with_one_out(played_as, "eve")

    assert found(played_as, rows, turns=on_the_bench("eve", 1, 2)) == []
    for turns in ((), on_the_bench("eve", 2, 3), on_the_bench("dot", 1, 2)):
        sentences = found(played_as, rows, turns=turns)
        assert any("round 2 has the tables" in one for one in sentences), turns
    # Without a word of who came and went the rounds themselves are believed.
    assert found(played_as, rows) == []


def test_who_was_on_the_bench_and_has_a_part_in_a_round_is_found() -> None:
    sentences = found(Format.SWISS, played(Format.SWISS), turns=on_the_bench("eve", 1, 2))
    assert any("round 2 has the tables" in one for one in sentences)


def test_who_came_and_went_must_fit_where_everybody_stands_in_the_end() -> None:
    rows = played(Format.SWISS)
    gone = (Turn("eve", Command.WITHDRAW, 3),)
    assert found(Format.SWISS, rows, turns=gone, left=["eve"]) == []
    [sentence] = found(Format.SWISS, rows, turns=gone)
    assert "'eve' is entered, and by who came and went it is withdrawn" in sentence
    [sentence] = found(Format.SWISS, rows, turns=(), left=["eve"])
    assert "'eve' is withdrawn, and by who came and went it is entered" in sentence
    [sentence] = found(Format.SWISS, rows, turns=on_the_bench("eve", 3, 4))
    assert "came and went after the rounds [3, 4] of 3" in sentence
