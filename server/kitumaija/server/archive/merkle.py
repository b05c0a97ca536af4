"""Merkle trees: one hash for many things, from which it can be proved that a thing is among them.

The tree is that of RFC 6962: a leaf is SHA-256(00 ‖ thing), a node SHA-256(01 ‖ left ‖ right), and
of n things the first 2^k go to the left, with 2^k the largest power of two below n. What a leaf and
a node are made of begins differently, so neither can stand for the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


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
        found = _leaf(thing)
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


def _leaf(thing: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + thing).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()
