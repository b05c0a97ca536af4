"""One running match, as the hall keeps it: the machine's state and what is around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from kitumaija.engine import Seat
from kitumaija.server.lobby.audience import Audience
from kitumaija.server.lobby.connection import BotInfo
from kitumaija.server.match.commands import EndMatch
from kitumaija.server.match.machine import MatchState, deadline
from kitumaija.server.match.state import MatchPhase
from kitumaija.server.match.values import MatchPlayed, MatchSetup, Nanos


@dataclass(slots=True, eq=False)
class RunningMatch:
    """A match between its offer and the moment everybody was told its end.

    `names` are the entrants' display names by bot id. `aliases` are what seats are called to each
    other while the match runs, by seat; None where that is no secret. `sequence` is the number of
    the next journal entry. `resumed` says that it goes on from its journal. `begun` says that all
    its bots were ready, so that it may be known who sits there. `endings` are what the seats will
    be told of its end, by seat. `given_up` says that a mistake of ours ends it. `audience` is there
    when somebody watches.
    """

    setup: MatchSetup
    names: Mapping[str, str]
    started_at: datetime
    state: MatchState
    sequence: int = 0
    resumed: bool = False
    ended: bool = False
    given_up: bool = False
    begun: bool = False
    bots: dict[str, BotInfo] = field(default_factory=dict)
    endings: dict[Seat, EndMatch] = field(default_factory=dict)
    aliases: tuple[str, ...] | None = None
    audience: Audience | None = None

    _deadline: Nanos | None = None
    _deadline_of: MatchState | None = None

    def note_whether_begun(self) -> None:
        """Note that all were ready, once they were: a match can begin and end in one step."""
        state = self.state
        self.begun |= state.phase is MatchPhase.PLAYING or isinstance(state.result, MatchPlayed)

    def is_due(self, now: Nanos) -> bool:
        """Tell whether the machine has something to do by itself.

        Its deadline is computed here, not at every step: a busy match has many between two looks.
        """
        if self._deadline_of is not self.state:
            self._deadline_of = self.state
            self._deadline = deadline(self.state)
        return self._deadline is not None and self._deadline <= now and not self.ended

    @property
    def match_id(self) -> str:
        """The match's id."""
        return self.setup.match_id

    def seat_of(self, bot_id: str) -> Seat:
        """Return the bot's seat; raises `ValueError` if it has none."""
        return Seat(self.setup.entrants.index(bot_id))

    def bots_by_seat(self) -> tuple[BotInfo | None, ...]:
        """Return what is known of each seat's bot."""
        return tuple(self.bots.get(bot_id) for bot_id in self.setup.entrants)
