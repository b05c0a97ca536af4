"""What an arena plays: its bots, its deals, and how. It can be sent to another process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from kitumaija.engine import GameOptions, text_seed
from kitumaija.sdk.arena.schedule import Lineup, lineups
from kitumaija.sdk.arena.standings import GamePlayed
from kitumaija.sdk.bot import BotFactory
from kitumaija.sdk.calls import OnError
from kitumaija.sdk.clocks import CountedClock, real_clock
from kitumaija.sdk.loading import load
from kitumaija.sdk.local import play_deal
from kitumaija.sdk.records import SUFFIX, save
from kitumaija.wire.times import Limits


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a process needs to know to play an arena, or a part of it.

    Its fields are the arguments of `arena`.
    """

    bots: tuple[str | BotFactory, ...]
    seats: int
    games: int
    seed: str | int
    options: GameOptions
    limits: Limits
    real_time: bool
    on_error: OnError
    records: Path | None

    @property
    def deals(self) -> int:
        """How many deals make that many games, each being played from every seat."""
        return -(-self.games // self.seats)

    def lineups(self) -> Iterator[Lineup]:
        """Yield the deals and who sits where in them, in the order in which they count."""
        return islice(lineups(len(self.bots), self.seats, text_seed(str(self.seed))), self.deals)

    def factories(self) -> list[BotFactory]:
        """Return the bots' classes; raises `LoadError` for one that cannot be loaded."""
        return [load(bot) if isinstance(bot, str) else bot for bot in self.bots]

    def play(self, lineup: Lineup) -> list[GamePlayed]:
        """Play a deal from every seat, and keep the records if they are wanted.

        Raises `BotError` for a bot's error if `on_error` says so.
        """
        bots = self.factories()
        games: list[GamePlayed] = []
        for line in lineup.rotations:
            played = play_deal(
                [bots[number] for number in line],
                lineup.deal,
                options=self.options,
                limits=self.limits,
                clock=real_clock if self.real_time else CountedClock(),
                on_error=self.on_error,
            )
            if self.records is not None:
                save(played, self.records / _file_name(lineup, len(games)))
            names = [player.name for player in played.players]
            problems = [(names.index(error.bot), str(error)) for error in played.problems]
            games.append(
                GamePlayed(
                    bots=line,
                    places=played.places,
                    termination=played.termination.value,
                    decisions=len(played.record.decisions),
                    late=played.late,
                    problems=tuple(problems),
                )
            )
        return games


def _file_name(lineup: Lineup, rotation: int) -> str:
    """The file of a game's record: arena/4/17 from the second seat on is 4-17-1."""
    return f"{lineup.deal.deal_id.removeprefix('arena/').replace('/', '-')}-{rotation}{SUFFIX}"
