"""The matches of a round while they are played: whose turn it is, and when nothing more happens."""

from __future__ import annotations

from collections.abc import Sequence

from kitumaija.engine import RULES_VERSION, GameRecord, RecordedResult
from kitumaija.server.leaks.bots import Player
from kitumaija.server.leaks.opening import Table
from kitumaija.server.leaks.side import Side


class Tables:
    """The tables of one round. `away` are bots that nothing can be told any more."""

    def __init__(self, side: Side, tables: Sequence[Table]) -> None:
        self.side = side
        self.all = {table.match_id: table for table in tables}
        self.away: set[Player] = set()

    @property
    def match_ids(self) -> tuple[str, ...]:
        """The matches, in the order of the schedule."""
        return tuple(self.all)

    @property
    def numbers(self) -> dict[str, int]:
        """Their places in the schedule."""
        return {match_id: table.number for match_id, table in self.all.items()}

    def present(self, match_id: str) -> list[Player]:
        """Return the bots of a match that are there."""
        return [one for one in self.all[match_id].players if one not in self.away]

    def asked(self, match_id: str) -> Player | None:
        """Return the bot that a match waits for; None if it waits for none that is there."""
        return next((one for one in self.present(match_id) if match_id in one.asked), None)

    def seat_of(self, match_id: str, player: Player) -> int:
        """Return a bot's seat in a match."""
        return self.all[match_id].players.index(player)

    async def seat(self) -> None:
        """Have all bots be ready, and every match begin, one after the other."""
        for match_id, table in self.all.items():
            for player in table.players:
                await player.ready(match_id)
            await self._begun(table)
            await self.at_rest(match_id)

    async def _begun(self, table: Table) -> None:
        await self.side.bell.until(
            lambda: all(table.match_id in one.seats for one in table.players),
            "a match in which all are ready did not begin",
        )

    async def at_rest(self, match_id: str) -> None:
        """Wait until a match waits for a bot, or everybody knows that it is over."""
        await self.side.bell.until(
            lambda: (
                self.asked(match_id) is not None
                or all(match_id in one.ended for one in self.present(match_id))
            ),
            f"match {match_id} stands still",
        )
        asked = self.asked(match_id)
        if asked is not None:
            # Its clock has started when something behind it has been sent: then time may pass.
            await asked.settle()

    async def all_at_rest(self) -> None:
        """Wait until all that was done to the matches has had its effect."""
        await self.side.app.hall.settle()
        for player in self.side.players:
            if player not in self.away:
                await player.settle()
        for match_id in self.all:
            await self.at_rest(match_id)

    def unfinished(self) -> dict[str, GameRecord]:
        """Return what has been played so far of those that run."""
        found: dict[str, GameRecord] = {}
        for match_id, table in self.all.items():
            running = self.side.app.hall.match(table.players[0].bot_id, match_id)
            if running is not None:
                state, setup = running.state, running.setup
                found[match_id] = GameRecord(
                    RULES_VERSION,
                    setup.options,
                    setup.deal,
                    setup.entrants,
                    tuple(state.decisions.since(0)),
                    RecordedResult(None, ()),
                )
        return found
