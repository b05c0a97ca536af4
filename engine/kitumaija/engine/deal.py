"""Deals that anyone can check: commitment, key, shuffle and every later draw, byte for byte.

All chance of a game flows from one 32-byte key. The key is made from the deal's secret seed and
from what the entrants contributed, so neither side picks the deal alone; the seed's commitment is
published beforehand. `engine/RULES.md` gives the same in words, with test vectors.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias, TypeVar

from kitumaija.engine.cards import DECK, Card

Item = TypeVar("Item")

Shuffle: TypeAlias = Callable[[bytes], tuple[Card, ...]]
"""Returns the deck of a key, in the order it is dealt: `shuffled_deck`, or one laid out by hand."""

SEED_BYTES = 32
_BLOCK_WORDS = 8
_WORD_VALUES = 1 << 32


def commitment(seed: bytes) -> bytes:
    """Return the 32 bytes published before a game, which bind the secret `seed` (32 bytes)."""
    return hashlib.sha256(b"kitumaija/commit/v1\x00" + _checked_seed(seed)).digest()


def deal_seed(master: bytes, deal_id: str) -> bytes:
    """Return the seed of one deal of a tournament from the tournament's master seed (32 bytes).

    Revealing it tells nothing about the master or about another deal.
    """
    message = b"kitumaija/seed/v1\x00" + _with_length(deal_id.encode())
    return hmac.digest(_checked_seed(master), message, "sha256")


def text_seed(text: str) -> bytes:
    """Return the seed that a person means by a text; the empty text is a seed like any other."""
    return hashlib.sha256(b"kitumaija/text-seed/v1\x00" + text.encode()).digest()


def deal_key(seed: bytes, deal_id: str, entropies: Mapping[str, bytes]) -> bytes:
    """Return the key of a deal: 32 bytes from which the shuffle and all later chance follow.

    `entropies` holds what each entrant who plays the deal contributed, by entrant id; the bytes may
    be empty. The order of the mapping does not matter.
    """
    parts = [b"kitumaija/deal/v1\x00", _with_length(deal_id.encode())]
    for entrant, entropy in sorted((name.encode(), value) for name, value in entropies.items()):
        parts += (_with_length(entrant), _with_length(entropy))
    return hmac.digest(_checked_seed(seed), b"".join(parts), "sha256")


def world_key(seed: bytes, index: int) -> bytes:
    """Return the key of a world that a search draws: of each `index` from 0, for one `seed`.

    It has nothing to do with the key of the deal that is played.
    """
    message = b"kitumaija/world/v1\x00" + index.to_bytes(8, "little")
    return hmac.digest(_checked_seed(seed), message, "sha256")


@dataclass(frozen=True, slots=True)
class Deal:
    """What a deal is made from: public id, secret seed, the entrants' entropies by entrant id.

    The entropies are kept in the order of the ids' UTF-8 bytes, so equal deals compare equal.
    Raises `ValueError` for a seed that is not 32 bytes or an entrant named twice.
    """

    deal_id: str
    seed: bytes
    entropies: tuple[tuple[str, bytes], ...] = ()

    def __post_init__(self) -> None:
        _checked_seed(self.seed)
        if len(dict(self.entropies)) != len(self.entropies):
            raise ValueError(f"deal {self.deal_id!r}: an entrant's entropy is given twice")
        in_order = tuple(sorted(self.entropies, key=lambda item: item[0].encode()))
        object.__setattr__(self, "entropies", in_order)

    @property
    def key(self) -> bytes:
        """The key all chance of the game follows from (32 bytes)."""
        return deal_key(self.seed, self.deal_id, dict(self.entropies))

    @property
    def commitment(self) -> bytes:
        """What may be published before the game (32 bytes)."""
        return commitment(self.seed)


@dataclass(frozen=True, slots=True)
class Chance:
    """A place in one of a key's random streams; drawing returns the number and the next place.

    `label` names the stream, `position` counts its 32-bit words used so far. Streams of different
    labels are independent.
    """

    key: bytes
    label: str
    position: int = 0

    def below(self, bound: int) -> tuple[int, Chance]:
        """Draw a uniform number 0 <= x < `bound` (1 <= bound <= 2**32) by rejection."""
        words = _words(self.key, self.label, self.position)
        value, used = _draw(words, bound)
        return value, Chance(self.key, self.label, self.position + used)

    def below_any(self, bound: int) -> tuple[int, Chance]:
        """Draw a uniform number 0 <= x < `bound` of any size (1 <= bound).

        It takes as many words as the bound has, the least first, cuts off the bits that the bound
        has not, and begins anew while the number is not below.
        """
        bits = bound.bit_length()
        count = -(-bits // 32)
        words, position = _words(self.key, self.label, self.position), self.position
        while True:
            position += count
            drawn = islice(words, count)
            value = sum(word << 32 * index for index, word in enumerate(drawn)) & (1 << bits) - 1
            if value < bound:
                return value, Chance(self.key, self.label, position)

    def shuffled(self, items: Iterable[Item]) -> tuple[tuple[Item, ...], Chance]:
        """Return the items in a random order, all equally likely, by Fisher–Yates from the end.

        It draws what `below` would: for the last item first, below the number of those left.
        """
        words = _words(self.key, self.label, self.position)
        order, position = list(items), self.position
        for last in range(len(order) - 1, 0, -1):
            chosen, used = _draw(words, last + 1)
            order[last], order[chosen] = order[chosen], order[last]
            position += used
        return tuple(order), Chance(self.key, self.label, position)


def shuffled_deck(key: bytes) -> tuple[Card, ...]:
    """Return the deck in the order it is dealt, shuffled by the stream "shuffle"."""
    deck, _ = Chance(key, "shuffle").shuffled(DECK)
    return deck


def _words(key: bytes, label: str, position: int) -> Iterator[int]:
    """Yield the stream's words from `position` on: eight little-endian u32 a SHA-256 block."""
    prefix = key + label.encode() + b"\x00"
    block_number, first = divmod(position, _BLOCK_WORDS)
    while True:
        block = hashlib.sha256(prefix + block_number.to_bytes(8, "little")).digest()
        yield from struct.unpack("<8I", block)[first:]
        block_number, first = block_number + 1, 0


def _draw(words: Iterator[int], bound: int) -> tuple[int, int]:
    """Return a uniform number below `bound` and how many words it took."""
    if not 1 <= bound <= _WORD_VALUES:
        raise ValueError(f"a draw is below a bound from 1 to 2**32, got {bound}")
    # Words past the last whole multiple of the bound would favour small numbers.
    limit = _WORD_VALUES - _WORD_VALUES % bound
    for used, word in enumerate(words, start=1):
        if word < limit:
            return word % bound, used
    raise AssertionError("a stream of words does not end")


def _with_length(data: bytes) -> bytes:
    return len(data).to_bytes(4, "little") + data


def _checked_seed(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed is {SEED_BYTES} bytes, got {len(seed)}")
    return seed
