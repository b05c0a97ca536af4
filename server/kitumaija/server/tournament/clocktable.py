"""What time was measured of each bot of a tournament, collected from the records of its matches."""

from __future__ import annotations

from dataclasses import dataclass, field

from kitumaija.engine import DecidedBy
from kitumaija.server.match.values import Fault
from kitumaija.server.store import matches, records
from kitumaija.server.store.rows import MatchState
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.distribution import Distribution
from kitumaija.wire.record import TimedDecision, TimedGame, timed_game_from_bytes

PAGE = 25
"""How many records are read at once: a few milliseconds' work, so that nobody waits for it."""


@dataclass(slots=True, eq=False)
class BotTimes:
    """The times of one bot's decisions, in microseconds; the distributions are of its answers."""

    matches: int = 0
    used: Distribution = field(default_factory=Distribution)
    """What was charged."""
    overhead: Distribution = field(default_factory=Distribution)
    """What was charged beyond what the bot says that it thought."""
    network: Distribution = field(default_factory=Distribution)
    server: Distribution = field(default_factory=Distribution)
    timeouts: int = 0
    retimed: int = 0
    """How many decisions were re-timed."""
    retimed_us: int = 0
    """How much was taken off in all."""

    def add(self, decision: TimedDecision) -> None:
        """Count a decision."""
        timing = decision.timing
        self.timeouts += decision.fault == Fault.DECISION_TIMEOUT
        self.retimed += timing.retimed_us > 0
        self.retimed_us += timing.retimed_us
        if decision.by is not DecidedBy.BOT:
            return
        self.used.add(timing.used_us)
        self.network.add(timing.network_us)
        self.server.add(timing.server_us)
        if timing.think_time_us is not None:
            self.overhead.add(timing.used_us - timing.think_time_us)


@dataclass(slots=True, eq=False)
class Times:
    """The times of every bot, counted game by game."""

    matches: int = 0
    bots: dict[str, BotTimes] = field(default_factory=dict)

    def count(self, game: TimedGame, *, only: str = "") -> None:
        """Count the decisions of a game, of one bot alone if it is named."""
        self.matches += 1
        seats = [
            self.bots.setdefault(bot_id, BotTimes()) if only in {"", bot_id} else None
            for bot_id in game.seats
        ]
        for times in seats:
            if times is not None:
                times.matches += 1
        for decision in game.decisions:
            its_bot = seats[decision.seat]
            if its_bot is not None:
                its_bot.add(decision)


class ClockTable:
    """The times of every bot, or of one: `read` page after page until it says that it is done."""

    def __init__(self, tournament_id: str, *, only: str = "") -> None:
        self._times = Times()
        self._tournament_id = tournament_id
        self._only = only
        self._token = ""

    @property
    def matches(self) -> int:
        """How many matches were read."""
        return self._times.matches

    @property
    def bots(self) -> dict[str, BotTimes]:
        """The times by bot."""
        return self._times.bots

    def read(self, tx: ReadTx) -> bool:
        """Count the decisions of some more matches; tell whether there are others."""
        page = matches.page(
            tx, self._tournament_id, size=PAGE, token=self._token, bot_id=self._only
        )
        for seated in page.rows:
            if seated.match.state is MatchState.FINISHED:
                record = records.get(tx, seated.match.match_id)
                if record is not None:
                    self._times.count(timed_game_from_bytes(record), only=self._only)
        self._token = page.next_token
        return bool(self._token)
