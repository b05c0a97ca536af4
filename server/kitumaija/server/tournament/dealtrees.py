"""One hash a table size for all deals of a schedule, published at the start, and each deal's path.

The things of the tree are the commitments of the deals of the first attempts, in the order of the
schedule. Of the tree only the hashes above every `BLOCK` leaves are kept; what lies below them is
made again from the master seed when a path is wanted. So a deal's path costs `BLOCK` deals whatever
the schedule's length.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from kitumaija.engine import commitment, deal_seed
from kitumaija.server.store.rows import DealTreeRow
from kitumaija.server.tournament.course import Attempt, deal_id
from kitumaija.wire.merkle import HASH_BYTES, MerkleTree, beside, leaf, levels
from kitumaija.wire.record import DealProof

BLOCK = 8
"""Leaves below each hash that is kept; a power of two, so that they are whole trees."""

DEALS_MAX = 300_000
"""How many deals the roots of a tournament cover, an equal part of them each table size's."""

STEP = 8
"""How many blocks are made before others have a turn: half a millisecond's worth."""


@dataclass(frozen=True, slots=True)
class DealTree:
    """The tree of one table size: its root, and what paths are made of."""

    tournament_id: str
    table_size: int
    deals: int
    """How many deals it covers, at least one."""
    master_seed: bytes = field(repr=False)
    levels: tuple[tuple[bytes, ...], ...]
    """The hashes above the blocks, and the levels above them."""

    @classmethod
    def of(cls, row: DealTreeRow, master_seed: bytes) -> DealTree:
        """Return the tree that is stored."""
        blocks = [row.blocks[at : at + HASH_BYTES] for at in range(0, len(row.blocks), HASH_BYTES)]
        return cls(
            row.tournament_id,
            row.table_size,
            row.deals,
            master_seed,
            tuple(tuple(level) for level in levels(blocks)),
        )

    @property
    def root(self) -> bytes:
        """The hash of all its deals."""
        return self.levels[-1][0]

    def proof(self, attempt: Attempt) -> DealProof | None:
        """Return what proves an attempt's deal; None for one that the root does not cover."""
        if attempt.attempt != 1 or attempt.number >= self.deals:
            return None
        block, at = divmod(attempt.number, BLOCK)
        leaves = [
            leaf(one)
            for one in commitments(
                self.tournament_id, self.table_size, self.master_seed, self._block(block)
            )
        ]
        path: list[bytes] = []
        for level in levels(leaves):
            path += beside(level, at)
            at >>= 1
        for level in self.levels:
            path += beside(level, block)
            block >>= 1
        return DealProof(attempt.number, self.deals, tuple(path))

    def _block(self, block: int) -> range:
        return range(block * BLOCK, min((block + 1) * BLOCK, self.deals))


def commitments(
    tournament_id: str, table_size: int, master_seed: bytes, numbers: range
) -> Iterator[bytes]:
    """Yield the commitments of the deals of the first attempts at these numbers."""
    for number in numbers:
        first = deal_id(tournament_id, Attempt(table_size, number, 1, ()))
        yield commitment(deal_seed(master_seed, first))


def covered(planned: Mapping[int, int]) -> dict[int, int]:
    """Return how many deals the roots cover of schedules of so many matches, by table size.

    Of a longer schedule than may be they are the first ones.
    """
    return {size: min(matches, DEALS_MAX // len(planned)) for size, matches in planned.items()}


def make_tree(tournament_id: str, table_size: int, master_seed: bytes, deals: int) -> DealTreeRow:
    """Return what is stored of the tree over the first `deals` deals of a table size."""
    return _row(
        tournament_id, table_size, deals, _blocks(tournament_id, table_size, master_seed, deals)
    )


async def grow(
    tournament_id: str, master_seed: bytes, planned: Mapping[int, int]
) -> tuple[DealTreeRow, ...]:
    """Return what is stored of the trees of schedules of so many matches, by table size.

    They are made in small steps, and whatever else there is to do is done between them.
    """
    rows = []
    for size, deals in covered(planned).items():
        blocks: list[bytes] = []
        for block in _blocks(tournament_id, size, master_seed, deals):
            blocks.append(block)
            if len(blocks) % STEP == 0:
                await asyncio.sleep(0)
        if blocks:
            rows.append(_row(tournament_id, size, deals, blocks))
    return tuple(rows)


def _blocks(tournament_id: str, table_size: int, master_seed: bytes, deals: int) -> Iterator[bytes]:
    for start in range(0, deals, BLOCK):
        numbers = range(start, min(start + BLOCK, deals))
        yield MerkleTree(commitments(tournament_id, table_size, master_seed, numbers)).root


def _row(tournament_id: str, table_size: int, deals: int, blocks: Iterable[bytes]) -> DealTreeRow:
    kept = list(blocks)
    *_, (root,) = levels(kept)
    return DealTreeRow(tournament_id, table_size, deals, root, b"".join(kept))
