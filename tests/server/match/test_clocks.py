from __future__ import annotations

from datetime import timedelta

import pytest

from kitumaija.server.match import Nanos, Terms
from kitumaija.server.match.clocks import (
    bank_after,
    in_time,
    last_instant,
    microseconds,
    microseconds_up,
    over,
    stalled_inside,
    time_left,
    used,
)
from kitumaija.wire.times import Limits
from tests.server.match.table import setup_of
from tests.support.clock import ms

# 1 s a decision, 10 s of bank, 50 ms of margin.
TERMS = Terms.of(setup_of())
START = Nanos(ms(500))


def test_the_terms_of_a_match_are_its_limits_in_nanoseconds() -> None:
    limits = Limits(
        startup=timedelta(seconds=1),
        per_decision=timedelta(microseconds=7),
        bank=timedelta(seconds=2),
        increment=timedelta(milliseconds=3),
        margin=timedelta(milliseconds=4),
        grace=timedelta(seconds=5),
        match_cap=timedelta(days=1),
    )
    assert Terms.of(setup_of(limits=limits)) == Terms(
        startup=1_000_000_000,
        per_decision=7_000,
        bank=2_000_000_000,
        increment=3_000_000,
        margin=4_000_000,
        grace=5_000_000_000,
        match_cap=86_400_000_000_000,
    )


def test_the_time_used_is_from_start_to_stop_less_the_stall() -> None:
    assert used(START, Nanos(START + ms(300))) == ms(300)
    assert used(START, Nanos(START + ms(300)), ms(100)) == ms(200)


def test_a_clock_that_has_not_started_or_starts_later_has_used_nothing() -> None:
    assert used(None, START) == 0
    assert used(START, Nanos(START - 1)) == 0
    assert used(START, Nanos(START + ms(3)), ms(5)) == 0


@pytest.mark.parametrize(
    ("time_used", "from_bank"),
    [
        (0, 0),
        (ms(1000), 0),
        (ms(1050), 0),
        (ms(1050) + 1, 1),
        (ms(1800), ms(750)),
    ],
)
def test_the_bank_pays_what_goes_beyond_the_decision_s_time_and_the_margin(
    time_used: int, from_bank: int
) -> None:
    assert over(TERMS, time_used) == from_bank


@pytest.mark.parametrize("bank", [0, ms(10_000)])
def test_time_runs_out_when_the_bank_cannot_pay_and_not_a_nanosecond_before(bank: int) -> None:
    limit = ms(1050) + bank
    assert in_time(TERMS, bank, limit - 1)
    assert in_time(TERMS, bank, limit)
    assert not in_time(TERMS, bank, limit + 1)


@pytest.mark.parametrize("retimed", [0, ms(3000)])
def test_the_last_instant_is_where_the_verdict_turns(retimed: int) -> None:
    bank = ms(20)
    last = last_instant(TERMS, bank, START, retimed)
    assert in_time(TERMS, bank, used(START, last, retimed))
    assert not in_time(TERMS, bank, used(START, Nanos(last + 1), retimed))


def test_the_bank_gives_what_was_over_and_gets_the_increment_for_an_answer() -> None:
    terms = Terms.of(setup_of(limits=Limits(increment=timedelta(milliseconds=200))))
    assert bank_after(terms, ms(10_000), ms(1800), answered=True) == ms(9450)
    assert bank_after(terms, ms(10_000), ms(1800), answered=False) == ms(9250)
    assert bank_after(terms, ms(10_000), ms(900), answered=True) == ms(10_200)


def test_a_bank_is_never_less_than_empty() -> None:
    assert bank_after(TERMS, ms(10), ms(5000), answered=False) == 0


def test_the_time_left_is_the_decision_s_and_the_bank_s_without_the_margin() -> None:
    assert time_left(TERMS, ms(10_000), 0) == ms(11_000)
    assert time_left(TERMS, ms(10_000), ms(10_999)) == ms(1)
    assert time_left(TERMS, ms(10_000), ms(11_020)) == 0


@pytest.mark.parametrize(
    ("since", "until", "inside"),
    [
        (100, 400, 0),
        (100, 500, 0),
        (100, 501, 1),
        (400, 700, 200),
        (600, 700, 100),
    ],
)
def test_of_a_stall_counts_what_lies_after_the_start(since: int, until: int, inside: int) -> None:
    assert stalled_inside(Nanos(ms(since)), Nanos(ms(until)), START) == ms(inside)


def test_what_is_told_is_rounded_down_and_what_is_kept_up() -> None:
    assert microseconds(1_999) == 1
    assert microseconds_up(1_001) == 2
    assert microseconds_up(1_000) == 1
    assert microseconds_up(0) == 0
