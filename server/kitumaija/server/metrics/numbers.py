"""What is counted. No number is of one bot, one match or one seat, and none holds a card or a seed:
whoever reads all of them, a bot too, learns nothing of a running match that everybody may not know.

One `Metrics` belongs to one server, with a registry of its own, and is handed down to whoever has
something to count.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from kitumaija.server.match.commands import RefusalReason
from kitumaija.server.match.journal import Decided, JournalEntry
from kitumaija.server.match.state import MatchPhase
from kitumaija.server.match.values import Fault, MatchNotStarted, MatchPlayed, MatchResult

_NANOS: Final = 1_000_000_000
_MICROS: Final = 1_000_000
_SHARE: Final = (0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0)
_COMMIT: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0)
_ROWS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class Metrics:
    """The numbers of one server. Each method counts one thing that happened."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()

        def counter(name: str, what: str, *labels: str) -> Counter:
            return Counter(f"kitumaija_{name}", what, labels, registry=self.registry)

        def histogram(name: str, what: str, buckets: tuple[float, ...]) -> Histogram:
            return Histogram(f"kitumaija_{name}", what, buckets=buckets, registry=self.registry)

        self._decisions = counter(
            "decisions", "Decisions made: who made them, and the fault if any.", "by", "fault"
        )
        self._server_share = histogram(
            "server_share_seconds",
            "From handing a decision to its stream to the return of its write.",
            _SHARE,
        )
        self._refusals = counter("refusals", "Answers that were refused, by reason.", "reason")
        self._matches = counter("matches_ended", "Matches that ended, by how.", "ending")
        self._no_shows = counter(
            "no_shows", "Seats whose bot was not there when a match was to begin."
        )
        self._rated = counter("rated_matches", "Numbers of schedules that entered the ratings.")
        self._commit = histogram(
            "commit_seconds", "From handing journal entries to the store to their commit.", _COMMIT
        )
        self._batch = histogram(
            "commit_entries", "Journal entries that were handed over together.", _ROWS
        )
        self._stalls = counter("loop_stalls", "Times that the event loop stood still.")
        self._stalled = counter("loop_stalled_seconds", "How long it stood still, all together.")
        self._arrivals = counter("streams_opened", "Streams that bots opened.")
        self._reconnects = counter("reconnects", "Streams of bots that had been away.")
        self._replacements = counter("replacements", "Streams that took the place of another.")

    def watch(
        self,
        *,
        connected: Callable[[], int],
        phases: Callable[[], Tally[MatchPhase]],
        queued: Callable[[], tuple[int, int]],
    ) -> None:
        """Say where what is true at the moment is read; from any thread, so nothing may wait.

        `queued` gives the messages and the bytes that wait to be written to bots.
        """
        gauges: Mapping[tuple[str, str], Callable[[], float]] = {
            ("connected_bots", "Bots that are connected."): connected,
            ("outbox_messages", "Messages that wait to be written to bots."): lambda: queued()[0],
            ("outbox_bytes", "Bytes that wait to be written to bots."): lambda: queued()[1],
        }
        for (name, what), read in gauges.items():
            Gauge(f"kitumaija_{name}", what, registry=self.registry).set_function(read)
        running = Gauge(
            "kitumaija_running_matches",
            "Matches that are not over, by how far they are.",
            ("state",),
            registry=self.registry,
        )
        for phase in (MatchPhase.GATHERING, MatchPhase.PLAYING, MatchPhase.OVER):
            running.labels(phase.value).set_function(partial(_how_many, phases, phase))

    # Matches

    def noted(self, entry: JournalEntry) -> None:
        """Count what a journal entry tells."""
        if not isinstance(entry, Decided):
            return
        fault = "" if entry.fault is None else entry.fault.value
        self._decisions.labels(entry.by.value, fault).inc()
        if entry.timing.server_us:
            self._server_share.observe(entry.timing.server_us / _MICROS)

    def refused(self, reason: RefusalReason) -> None:
        """Count an answer that was refused."""
        self._refusals.labels(reason.value).inc()

    def ended(self, result: MatchResult) -> None:
        """Count a match whose end is committed."""
        if isinstance(result, MatchPlayed):
            self._matches.labels(result.ending.value).inc()
            return
        if isinstance(result, MatchNotStarted):
            self._matches.labels("not_started").inc()
            absent = sum(fault is Fault.NO_SHOW for _, fault in result.absent)
            self._no_shows.inc(absent)
            return
        self._matches.labels("void").inc()

    def rated(self, numbers: int) -> None:
        """Count numbers of a schedule that entered the ratings."""
        self._rated.inc(numbers)

    # The store and the event loop

    def committed(self, entries: int, nanos: int) -> None:
        """Count a batch of journal entries, and how long it took to be on the disk."""
        self._commit.observe(nanos / _NANOS)
        self._batch.observe(entries)

    def stalled(self, nanos: int) -> None:
        """Count a stall of the event loop."""
        self._stalls.inc()
        self._stalled.inc(nanos / _NANOS)

    # Bots

    def arrived(self, *, again: bool, replaces: bool) -> None:
        """Count a stream: of a bot that was there before, or that is there still on another."""
        self._arrivals.inc()
        if replaces:
            self._replacements.inc()
        elif again:
            self._reconnects.inc()


def _how_many(phases: Callable[[], Tally[MatchPhase]], phase: MatchPhase) -> float:
    return phases()[phase]
