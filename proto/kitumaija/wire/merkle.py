"""Merkle trees: one hash for many things, from which it can be proved that a thing is among them.

The tree is that of RFC 6962: a leaf is SHA-256(00 ‖ thing), a node SHA-256(01 ‖ left ‖ right), and
of n things the first 2^k go to the left, with 2^k the largest power of two below n. What a leaf and
a node are made of begins differently, so neither can stand for the other. The path of a thing are
the hashes beside it and above, from the leaves to the root.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

HASH_BYTES = 32


class MerkleTree:
    """Takes things one after the other; holds one hash for each doubling of their number."""

    __slots__ = ("_count", "_peaks")

    def __init__(self, things: Iterable[bytes] = ()) -> None:
        self._count = 0
        # The roots of whole trees of 2^k leaves each, the largest first.
        self._peaks: list[bytes] = []
        for thing in things:
            self.add(thing)

    def __len__(self) -> int:
        return self._count

    def add(self, thing: bytes) -> None:
        """Append a thing."""
        found = leaf(thing)
        whole = self._count
        while whole & 1:
            found = _node(self._peaks.pop(), found)
            whole >>= 1
        self._peaks.append(found)
        self._count += 1

    @property
    def root(self) -> bytes:
        """The hash of all things in their order (32 bytes); SHA-256 of nothing if there is none."""
        if not self._peaks:
            return hashlib.sha256().digest()
        found = self._peaks[-1]
        for peak in reversed(self._peaks[:-1]):
            found = _node(peak, found)
        return found


def leaf(thing: bytes) -> bytes:
    """Return the hash of one thing alone."""
    return hashlib.sha256(b"\x00" + thing).digest()


def above(hashes: Sequence[bytes]) -> list[bytes]:
    """Return the level of hashes above a level: of every two a node, and the last one if odd."""
    nodes = [_node(left, right) for left, right in zip(hashes[::2], hashes[1::2], strict=False)]
    if len(hashes) % 2:
        nodes.append(hashes[-1])
    return nodes


def levels(hashes: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    """Yield the levels of a tree, from the one given, which is not empty, to that of its root."""
    yield hashes
    while len(hashes) > 1:
        hashes = above(hashes)
        yield hashes


def beside(level: Sequence[bytes], position: int) -> list[bytes]:
    """Return what a level contributes to the path of a position in it: one hash, or none."""
    sibling = position ^ 1
    return [level[sibling]] if sibling < len(level) else []


def root_of_path(thing: bytes, position: int, count: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root that a path leads to from a thing, the `position`th of `count`, from 0.

    None where no tree of so many has such a path: it is too short or too long, or the position is
    not in it.
    """
    if not 0 <= position < count:
        return None
    found, last, hashes = leaf(thing), count - 1, iter(path)
    while last:
        if position ^ 1 <= last:
            one = next(hashes, None)
            if one is None:
                return None
            found = _node(one, found) if position & 1 else _node(found, one)
        position, last = position >> 1, last >> 1
    return found if next(hashes, None) is None else None


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()
