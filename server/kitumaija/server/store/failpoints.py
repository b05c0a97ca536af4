"""Failpoints: the places at which a server can be made to die, so that tests see what it leaves.

Every function of the store that writes is one, by the name of its module and its own
(`matches.finish`), and so are the transaction around them (`transaction`) and a migration
(`migrating.migrate`). Each is passed three times, at the three stages of a write. What is to happen
there is given to the store when it is opened (`crashing.py`); as a rule it is nothing, and then a
failpoint costs one call.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from types import FunctionType
from typing import Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

TRANSACTION = "transaction"
"""The failpoint of every transaction: `before` is before it begins."""


class Stage(StrEnum):
    """How far a write is when a failpoint is passed."""

    BEFORE = "before"
    """It is called and has done nothing yet."""
    BEFORE_COMMIT = "before-commit"
    """The transaction that it belongs to is whole and will be committed next."""
    AFTER_COMMIT = "after-commit"
    """It is committed, and nobody has been told."""


Watch: TypeAlias = Callable[[str, Stage], None]
"""What is called at each failpoint, in the thread that writes: with its name and the stage."""


class Passage:
    """The way of one transaction past the failpoints. Without a watch it is no way at all."""

    __slots__ = ("_names", "_watch")

    def __init__(self, watch: Watch | None) -> None:
        self._watch = watch
        self._names: dict[str, None] = {}

    def begins(self, name: str) -> None:
        """A write is called: each call is a pass of its first stage."""
        if self._watch is not None:
            self._names[name] = None
            self._watch(name, Stage.BEFORE)

    def reaches(self, stage: Stage) -> None:
        """All writes of the transaction have come so far; one that it holds twice passes once."""
        if self._watch is not None:
            for name in self._names:
                self._watch(name, stage)


class _Passing(Protocol):
    @property
    def passage(self) -> Passage: ...


TxT = TypeVar("TxT", bound=_Passing)
P = ParamSpec("P")
T = TypeVar("T")


def failpoint(
    write: Callable[Concatenate[TxT, P], T],
) -> Callable[Concatenate[TxT, P], T]:
    """Make a function that writes a failpoint, named after its module and itself."""
    name = f"{write.__module__.rpartition('.')[2]}.{write.__name__}"

    @wraps(write)
    def passing(tx: TxT, /, *args: P.args, **kwargs: P.kwargs) -> T:
        tx.passage.begins(name)
        return write(tx, *args, **kwargs)

    vars(passing)[_NAME] = name
    return passing


def failpoint_of(function: object) -> str | None:
    """The name of the failpoint that a function is; None if it is none."""
    return vars(function).get(_NAME) if isinstance(function, FunctionType) else None


_NAME = "failpoint_name"
