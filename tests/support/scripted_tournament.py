"""A tournament of bots that decide by what they see alone, so that two runs can be compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kitumaija.server.store import MatchState, StoreReader, matches, records
from kitumaija.wire.record import game_to_bytes, record_from_bytes
from tests.support.processes import BotProcesses, ServerProcess

TOURNAMENT = "t"
SCRIPTED = ("sample:smallest", "sample:observer", "sample:rememberer")
"""Samples that look at nothing but the game."""


@dataclass(frozen=True)
class ScriptedTournament:
    """Which bots play, and what; the same cards in every run."""

    bots: dict[str, str] = field(default_factory=lambda: dict(zip("abc", SCRIPTED, strict=True)))
    table_sizes: tuple[int, ...] = (2, 3)
    rounds: int = 3
    max_running: int = 4
    turns: int = 100
    """After how many turns of each player a game is cut short."""
    played_as: str = "round_robin"

    def begin(self, server: ServerProcess, processes: BotProcesses) -> None:
        """Start the bots, and the tournament."""
        tokens = server.register(*self.bots)
        for name, source in self.bots.items():
            processes.start(name, source, address=server.address, token=tokens[name])
        sizes = [word for size in self.table_sizes for word in ("--seats", str(size))]
        server.run(
            *("tournament", "create", TOURNAMENT, *sizes, "--rounds", str(self.rounds)),
            *("--format", self.played_as),
            *("--unsafe-seed", "the same cards in every run", "--limit", "per_decision=60s"),
            *("--limit", "grace=60s", "--limit", "startup=60s"),
            *("--max-running", str(self.max_running)),
            *("--option", f"turns_per_player={self.turns}"),
        )
        server.run("tournament", "enter", TOURNAMENT, *self.bots)
        server.run("tournament", "start", TOURNAMENT, "--allow-absent")


def all_connected(server: ServerProcess) -> bool:
    """Whether all entrants of the tournament are there."""
    entrants = server.read("tournament", "show", TOURNAMENT)["entrants"]
    return all(entrant["connected"] for entrant in entrants)


def table(server: ServerProcess) -> Any:
    """What the tournament came to, without what may differ between two runs: ids and times.

    The games are there decision by decision, with their cards.
    """
    standings = server.read("tournament", "standings", TOURNAMENT)
    played = server.read("tournament", "matches", TOURNAMENT)["matches"]
    with StoreReader.open(server.data) as store, store.read() as tx:
        games = {}
        for match in played:
            record = records.get(tx, match.pop("match_id"))
            assert record is not None
            game = record_from_bytes(record).game
            games[game.deal.deal_id] = game_to_bytes(game)
    return standings, played, games


def finished(server: ServerProcess) -> int:
    """How many matches are over, by the store: the server may be dead."""
    with StoreReader.open(server.data) as store, store.read() as tx:
        return matches.counts(tx, TOURNAMENT).finished


def seats_played(server: ServerProcess) -> list[tuple[str, ...]]:
    """Who sat where in the matches that are over."""
    with StoreReader.open(server.data) as store, store.read() as tx:
        return [
            tuple(seat.bot_id for seat in seated.seats)
            for seated in matches.page(tx, TOURNAMENT, size=1_000_000).rows
            if seated.match.state is MatchState.FINISHED
        ]


def matches_known(server: ServerProcess) -> dict[str, tuple[str, list[str]]]:
    """The deal and the seats of every match that was ever begun, by its id."""
    with StoreReader.open(server.data) as store, store.read() as tx:
        return {
            seated.match.match_id: (seated.match.deal_id, [seat.bot_id for seat in seated.seats])
            for seated in matches.page(tx, TOURNAMENT, size=1_000_000).rows
        }
