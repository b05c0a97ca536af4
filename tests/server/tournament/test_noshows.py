"""Who did not come, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from kitumaija.server.tournament.noshows import AfterAbsence, after_absence


def play(seats: Sequence[str], *attempts: Sequence[str]) -> list[AfterAbsence]:
    """What followed from each attempt at one match: `attempts` name who was absent."""
    course: list[AfterAbsence] = []
    for absent in attempts:
        before = course[-1] if course else None
        course.append(
            after_absence(
                before.seats if before else seats,
                absent,
                absences=before.absences if before else {},
                last_placed=before.last_placed if before else (),
            )
        )
    return course


def test_the_first_time_a_match_is_scheduled_again_and_nobody_is_penalised() -> None:
    for absent in (["ann"], ["ann", "bob"]):
        [first] = play(["ann", "bob"], absent)
        assert first.seats == ("ann", "bob")
        assert first.no_shows == first.last_placed == ()


def test_one_of_two_that_stays_away_twice_takes_a_last_place_and_the_match_is_void() -> None:
    _, second = play(["ann", "bob"], ["ann"], ["ann"])
    assert second.void
    assert second.no_shows == second.last_placed == ("ann",)


def test_two_of_two_that_stay_away_twice_did_not_show_up_and_take_no_place() -> None:
    _, second = play(["ann", "bob"], ["ann", "bob"], ["bob", "ann"])
    assert second.void
    assert second.no_shows == ("ann", "bob")
    assert second.last_placed == ()


def test_two_that_stay_away_by_turns_get_a_third_attempt() -> None:
    first, second, third = play(["ann", "bob"], ["ann"], ["bob"], ["ann"])
    assert first.no_shows == second.no_shows == ()
    assert second.seats == ("ann", "bob")
    assert third.void
    assert third.last_placed == ("ann",)


def test_at_four_seats_the_others_play_without_the_one_that_stays_away() -> None:
    _, second = play(["ann", "bob", "cid", "dot"], ["bob"], ["bob"])
    assert second.seats == ("ann", "cid", "dot")
    assert second.no_shows == second.last_placed == ("bob",)


def test_at_four_seats_one_who_came_alone_has_nobody_to_play_with() -> None:
    _, second = play(["ann", "bob", "cid", "dot"], ["bob", "cid", "dot"], ["bob", "cid", "dot"])
    assert second.void
    assert second.last_placed == ("bob", "cid", "dot")


def test_last_places_add_up_over_the_attempts_at_a_match() -> None:
    course = play(
        ["ann", "bob", "cid", "dot"], ["ann"], ["ann"], ["bob"], ["bob"], ["cid"], ["cid"]
    )
    assert [step.seats for step in course[1::2]] == [("bob", "cid", "dot"), ("cid", "dot"), ()]
    assert [step.no_shows for step in course[1::2]] == [("ann",), ("bob",), ("cid",)]
    assert course[-1].last_placed == ("ann", "bob", "cid")


def test_those_that_all_vanish_later_take_no_place_but_the_first_one_keeps_its_own() -> None:
    course = play(["ann", "bob", "cid"], ["ann"], ["ann"], ["bob", "cid"], ["bob", "cid"])
    assert course[-1].void
    assert course[-1].no_shows == ("bob", "cid")
    assert course[-1].last_placed == ("ann",)
