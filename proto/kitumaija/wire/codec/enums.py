"""An enum of the engine beside its enum in the messages."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Generic, TypeVar

from kitumaija.engine import Phase, Termination
from kitumaija.v1 import game_pb2
from kitumaija.wire.codec.errors import CodecError

E = TypeVar("E", bound=Enum)
V = TypeVar("V", bound=int)


class EnumTable(Generic[E, V]):
    """The two columns of one enum; both carry the same names, the messages' behind a prefix.

    0 stands for no member: each enum of the messages has its UNSPECIFIED there. `value_of` is the
    `Value` of the messages' enum, which raises if a member has no value: at import, not in a game.
    """

    def __init__(self, members: type[E], prefix: str, value_of: Callable[[str], V]) -> None:
        self._name = members.__name__
        self._to = {member: value_of(f"{prefix}_{member.name}") for member in members}
        self._from = {value: member for member, value in self._to.items()}
        self._unspecified = value_of(f"{prefix}_UNSPECIFIED")

    def to_message(self, member: E | None) -> V:
        """Return the value of a member, 0 for None."""
        return self._unspecified if member is None else self._to[member]

    def from_message(self, value: V) -> E | None:
        """Return the member of a value, None for 0; raises `CodecError` for an unknown value."""
        member = self._from.get(value)
        if member is None and value:
            raise CodecError(
                f"{self._name}: got {value}, wanted one of "
                + ", ".join(f"{known} ({member.name})" for known, member in self._from.items())
            )
        return member

    def known(self, value: V) -> E | None:
        """Return the member of a value, None for 0 and for what only a newer peer knows."""
        return self._from.get(value)


PHASES = EnumTable(Phase, "PHASE", game_pb2.Phase.Value)
TERMINATIONS = EnumTable(Termination, "TERMINATION", game_pb2.Termination.Value)
