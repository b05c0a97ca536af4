"""What entrants contribute to chance: commitments, reveals, the schedule's seed."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.wire.limits import ENTROPY_BYTES_MAX, ENTROPY_COMMITMENT_BYTES

_BLIND_DOMAIN = b"kitumaija/blind-schedule/v1\x00"


def is_commitment(value: bytes) -> bool:
    """Whether a bot's COMMIT has the form of a commitment."""
    return len(value) == ENTROPY_COMMITMENT_BYTES


def opens(commitment: bytes, entropy: bytes) -> bool:
    """Whether a bot's REVEAL is what it committed to. Nothing opens an empty commitment."""
    return 0 < len(entropy) <= ENTROPY_BYTES_MAX and hashlib.sha256(entropy).digest() == commitment


def seed_of_schedule(
    settings: TournamentSettings, master_seed: bytes, reveals: Mapping[str, bytes]
) -> bytes:
    """Return the seed that a tournament's schedule is made from."""
    if settings.blind:
        return hidden_schedule_seed(master_seed, reveals)
    return schedule_seed(reveals)


def hidden_schedule_seed(master_seed: bytes, reveals: Mapping[str, bytes]) -> bytes:
    """Return the seed (32 bytes) of a schedule that nobody may know before it is played.

    Entropies are public once a match has shown them, and a schedule follows from its seed: so the
    master seed, which was committed to before any entropy, goes into it.
    HMAC-SHA256(master seed, "kitumaija/blind-schedule/v1" 0x00 ‖ `schedule_seed`).
    """
    message = _BLIND_DOMAIN + schedule_seed(reveals)
    return hmac.digest(master_seed, message, hashlib.sha256)


def schedule_seed(reveals: Mapping[str, bytes]) -> bytes:
    """Return the seed of an open schedule (32 bytes) from every entrant's entropy, by bot id.

    SHA-256 over the entropies in the order of the ids' UTF-8 bytes, each behind its length in four
    bytes, little-endian; an entropy that is missing is empty.
    """
    joined = hashlib.sha256()
    for bot_id in sorted(reveals, key=str.encode):
        entropy = reveals[bot_id]
        joined.update(len(entropy).to_bytes(4, "little") + entropy)
    return joined.digest()
