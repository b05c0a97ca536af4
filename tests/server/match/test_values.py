from __future__ import annotations

from datetime import timedelta

import pytest
from google.protobuf.descriptor import EnumDescriptor

from kitumaija.engine import Deal, GameOptions, text_seed
from kitumaija.server.match import (
    Fault,
    FaultPolicy,
    IllegalActions,
    MatchEnding,
    MatchSetup,
    RefusalReason,
    longest_match,
)
from kitumaija.v1 import arena_pb2, fault_pb2
from kitumaija.wire.record import FAULTS
from kitumaija.wire.times import Limits
from tests.server.match.table import setup_of


def names(enum: EnumDescriptor, prefix: str) -> set[str]:
    """Return the lower-case names of a message enum's values, but for the unspecified one."""
    found = {value.name.removeprefix(prefix).lower() for value in enum.values}
    return found - {"unspecified"}


def test_the_faults_are_those_of_the_protocol() -> None:
    named = names(fault_pb2.FaultKind.DESCRIPTOR, "FAULT_KIND_")
    assert {fault.value for fault in Fault} == named
    assert {fault.value for fault in Fault} == set(FAULTS)


def test_the_endings_are_those_of_the_protocol() -> None:
    named = names(arena_pb2.MatchEnding.DESCRIPTOR, "MATCH_ENDING_")
    assert {ending.value for ending in MatchEnding} == named


def test_the_reasons_for_a_refusal_are_those_of_the_protocol() -> None:
    named = names(arena_pb2.RefusalReason.DESCRIPTOR, "REFUSAL_REASON_")
    assert {reason.value for reason in RefusalReason} == named


def test_the_default_policy_is_two_retries_and_five_faults() -> None:
    assert FaultPolicy() == FaultPolicy(illegal_retries=2, faults_to_forfeit=5)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("illegal_retries", -1),
        ("illegal_retries", 1001),
        ("illegal_retries", True),
        ("faults_to_forfeit", -1),
        ("faults_to_forfeit", 1.5),
    ],
)
def test_a_policy_that_cannot_be_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{field}: got {value}, wanted a whole number from"):
        FaultPolicy(**{field: value})  # type: ignore[arg-type]


def test_a_policy_at_its_bounds_is_taken() -> None:
    FaultPolicy(illegal_retries=0, faults_to_forfeit=0)
    FaultPolicy(illegal_retries=1000, faults_to_forfeit=1_000_000)


@pytest.mark.parametrize("policy", [IllegalActions.DEFAULT_AT_ONCE, IllegalActions.FORFEIT_AT_ONCE])
def test_a_policy_that_never_retries_has_no_retries(policy: IllegalActions) -> None:
    FaultPolicy(0, illegal_actions=policy)
    with pytest.raises(ValueError, match=f"illegal_retries: got 2 with illegal_actions {policy}"):
        FaultPolicy(2, illegal_actions=policy)


@pytest.mark.parametrize("seats", [1, 11])
def test_a_table_of_fewer_than_two_or_more_than_ten_is_refused(seats: int) -> None:
    with pytest.raises(ValueError, match=f"entrants: got {seats}, wanted 2 to 10"):
        setup_of(seats)


@pytest.mark.parametrize("seats", [2, 10])
def test_a_table_of_two_and_one_of_ten_are_taken(seats: int) -> None:
    assert setup_of(seats).seats == seats


def test_nobody_sits_at_a_table_twice() -> None:
    with pytest.raises(ValueError, match="got one twice"):
        MatchSetup("m1", Deal("d", text_seed("s")), ("anna", "anna"))


@pytest.mark.parametrize("match_id", ["", "m" * 201])
def test_a_match_without_an_id_or_with_one_too_long_is_refused(match_id: str) -> None:
    with pytest.raises(ValueError, match="match id"):
        MatchSetup(match_id, Deal("d", text_seed("s")), ("anna", "bert"))


def test_a_match_that_could_last_for_ever_is_refused() -> None:
    with pytest.raises(ValueError, match="turns_per_player: got 0.*last for ever"):
        setup_of(options=GameOptions(turns_per_player=0))


def test_the_longest_match_is_the_sum_of_its_parts() -> None:
    # 2 seats of 3 turns, at most 2 decisions each: 12 decisions. One takes at most 1 s, 50 ms of
    # margin, 2 s that were earned, and 140 ms until the server has started and stopped its clock.
    limits = Limits(
        startup=timedelta(seconds=30),
        per_decision=timedelta(seconds=1),
        bank=timedelta(seconds=10),
        increment=timedelta(seconds=2),
        margin=timedelta(milliseconds=50),
    )
    setup = setup_of(2, options=GameOptions(turns_per_player=3), limits=limits)
    assert longest_match(setup) == timedelta(seconds=30 + 12 * 3.19 + 2 * 10)


def test_limits_that_add_up_to_more_than_can_be_counted_are_refused() -> None:
    limits = Limits(per_decision=timedelta(days=365))
    with pytest.raises(ValueError, match="more time than can be counted"):
        setup_of(10, options=GameOptions(turns_per_player=1_000_000), limits=limits)
