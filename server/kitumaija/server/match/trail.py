"""A sequence that only grows, as a value: what a match is the history of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Trail(Generic[Item]):
    """An immutable sequence to which items are added at the end, at the cost of those items alone.

    A longer trail shares the items of the one it was made from: a match of n events costs n, not
    n², although every step makes another state. Two trails are equal if their items are.
    """

    __slots__ = ("_items", "_size")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._items = list(items)
        self._size = len(self._items)

    def plus(self, *items: Item) -> Trail[Item]:
        """Return the trail that has `items` after those of this one."""
        if not items:
            return self
        shared = self._items
        if not self._size or len(shared) != self._size:
            # Another trail may have grown out of this one; what it added is not ours.
            shared = shared[: self._size]
        shared.extend(items)
        longer: Trail[Item] = Trail.__new__(Trail)
        longer._items = shared
        longer._size = len(shared)
        return longer

    def since(self, start: int) -> tuple[Item, ...]:
        """Return the items from number `start` (from 0) to the end."""
        return tuple(self._items[start : self._size])

    def __getitem__(self, index: int) -> Item:
        if not 0 <= index < self._size:
            raise IndexError(f"got index {index}, wanted one from 0 to {self._size - 1}")
        return self._items[index]

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Item]:
        return iter(self.since(0))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trail):
            return NotImplemented
        return self.since(0) == other.since(0)

    __hash__ = None  # type: ignore[assignment]  # as a list's: equality looks at every item

    def __repr__(self) -> str:
        return f"Trail({list(self)!r})"
