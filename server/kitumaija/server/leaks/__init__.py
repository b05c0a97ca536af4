"""Whether anything that a bot is sent gives away what its seat may not know.

Two servers play the same public course with cards that differ in all that one bot, the watcher,
has not seen, and where it may not know whom it plays, with other bots behind the other seats. Every
byte that it is sent, and can ask for, must be the same. docs/leaks.md says what that proves.

`plan` says what is played, `seating` and `decks` what differs. `check` runs both worlds: in each
`playing` takes a round from its `opening` over the `moves` at its `tables` to one of the `endings`,
while `asking` and `feeds` look at all there is to see. `names`, `hiding` and `report` compare.
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
