"""Whether anything that a bot is sent gives away what its seat may not know.

Two servers play the same public course with cards that differ in all that one bot, the watcher,
has not seen; every byte that it is sent, and can ask for, must be the same. docs/leaks.md says
what that proves.
"""

from kitumaija.server.leaks.check import Check, check
from kitumaija.server.leaks.decks import Worlds
from kitumaija.server.leaks.plan import Ending, Round, rounds
from kitumaija.server.leaks.report import Finding, Report
from kitumaija.server.leaks.sampled import sampled_worlds, seen_by

__all__ = [
    "Check",
    "Ending",
    "Finding",
    "Report",
    "Round",
    "Worlds",
    "check",
    "rounds",
    "sampled_worlds",
    "seen_by",
]
