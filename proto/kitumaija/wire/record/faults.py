"""The faults by name: a FaultKind in lower case, without its prefix."""

from __future__ import annotations

from typing import Final

from kitumaija.v1 import fault_pb2

_PREFIX: Final = "FAULT_KIND_"
_TO_MESSAGE: Final[dict[str, fault_pb2.FaultKind.ValueType]] = {
    name.removeprefix(_PREFIX).lower(): value
    for name, value in fault_pb2.FaultKind.items()
    if value != fault_pb2.FAULT_KIND_UNSPECIFIED
}
_FROM_MESSAGE: Final[dict[int, str]] = {value: name for name, value in _TO_MESSAGE.items()}

FAULTS: Final = tuple(_TO_MESSAGE)
"""Every fault, such as "decision_timeout", in the order of fault.proto."""


def fault_to_message(name: str | None) -> fault_pb2.FaultKind.ValueType:
    """Return the value of a fault, 0 for None; raises `ValueError` for a name that is none."""
    if name is None:
        return fault_pb2.FAULT_KIND_UNSPECIFIED
    value = _TO_MESSAGE.get(name)
    if value is None:
        raise ValueError(f"fault: got {name!r}, wanted one of {', '.join(FAULTS)}")
    return value


def fault_from_message(value: int) -> str | None:
    """Return the name of a fault, None for 0; raises `ValueError` for a value that is none."""
    if value == fault_pb2.FAULT_KIND_UNSPECIFIED:
        return None
    name = _FROM_MESSAGE.get(value)
    if name is None:
        raise ValueError(f"fault: got {value}, wanted a FaultKind from 0 to {len(FAULTS)}")
    return name
