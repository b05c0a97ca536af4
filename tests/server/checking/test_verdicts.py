"""What a tournament says that it found out, and did not: what is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from kitumaija.server.checking.values import Check, Subject
from kitumaija.server.checking.verdicts import VerdictsCheck
from kitumaija.server.store.rows import (
    EntrantRow,
    EntrantState,
    MatchRow,
    MatchSeatRow,
    MatchState,
    SeatedMatch,
    TournamentRow,
    TournamentState,
    VerdictRow,
)
from kitumaija.server.tournament.goals import all_looked_at, find_verdict
from kitumaija.server.tournament.schedules import Basis, schedules_of
from kitumaija.server.tournament.settings import TournamentSettings
from tests.support.organizer import WHEN

BOTS = ("ann", "bob", "cid", "dot")
SETTINGS = TournamentSettings(rounds=20, until="top 1 settled at 95 %")
SCHEDULE = schedules_of(SETTINGS, Basis(BOTS, bytes(32), {}))[2]


def results(count: int = len(SCHEDULE)) -> list[SeatedMatch]:
    """The first matches, nearly all won by the first of their seats by the alphabet."""
    found = []
    for number in range(count):
        seats = SCHEDULE[number]
        order = sorted(seats, reverse=number % 7 == 0)
        rows = [
            MatchSeatRow(f"m{number}", seat, bot, place=1 + order.index(bot))
            for seat, bot in enumerate(seats)
        ]
        match = MatchRow(
            f"m{number}", "cup", 2, number, 1, f"d{number}", WHEN, MatchState.FINISHED, final=True
        )
        found.append(SeatedMatch(match, tuple(rows)))
    return found


@cache
def known() -> VerdictRow:
    """What is found out by all matches."""
    found = find_verdict(
        SETTINGS,
        SCHEDULE,
        all_looked_at(results()),
        tournament_id="cup",
        settled=len(SCHEDULE),
        contenders=BOTS,
    )
    assert found is not None
    assert found.matches < len(SCHEDULE)
    return found


def found(
    verdicts: Mapping[int, VerdictRow],
    played: list[SeatedMatch],
    *,
    left: tuple[str, ...] = (),
    state: TournamentState = TournamentState.FINISHED,
    settings: TournamentSettings = SETTINGS,
) -> list[str]:
    entrants = {
        bot: EntrantRow(
            "cup", bot, at, EntrantState.WITHDRAWN if bot in left else EntrantState.ENTERED
        )
        for at, bot in enumerate(BOTS)
    }
    row = TournamentRow("cup", "cup", state, settings.as_dict(), bytes(32), b"", WHEN, bytes(32))
    subject = Subject(row, settings, entrants, {2: SCHEDULE}, BOTS, verdicts=verdicts)
    check = VerdictsCheck(subject)
    for seated in played:
        check.add(seated)
    findings = list(check.findings({2: len(played)}))
    assert {finding.check for finding in findings} <= {Check.RATINGS}
    return [finding.sentence for finding in findings]


def test_what_was_found_out_is_found_again_however_long_was_played_after_it() -> None:
    right = known()
    assert right.best == ("ann",)
    for played in (results(right.matches), results(right.matches + 3), results()):
        assert found({2: right}, played) == []


def test_who_left_after_it_was_decided_was_asked_about_all_the_same() -> None:
    right = known()
    assert found({2: right}, results(right.matches), left=("dot",)) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"look": 1},
        {"matches": 1},
        {"best": ("bob",)},
    ],
)
def test_another_verdict_than_the_results_show_is_found(changed: dict[str, object]) -> None:
    wrong = replace(known(), **changed)  # type: ignore[arg-type]
    [sentence] = found({2: wrong}, results())
    assert "by the results it is ann, at look" in sentence


@pytest.mark.parametrize("asked", [BOTS[:3], (*BOTS, "eve")])
def test_one_of_others_than_who_could_be_best_is_found(asked: tuple[str, ...]) -> None:
    [sentence] = found({2: replace(known(), contenders=asked)}, results())
    assert "wanted all who had not left, and nobody who did not play" in sentence


def test_one_that_comes_before_its_look_is_found() -> None:
    right = known()
    sentences = found({2: right}, results(right.matches - 1))
    assert any("by the results it is nothing" in sentence for sentence in sentences)


def test_one_that_is_missing_is_found_and_while_matches_are_played_nothing_is_missing() -> None:
    [sentence] = found({}, results())
    assert "has no verdict at 2 seats; by the results it found out ann" in sentence
    assert found({}, results(), state=TournamentState.RUNNING) == []


def test_an_end_with_a_gap_in_what_was_played_is_found() -> None:
    right = known()
    played = results(right.matches + 3)
    del played[right.matches + 1]
    [sentence] = found({2: right}, played)
    assert sentence.endswith(f"of which {right.matches + 1} without a gap")


def test_a_verdict_of_what_was_not_asked_or_not_played_is_found() -> None:
    right = known()
    unasked = replace(SETTINGS, until="")
    [sentence] = found({2: right}, results(), settings=unasked)
    assert "was to find out nothing" in sentence
    sentences = found({2: right, 3: replace(right, table_size=3)}, results())
    assert any("at 3 seats, which it does not play" in sentence for sentence in sentences)
