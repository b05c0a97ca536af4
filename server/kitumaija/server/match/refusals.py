"""Why an answer is refused, in words for its bot. No word of it tells what the seat cannot see."""

from __future__ import annotations

from typing import Final

from kitumaija.engine import IllegalReason
from kitumaija.server.match.journal import Decided

UNREADABLE: Final = "The answer holds no action that the server knows."
OUR_TROUBLE: Final = "The server could not deal with this answer."
NOT_ASKED: Final = "No such decision has been asked of this seat."
OVER: Final = "The match is over."
SEAT_LOST: Final = "The seat is forfeited; its decisions are made by default."
ANSWERED_BEFORE: Final = "The decision was made by an earlier, different answer."


def broken_rule(reason: IllegalReason) -> str:
    """Return which rule an illegal action breaks."""
    return f"{reason.sentence[0].upper()}{reason.sentence[1:]}."


def decided_without(decided: Decided) -> str:
    """Return why an answer comes too late to a decision that was not the bot's own."""
    timing = decided.timing
    used, network, server = (
        f"{microseconds / 1000:g} ms"
        for microseconds in (timing.used_us, timing.network_us, timing.server_us)
    )
    return (
        f"The decision was made by default: {decided.fault}. {used} were charged; the stream's "
        f"round trip was about {network}, and the server took {server} to send the decision."
    )
