"""Golden files: what was read and found good once, byte for byte.

`REWRITE_GOLDEN=1 pytest tests/wire` writes them anew; the difference is then read in review.
"""

from __future__ import annotations

import os
from pathlib import Path

_GOLDEN = Path(__file__).parents[1] / "golden"


def golden(name: str, made: bytes) -> bytes:
    """Return the bytes of a golden file; where rewriting is on, those just made, written to it."""
    path = _GOLDEN / name
    if os.environ.get("REWRITE_GOLDEN"):
        path.write_bytes(made)
    return path.read_bytes()
