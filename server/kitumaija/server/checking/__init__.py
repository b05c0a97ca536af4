"""Proofs that a store is whole: results, matches, records, journals and ratings tell one story.

`findings` reads a store and yields what is wrong with it, each in a sentence. Nothing is repaired.
"""

from __future__ import annotations

from kitumaija.server.checking.everything import Tally, findings, matches_stored
from kitumaija.server.checking.values import Check, Finding

__all__ = ["Check", "Finding", "Tally", "findings", "matches_stored"]
