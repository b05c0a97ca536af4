"""The limits of the server, all of them, with their units.

The limits of a *match* are settings of its tournament (`kitumaija.wire.times.Limits`); what both
ends must agree on is in `kitumaija.wire.limits`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from kitumaija.server.match.values import HANDOVER_LIMIT, SWEEP
from kitumaija.wire.limits import PING_INTERVAL, SILENCE_MAX

ROUND_TRIPS_KEPT = 8
"""From how many Pings the round trip of a stream is estimated."""


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What one bot, one stream and one moment may take of the server."""

    hello_within: timedelta = timedelta(seconds=10)
    """A stream says Hello in this time or is closed."""

    streams_per_bot: int = 16
    """How many streams a bot may have open, all but one of them on their way in or out."""

    ping_every: timedelta = PING_INTERVAL
    """How often a stream is pinged, which measures its round trip."""

    silence_max: timedelta = SILENCE_MAX
    """A stream on which nothing is heard for longer is given up as dead."""

    sweep_every: timedelta = SWEEP
    """How often deadlines are looked at. Verdicts do not depend on it: they compare stamps."""

    stall_told: timedelta = timedelta(milliseconds=20)
    """A delay of the event loop beyond this is told to the matches whose margin it is above."""

    clock_starts_within: timedelta = HANDOVER_LIMIT
    """A decision's clock starts at the latest this long after its hand-over to the writer: a bot
    that does not read must not stop its clock."""

    outbox_messages_min: int = 256
    outbox_messages_per_match: int = 8
    """How many messages may wait for a bot that does not read: the first, and the second for each
    match of its capacity. One for which more wait is closed."""

    outbox_bytes_min: int = 256 * 1024
    outbox_bytes_per_match: int = 80 * 1024
    """The same in bytes. A bot that comes back is sent a MatchSync of every match at once, and that
    of a long match at a table of ten has some 70 KiB."""

    unasked_per_second: int = 50
    unasked_burst: int = 500
    burst_per_match: int = 4
    """How many messages a bot may send beyond those that the server asked for: so many a second,
    and so many at once, the last for each match of its capacity. What a whole table of matches asks
    at once must fit, with each answer sent again."""

    frame_bytes_per_message: int = 1024
    """A frame counts as one message more for every so many bytes."""

    messages_per_resync: int = 25
    """A Resync counts as so many messages, for it is answered with thousands of events."""

    messages_per_return: int = 4
    """A Hello counts as so many messages for each match of the bot, all of which it is told again.
    A bot that has not that many left is sent away for a moment, and loses no seat for it."""

    replacements_max: int = 5
    replacements_within: timedelta = timedelta(minutes=1)
    lock_for: timedelta = timedelta(minutes=1)
    """A token whose stream is replaced more often than this is locked for a while."""

    reveal_within: timedelta = timedelta(seconds=3)
    """How long a tournament is kept from closing and from starting by the entropy that bots which
    are connected were asked for."""

    watch_every: timedelta = timedelta(seconds=1)
    """How often it is looked whether everything moves that must."""

    overdue_after: timedelta = timedelta(seconds=10)
    """How long beyond its longest time a match may stay in one state before it is void."""

    commit_within: timedelta = timedelta(minutes=1)
    """How long the store may take for a commit before the server gives it up, and itself."""

    call_read_within: timedelta = timedelta(seconds=10)
    """How long a caller of a call that answers with a stream, as a spectator's, may leave one
    message unread that the network has no room for. Then the call is ended."""

    calls_per_second: int = 50
    calls_burst: int = 500
    """How many calls a caller may make: so many a second, and so many at once. A caller is a bot's
    token, or the address of whoever has none that is good. The organizer may make any number."""

    calls_per_large_read: int = 50
    """An export, or a table of times or standings, counts as so many calls: it reads everything of
    a tournament."""

    calls_per_replay: int = 10
    """Whatever may have to play a game again counts as so many calls, a spectator's watch too."""

    calls_per_change: int = 10
    """What a bot changes of what is stored counts as so many calls: it is kept for good."""

    calls_per_search: int = 5
    """Drawing worlds, or playing in them, counts as so many calls: each has some milliseconds of
    work in a process of its own."""

    searches_waiting: int = 64
    """How many such calls of everybody wait for that process at once."""

    search_cpu: timedelta = timedelta(seconds=2)
    """How much time of a processor one of them may take. The events of games take far less."""

    answer_bytes_per_call: int = 16 * 1024
    """A call counts as one more for every so many bytes of its answer, if that is one message."""

    request_bytes_per_call: int = 4 * 1024
    """A request counts as a call more for every so many bytes: to parse it is work."""

    request_within: timedelta = timedelta(seconds=10)
    """How long a call may be open before its request has come, all of it."""

    open_calls: int = 256
    """How many calls of one caller may be open at once, as those of spectators are for long."""

    connections_looked_at_every: timedelta = timedelta(seconds=2)
    """How often connections on which nothing is called are counted."""

    refused_after: timedelta = timedelta(milliseconds=250)
    """Who calls too often, or without a good token, is told so after this: it is work too."""

    refusals_waiting: int = 1_000
    """How many refusals wait so at once. Those beyond are told at once."""

    last_words_within: timedelta = timedelta(seconds=1)
    """How long a stream that is closed may still be written to."""

    @property
    def calls_refill(self) -> timedelta:
        """After how long a caller who made all the calls that he may has all of them again."""
        return timedelta(seconds=self.calls_burst / self.calls_per_second)

    def burst(self, capacity: int) -> int:
        """Return how many messages a bot of this capacity may send at once."""
        return self.unasked_burst + capacity * self.burst_per_match

    def outbox_messages(self, capacity: int) -> int:
        """Return how many messages may wait for a bot of this capacity."""
        return self.outbox_messages_min + capacity * self.outbox_messages_per_match

    def outbox_bytes(self, capacity: int) -> int:
        """Return how many bytes of messages may wait for a bot of this capacity."""
        return self.outbox_bytes_min + capacity * self.outbox_bytes_per_match
