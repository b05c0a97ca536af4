"""What the bots of a blind tournament are called while a match runs.

A name is made of the tournament's master seed, the match and the seat, and of nothing that the bot
brings along: so no two matches give a bot the same name, nothing links them, and a server that
comes back after a crash makes the same ones again. Who they were, MatchEnd tells.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

_DOMAIN = b"kitumaija/pseudonym/v1\x00"
_BYTES = 10
_PREFIX = "anon-"


def pseudonyms(master_seed: bytes, match_id: str, seats: int) -> tuple[str, ...]:
    """Return the names of a match's seats, in order.

    A name is `anon-` and 16 characters of lower-case base32: the first 10 bytes of
    HMAC-SHA256(master seed, "kitumaija/pseudonym/v1" 0x00 ‖ the match id in UTF-8 ‖ 0x00 ‖ the seat
    as one byte).
    """
    return tuple(_pseudonym(master_seed, match_id, seat) for seat in range(seats))


def _pseudonym(master_seed: bytes, match_id: str, seat: int) -> str:
    message = _DOMAIN + match_id.encode() + b"\x00" + bytes([seat])
    digest = hmac.digest(master_seed, message, hashlib.sha256)
    return _PREFIX + base64.b32encode(digest[:_BYTES]).decode("ascii").lower()
