"""Merkle trees: one hash for many things, and a short proof that a thing is one of them.

The tree is that of RFC 6962: a leaf is SHA-256(00 ‖ thing), a node SHA-256(01 ‖ left ‖ right), and
of n things the first 2^k go to the left, with 2^k the largest power of two below n. What a leaf and
a node are made of begins differently, so neither can stand for the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

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
        found = merkle_leaf(thing)
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


def merkle_leaf(thing: bytes) -> bytes:
    """Return the hash of one thing, which is also the root of a tree of it alone."""
    return hashlib.sha256(b"\x00" + thing).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def merkle_path(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """Return what else it takes to get from leaf `index` to the root, from the leaf upwards.

    `leaves` are the hashes that `merkle_leaf` makes. Raises `IndexError` for one that is not there.
    """
    if not 0 <= index < len(leaves):
        raise IndexError(f"got leaf {index} of {len(leaves)}")
    if len(leaves) == 1:
        return ()
    split = 1 << (len(leaves) - 1).bit_length() - 1
    if index < split:
        return (*merkle_path(leaves[:split], index), _root_of(leaves[split:]))
    return (*merkle_path(leaves[split:], index - split), _root_of(leaves[:split]))


def root_of_path(thing: bytes, index: int, count: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root to which a path leads from thing `index` of `count`.

    None where the path has not as many hashes as that place in such a tree has.
    """
    if not 0 <= index < count:
        return None
    found, last, steps = merkle_leaf(thing), count - 1, list(path)
    while last:
        if index & 1 or index < last:
            if not steps:
                return None
            beside = steps.pop(0)
            found = _node(beside, found) if index & 1 else _node(found, beside)
        # Where a tree is not full, its last subtree goes up alone, with nothing beside it.
        index, last = index >> 1, last >> 1
    return None if steps else found


def _root_of(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return _node(_root_of(leaves[:split]), _root_of(leaves[split:]))
