"""The watch over the matches: none stays in one state for longer than that state can take.

The machine ends every match by its own deadlines. This is the second look, for the day on which one
of them is wrong, a hook hangs or the disk is silent: it reads no deadline of the machine, only what
state a match is in, and since when by its own count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from kitumaija.server.clock import NANOS_PER_SECOND, nanos
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby.running import RunningMatch
from kitumaija.server.match.clocks import Terms
from kitumaija.server.match.state import MatchPhase
from kitumaija.server.match.values import Nanos


class Stay(Enum):
    """A state that a match can be in, as the watchdog sees it."""

    OFFERED = "offered"
    """Its bots are asked to be ready."""
    RESUMING = "resuming"
    """It goes on from its journal, and the bot whose turn it is has not come back yet."""
    PLAYING = "playing"
    """Its game is played."""
    ENDED = "ended"
    """It has a result, which is not committed yet."""


LONGEST: Final[Mapping[Stay, Callable[[Terms, ServerLimits], int]]] = MappingProxyType(
    {
        # An offer that waits for the disk has its start-up put off by that.
        Stay.OFFERED: lambda terms, limits: terms.startup + nanos(limits.commit_within),
        Stay.RESUMING: lambda terms, _: terms.startup,
        Stay.PLAYING: lambda terms, _: terms.match_cap,
        Stay.ENDED: lambda _, limits: nanos(limits.commit_within),
    }
)
"""How long a match may be in each state, in nanoseconds. Time in which the server itself stood
still does not count, and `ServerLimits.overdue_after` is added before anything is done."""


class Stuck(Exception):
    """Something does not move, and nothing on this server will move it: the server has to end.

    The message is one line for an operator, and holds nothing hidden.
    """


@dataclass(slots=True)
class _Seen:
    """Something that does not move: what it is, and since when."""

    what: object
    since: int


class Watchdog:
    """Looks at everything that must move, `ServerLimits.watch_every`.

    `overdue` is told of each match that stays too long in a state, again at every look; `stuck` of
    a result that is not committed, and of a store that has neither committed nor failed for too
    long.
    """

    def __init__(
        self,
        limits: ServerLimits,
        *,
        overdue: Callable[[RunningMatch, Stay, int], None],
        stuck: Callable[[Stuck], None],
    ) -> None:
        self._limits = limits
        self._overdue = overdue
        self._stuck = stuck
        self._next = 0
        self._stalled = 0
        self._matches: dict[str, _Seen] = {}
        self._batch = _Seen(None, 0)

    def stalled(self, since: Nanos, until: Nanos) -> None:
        """Count a stall of the server: nothing could move in it."""
        self._stalled += until - since

    def look(self, now: Nanos, matches: Iterable[RunningMatch], batch: object) -> None:
        """Look at all matches, and at what has waited longest for its commit, if anything does.

        Does nothing if the last look was a moment ago.
        """
        if now < self._next:
            return
        self._next = now + nanos(self._limits.watch_every)
        awake = now - self._stalled
        before, self._matches = self._matches, {}
        for match in tuple(matches):
            seen = before.get(match.match_id)
            stay = stay_of(match, now, resuming=seen is None or seen.what is Stay.RESUMING)
            if seen is None or seen.what is not stay:
                seen = _Seen(stay, awake)
            self._matches[match.match_id] = seen
            longest = LONGEST[stay](Terms.of(match.setup), self._limits)
            if awake - seen.since > longest + nanos(self._limits.overdue_after):
                self._too_long(match, stay, (awake - seen.since) // NANOS_PER_SECOND)
        self._look_at_store(awake, batch)

    def _too_long(self, match: RunningMatch, stay: Stay, seconds: int) -> None:
        self._overdue(match, stay, seconds)
        if stay is Stay.ENDED:
            self._stuck(
                Stuck(
                    f"the result of match {match.match_id} could not be committed for {seconds} s; "
                    "it is made again at the next start"
                )
            )

    def _look_at_store(self, awake: int, batch: object) -> None:
        if batch is None or self._batch.what is not batch:
            self._batch = _Seen(batch, awake)
        elif awake - self._batch.since > nanos(self._limits.commit_within):
            seconds = (awake - self._batch.since) // NANOS_PER_SECOND
            self._stuck(
                Stuck(
                    f"the store has committed nothing for {seconds} s, and no error came: look at "
                    "its disk or its database; what was decided before goes on at the next start"
                )
            )


def stay_of(match: RunningMatch, now: Nanos, *, resuming: bool) -> Stay:
    """Return what state a match is in; `resuming` is whether it may still be coming back."""
    if match.ended:
        return Stay.ENDED
    if match.state.phase is MatchPhase.GATHERING:
        return Stay.OFFERED
    pending = match.state.pending
    if resuming and match.resumed and pending is not None:
        started = pending.started
        if started is None or started > now:
            return Stay.RESUMING
    return Stay.PLAYING
