"""Matches: begun, claimed, ended once, and found again."""

from __future__ import annotations

import base64
import json

import pytest

from kitumaija.server.store import (
    AlreadyStored,
    BadPageToken,
    MatchCounts,
    MatchSeatRow,
    MatchState,
    NotStored,
    SeatedMatch,
    Store,
    matches,
    records,
)
from tests.support.stores import (
    RECORD,
    a_match,
    add_cup,
    begin_match,
    finish_match,
    later,
    placed,
)


@pytest.fixture
def cup(store: Store) -> Store:
    """A store with a tournament of three."""
    with store.write() as tx:
        add_cup(tx, "ada", "bo", "cy")
    return store


def test_a_match_is_read_as_it_was_begun(cup: Store) -> None:
    begin_match(cup, 7, "bo", "ada")

    with cup.read() as tx:
        assert matches.get(tx, "cup-2-7-1") == a_match(7)
        assert matches.seats(tx, "cup-2-7-1") == (
            MatchSeatRow("cup-2-7-1", 0, "bo"),
            MatchSeatRow("cup-2-7-1", 1, "ada"),
        )
        assert matches.get(tx, "other") is None
        assert matches.seats(tx, "other") == ()


def test_a_result_its_record_and_its_place_are_kept_together(cup: Store) -> None:
    match_id = begin_match(cup, 0, "ada", "bo")
    seats = [
        MatchSeatRow(match_id, 0, "ada", 2, True, {"decision_timeout": 5, "no_show": 1}, 31, 5),
        MatchSeatRow(match_id, 1, "bo", 1, False, {}, 29, 0),
    ]

    assert finish_match(cup, match_id, seats, ending="forfeits", absent=["cy"])

    with cup.read() as tx:
        assert matches.get(tx, match_id) == a_match(
            state=MatchState.FINISHED,
            final=True,
            ending="forfeits",
            termination="finished",
            absent=("cy",),
            ended_at=later(5),
        )
        assert matches.seats(tx, match_id) == tuple(seats)
        assert records.get(tx, match_id) == RECORD


def test_a_match_ends_once(cup: Store) -> None:
    match_id = begin_match(cup)
    assert finish_match(cup, match_id)

    assert not finish_match(cup, match_id, ending="forfeits", record=b"another")
    with cup.write() as tx:
        assert not matches.void(tx, match_id, 1, reason="x", final=True, ended_at=later(6))
        assert not matches.cancel(tx, match_id, 1, reason="x", ended_at=later(6))

    with cup.read() as tx:
        row = matches.get(tx, match_id)
        assert row is not None
        assert (row.ending, row.ended_at) == ("played", later(5))
        assert records.get(tx, match_id) == RECORD


def test_only_the_epoch_that_has_a_match_can_end_it(cup: Store) -> None:
    match_id = begin_match(cup, epoch=1)
    with cup.write() as tx:
        assert matches.claim(tx, match_id, 2)
        assert not matches.claim(tx, match_id, 2)
        assert not matches.claim(tx, match_id, 1)

    assert not finish_match(cup, match_id, epoch=1)
    with cup.read() as tx:
        assert matches.get(tx, match_id) == a_match(epoch=2)
        assert records.get(tx, match_id) is None
    assert finish_match(cup, match_id, epoch=2)
    with cup.write() as tx:
        assert not matches.claim(tx, match_id, 3)


def test_a_void_match_may_be_played_again_or_given_up(cup: Store) -> None:
    first = begin_match(cup, 0)
    with cup.write() as tx:
        assert matches.void(tx, first, 1, reason="ada did not come", final=False, ended_at=later(1))
    second = begin_match(cup, 0, attempt=2)
    with cup.write() as tx:
        assert matches.void(
            tx,
            second,
            1,
            reason="ada did not come again",
            final=True,
            ended_at=later(2),
            seats=[MatchSeatRow(second, 0, "ada", faults={"no_show": 1})],
            absent=["ada"],
        )

    with cup.read() as tx:
        assert matches.get(tx, second) == a_match(
            attempt=2,
            state=MatchState.VOID,
            final=True,
            ending="void",
            reason="ada did not come again",
            absent=("ada",),
            ended_at=later(2),
        )
        assert [seat.faults for seat in matches.seats(tx, second)] == [{"no_show": 1}, {}]
        assert records.get(tx, second) is None
        assert matches.counts(tx, "cup") == MatchCounts(void=1)
    with pytest.raises(AlreadyStored):
        _settle_unplayed(cup, 0, attempt=3)


def test_a_number_is_played_by_one_match_at_a_time_and_settled_once(cup: Store) -> None:
    begin_match(cup, 0)
    with pytest.raises(AlreadyStored, match="the match 'cup-2-0-2'"):
        begin_match(cup, 0, attempt=2)
    finish_match(cup, "cup-2-0-1")
    with pytest.raises(AlreadyStored):
        _settle_unplayed(cup, 0, attempt=2)
    begin_match(cup, 0, "ada", "bo", "cy", table_size=3)

    with cup.read() as tx:
        assert matches.counts(tx, "cup") == MatchCounts(running=1, finished=1)


def test_no_match_attempt_or_deal_is_there_twice(cup: Store) -> None:
    begin_match(cup, 0)

    with pytest.raises(AlreadyStored):
        begin_match(cup, 1, match_id="cup-2-0-1")
    with pytest.raises(AlreadyStored):
        begin_match(cup, 1, deal_id="cup/2/0/1")
    finish_match(cup, "cup-2-0-1")
    with pytest.raises(AlreadyStored):
        begin_match(cup, 0, match_id="again", deal_id="again")


def test_nobody_sits_twice_at_a_table_and_nobody_unknown(cup: Store) -> None:
    with pytest.raises(AlreadyStored, match="a seat of the match"):
        begin_match(cup, 0, "ada", "ada")
    with pytest.raises(NotStored):
        begin_match(cup, 0, "ada", "nobody")
    with pytest.raises(NotStored):
        begin_match(cup, 0, tournament_id="other")

    with cup.read() as tx:
        assert matches.counts(tx, "cup") == MatchCounts()


def test_a_result_for_seats_that_were_not_taken_is_refused_whole(cup: Store) -> None:
    match_id = begin_match(cup, 0, "ada", "bo")

    with pytest.raises(ValueError, match="'cy' did not take seat 1"):
        finish_match(cup, match_id, placed(match_id, "ada", "cy"))
    with pytest.raises(ValueError, match="wanted seats of 'cup-2-0-1'"):
        finish_match(cup, match_id, placed("elsewhere", "ada", "bo"))

    with cup.read() as tx:
        assert matches.get(tx, match_id) == a_match()


def test_after_a_crash_what_was_running_is_found_in_schedule_order(cup: Store) -> None:
    for number in (3, 1, 2):
        begin_match(cup, number)
    begin_match(cup, 0, "ada", "bo", "cy", table_size=3)
    finish_match(cup, "cup-2-2-1")

    with cup.read() as tx:
        found = matches.running(tx, "cup")
    assert [seated.match.match_id for seated in found] == ["cup-2-1-1", "cup-2-3-1", "cup-3-0-1"]
    assert found[0] == SeatedMatch(
        a_match(1),
        (MatchSeatRow("cup-2-1-1", 0, "ada"), MatchSeatRow("cup-2-1-1", 1, "bo")),
    )


def test_settled_numbers_beyond_a_prefix_are_those_with_a_final_match(cup: Store) -> None:
    for number in range(6):
        begin_match(cup, number)
    for number in (0, 2):
        finish_match(cup, f"cup-2-{number}-1")
    with cup.write() as tx:
        matches.cancel(tx, "cup-2-4-1", 1, reason="bo left", ended_at=later(1))
        matches.void(tx, "cup-2-5-1", 1, reason="once more", final=False, ended_at=later(1))
    _settle_unplayed(cup, 9)

    with cup.read() as tx:
        assert matches.resolved_after(tx, "cup", 2, 0) == {0, 2, 4, 9}
        assert matches.resolved_after(tx, "cup", 2, 2) == {2, 4, 9}
        assert matches.resolved_after(tx, "cup", 2, 3) == {4, 9}
        assert matches.resolved_after(tx, "cup", 3, 0) == frozenset()


def test_numbers_that_are_begun_and_not_settled_come_with_all_their_attempts(cup: Store) -> None:
    for number in (0, 1, 2):
        begin_match(cup, number)
    finish_match(cup, "cup-2-0-1")
    with cup.write() as tx:
        matches.void(tx, "cup-2-2-1", 1, reason="once more", final=False, ended_at=later(1))
    begin_match(cup, 2, attempt=2)

    with cup.read() as tx:
        found = matches.unsettled(tx, "cup", 2, 0)
        assert [seated.match.match_id for seated in found] == [
            "cup-2-1-1",
            "cup-2-2-1",
            "cup-2-2-2",
        ]
        assert [seated.match.match_id for seated in matches.unsettled(tx, "cup", 2, 2)] == [
            "cup-2-2-1",
            "cup-2-2-2",
        ]


def test_counts_are_of_numbers_not_of_attempts(cup: Store) -> None:
    for number in range(4):
        begin_match(cup, number)
    finish_match(cup, "cup-2-0-1")
    with cup.write() as tx:
        matches.void(tx, "cup-2-1-1", 1, reason="once more", final=False, ended_at=later(1))
        matches.cancel(tx, "cup-2-2-1", 1, reason="bo left", ended_at=later(1))
    begin_match(cup, 0, "ada", "bo", "cy", table_size=3)

    with cup.read() as tx:
        assert matches.counts(tx, "cup") == MatchCounts(running=2, finished=1, cancelled=1)
        assert matches.counts(tx, "cup", 3) == MatchCounts(running=1)
        assert matches.counts(tx, "other") == MatchCounts()


def test_pages_are_in_schedule_order_and_can_be_narrowed(cup: Store) -> None:
    begin_match(cup, 0, "ada", "bo", "cy", table_size=3)
    for number, seats in enumerate([("ada", "bo"), ("bo", "cy"), ("cy", "ada"), ("bo", "ada")]):
        begin_match(cup, number, *seats)

    assert _all_pages(cup) == ["cup-2-0-1", "cup-2-1-1", "cup-2-2-1", "cup-2-3-1", "cup-3-0-1"]
    assert _all_pages(cup, table_size=3) == ["cup-3-0-1"]
    assert _all_pages(cup, bot_id="cy") == ["cup-2-1-1", "cup-2-2-1", "cup-3-0-1"]
    assert _all_pages(cup, bot_id="cy", table_size=2) == ["cup-2-1-1", "cup-2-2-1"]
    assert _all_pages(cup, bot_id="nobody") == []


def test_what_runs_comes_last_and_in_an_order_that_tells_nothing_of_the_schedule(
    cup: Store,
) -> None:
    for number in range(6):
        begin_match(cup, number)
    for number in (4, 1):
        finish_match(cup, f"cup-2-{number}-1")
    running = ("cup-2-5-1", "cup-2-0-1", "cup-2-3-1")

    listed, tokens = [], []
    token = ""
    with cup.read() as tx:
        while True:
            page = matches.public_page(tx, "cup", size=1, token=token, running=running)
            listed += [seated.match.match_id for seated in page.rows]
            if not (token := page.next_token):
                break
            tokens.append(token)
        whole = matches.public_page(tx, "cup", size=100, running=running)

        assert listed == ["cup-2-1-1", "cup-2-4-1", "cup-2-0-1", "cup-2-3-1", "cup-2-5-1"]
        assert [seated.match.match_id for seated in whole.rows] == listed
        with pytest.raises(BadPageToken):
            matches.page(tx, "cup", size=1, token=tokens[0])
        for token in tokens[2:]:
            named = json.loads(base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_"))
            assert named[1][:3] == [0, 0, 0]


def test_in_a_blind_tournament_what_does_not_count_is_listed_when_its_number_is_settled(
    cup: Store,
) -> None:
    begin_match(cup, 0)
    with cup.write() as tx:
        matches.void(
            tx,
            "cup-2-0-1",
            1,
            reason="once more",
            final=False,
            ended_at=later(1),
            record=b"what was played",
        )

    def listed(*, blind: bool) -> list[str]:
        with cup.read() as tx:
            page = matches.public_page(tx, "cup", size=9, running=(), blind=blind)
        return [seated.match.match_id for seated in page.rows]

    assert listed(blind=False) == ["cup-2-0-1"]
    assert listed(blind=True) == []
    _settle_unplayed(cup, 0, attempt=2)
    assert listed(blind=True) == ["cup-2-0-1", "cup-2-0-2"]


def test_results_come_by_number_with_their_seats_however_they_were_settled(cup: Store) -> None:
    count = 510
    with cup.write() as tx:
        for number in reversed(range(count)):
            matches.add(tx, a_match(number), ["ada", "bo"] if number % 2 else ["bo", "ada"])
            match_id = f"cup-2-{number}-1"
            if number != 300:
                matches.cancel(tx, match_id, 1, reason="x", ended_at=later(1))

    with cup.read() as tx:
        results = matches.results_in_order(tx, "cup", 2, first=3)
        first = next(results)
        assert [seat.bot_id for seat in first.seats] == ["ada", "bo"]
        numbers = [first.match.number, *(seated.match.number for seated in results)]
    assert numbers == [number for number in range(3, count) if number != 300]


def _settle_unplayed(store: Store, number: int, *, attempt: int = 1) -> None:
    row = a_match(
        number,
        attempt=attempt,
        state=MatchState.CANCELLED,
        final=True,
        reason="cy left",
        ended_at=later(1),
    )
    with store.write() as tx:
        matches.add(tx, row, ["ada", "bo"])


def _all_pages(store: Store, *, table_size: int = 0, bot_id: str = "") -> list[str]:
    found: list[str] = []
    token = ""
    with store.read() as tx:
        while True:
            page = matches.page(
                tx, "cup", size=2, token=token, table_size=table_size, bot_id=bot_id
            )
            found += [seated.match.match_id for seated in page.rows]
            if not (token := page.next_token):
                return found
