"""Faults by name."""

from __future__ import annotations

import pytest

from kitumaija.v1 import fault_pb2
from kitumaija.wire.record import FAULTS, fault_from_message, fault_to_message


def test_every_fault_of_the_protocol_has_its_name_there_and_back() -> None:
    assert set(FAULTS) == {
        name.removeprefix("FAULT_KIND_").lower() for name in fault_pb2.FaultKind.keys()[1:]
    }
    for name in FAULTS:
        assert fault_from_message(fault_to_message(name)) == name


def test_no_fault_is_zero() -> None:
    assert fault_to_message(None) == 0
    assert fault_from_message(0) is None


def test_a_name_that_is_no_fault_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match="got 'late', wanted one of no_show, startup_timeout"):
        fault_to_message("late")


def test_a_value_that_is_no_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="got 77, wanted a FaultKind from 0 to 10"):
        fault_from_message(77)
