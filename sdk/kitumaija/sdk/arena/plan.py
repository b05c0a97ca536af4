"""What an arena plays: its bots, its deals, and how. It can be sent to another process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from kitumaija.console.children import Allowance
from kitumaija.engine import GameOptions, text_seed
from kitumaija.sdk.arena.company import Company, called, loaded
from kitumaija.sdk.arena.schedule import Lineup, lineups
from kitumaija.sdk.arena.standings import GamePlayed
from kitumaija.sdk.bot import BotFactory
from kitumaija.sdk.calls import OnError
from kitumaija.sdk.clocks import CountedClock, real_clock
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
    duplicate: bool
    options: GameOptions
    limits: Limits
    real_time: bool
    on_error: OnError
    records: Path | None
    allowance: Allowance
    fresh_bots: bool
    logs: Path | None
    """Where bots that are processes may leave what they write, in folders of their own."""

    @property
    def sets(self) -> int:
        """How many sets make that many games, each having as many as there are seats."""
        return -(-self.games // self.seats)

    def lineups(self) -> Iterator[Lineup]:
        """Yield the sets, in the order in which they count."""
        master = text_seed(str(self.seed))
        sets = lineups(len(self.bots), self.seats, master, duplicate=self.duplicate)
        return islice(sets, self.sets)

    def names(self) -> list[str]:
        """Return what the bots are called; raises `LoadError` for one that cannot be loaded."""
        return [called(loaded(bot)) for bot in self.bots]

    def company(self) -> Company:
        """Return the bots, for a process that plays; raises `LoadError` as `names` does."""
        return Company(
            self.bots,
            limits=self.limits,
            allowance=self.allowance,
            fresh=self.fresh_bots,
            logs=self.logs,
        )

    def play(self, lineup: Lineup, company: Company) -> list[GamePlayed]:
        """Play the games of a set, and keep the records if they are wanted.

        Raises `BotError` for a bot's error if `on_error` says so, and `SdkError` for a process that
        does not dial in.
        """
        games: list[GamePlayed] = []
        for deal, line in zip(lineup.deals, lineup.rotations, strict=True):
            played = play_deal(
                company.sit_down(line),
                deal,
                options=self.options,
                limits=self.limits,
                clock=real_clock if self.real_time else CountedClock(),
                on_error=self.on_error,
            )
            if self.records is not None:
                save(played, self.records / self._file_name(lineup, len(games)))
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

    def _file_name(self, lineup: Lineup, rotation: int) -> str:
        """The file of a game's record: the second game of the set 17 at four seats is 4-17-1."""
        return f"{self.seats}-{lineup.number}-{rotation}{SUFFIX}"
