"""Matches that are made when they are asked for, by their numbers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import overload


class Numbered(Sequence[tuple[str, ...]]):
    """Matches by number from 0, each as its entrants in the order of their seats."""

    __slots__ = ()

    @abstractmethod
    def match(self, number: int) -> tuple[str, ...]:
        """Return who sits in each seat of a match; raises `IndexError` outside the schedule."""

    @overload
    def __getitem__(self, number: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, number: slice) -> list[tuple[str, ...]]: ...
    def __getitem__(self, number: int | slice) -> tuple[str, ...] | list[tuple[str, ...]]:
        if isinstance(number, slice):
            return [self.match(one) for one in range(*number.indices(len(self)))]
        return self.match(number)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (self.match(number) for number in range(len(self)))

    def _check(self, number: int) -> None:
        if not 0 <= number < len(self):
            raise IndexError(f"match {number} is outside the schedule of {len(self)}")
