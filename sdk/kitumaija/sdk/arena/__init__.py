"""Many games on this machine: which of some bots is how strong.

A set is as many games as there are seats, in which the bots move around the table, so seats favour
nobody. All games of a set are played with one deal, so cards favour nobody either. Such duplicates
are fair here, where every game has fresh bots; on a server, where a bot remembers, no deal is ever
played twice, and with `duplicate=False` none is here.
"""

from kitumaija.sdk.arena.schedule import Lineup, lineups
from kitumaija.sdk.arena.standings import Against, Row, Standings
from kitumaija.sdk.arena.stats import Estimate, estimate
from kitumaija.sdk.arena.tables import arena

__all__ = [
    "Against",
    "Estimate",
    "Lineup",
    "Row",
    "Standings",
    "arena",
    "estimate",
    "lineups",
]
