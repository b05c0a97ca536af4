"""What entrants contribute to chance: commitments, reveals, the schedule's seed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from kitumaija.wire.limits import ENTROPY_BYTES_MAX, ENTROPY_COMMITMENT_BYTES


def is_commitment(value: bytes) -> bool:
    """Whether a bot's COMMIT has the form of a commitment."""
    return len(value) == ENTROPY_COMMITMENT_BYTES


def opens(commitment: bytes, entropy: bytes) -> bool:
    """Whether a bot's REVEAL is what it committed to. Nothing opens an empty commitment."""
    return 0 < len(entropy) <= ENTROPY_BYTES_MAX and hashlib.sha256(entropy).digest() == commitment


def schedule_seed(reveals: Mapping[str, bytes]) -> bytes:
    """Return the seed of the schedule (32 bytes) from the entropy of every entrant, by bot id.

    SHA-256 over the entropies in the order of the ids' UTF-8 bytes, each behind its length in four
    bytes, little-endian; an entropy that is missing is empty.
    """
    joined = hashlib.sha256()
    for bot_id in sorted(reveals, key=str.encode):
        entropy = reveals[bot_id]
        joined.update(len(entropy).to_bytes(4, "little") + entropy)
    return joined.digest()
