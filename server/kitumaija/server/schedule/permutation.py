"""A seeded shuffle of the numbers below a bound that is computed number by number, never stored.

A schedule of ten million matches is shuffled in no memory at all: the place of a number is found by
a Feistel network over the smallest even number of bits that holds the bound, walked until it lands
below the bound. `server/docs/tournaments.md` gives the same in words, for whoever checks a
schedule with another program.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

_STEPS = 6
_DOMAIN = b"kitumaija/schedule/v1\x00"


@dataclass(frozen=True, slots=True)
class Permutation:
    """A bijection of `range(size)` chosen by `seed` (any bytes) and `label`.

    Raises `ValueError` for a size below 1, `IndexError` for a number outside the range.
    """

    size: int
    seed: bytes
    label: str

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ValueError(f"a permutation permutes at least 1 number, got {self.size}")

    def __getitem__(self, number: int) -> int:
        if not 0 <= number < self.size:
            raise IndexError(f"number {number} is outside 0 to {self.size - 1}")
        half = max(1, ((self.size - 1).bit_length() + 1) // 2)
        mask = (1 << half) - 1
        label = self.label.encode()
        prefix = hashlib.sha256(
            _DOMAIN + len(self.seed).to_bytes(4, "little") + self.seed + label + b"\x00"
        )
        # The network permutes at most four times as many numbers as are wanted, so the walk is
        # short; it ends because it would come back to `number` itself at the latest.
        while True:
            left, right = number >> half, number & mask
            for step in range(_STEPS):
                digest = prefix.copy()
                digest.update(bytes([step]) + right.to_bytes(8, "little"))
                mixed = int.from_bytes(digest.digest()[:8], "little") & mask
                left, right = right, left ^ mixed
            number = left << half | right
            if number < self.size:
                return number
