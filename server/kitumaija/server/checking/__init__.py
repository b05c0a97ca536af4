"""Proofs that a store, or an archive, is whole: all that it says tells one story.

`findings` reads a store and `archive_findings` an archive; both yield what is wrong with it, each
in a sentence. Nothing is repaired.
"""

from __future__ import annotations

from kitumaija.server.checking.archived import Origin, Verdict, archive_findings
from kitumaija.server.checking.everything import Tally, findings, matches_stored
from kitumaija.server.checking.values import Check, Finding

__all__ = [
    "Check",
    "Finding",
    "Origin",
    "Tally",
    "Verdict",
    "archive_findings",
    "findings",
    "matches_stored",
]
