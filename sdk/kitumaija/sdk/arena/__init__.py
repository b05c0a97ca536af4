"""Many games on this machine: which of some bots is how strong.

Every deal is played once from every seat: the bots move around the table, so neither cards nor
seats favour anybody. That is fair here, where every game has fresh bots; on a server, where a bot
remembers, no deal is ever played twice.
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
