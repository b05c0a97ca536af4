"""Why an answer is refused, in words for its bot. No word of it tells what the seat cannot see."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from kitumaija.engine import IllegalReason
from kitumaija.server.match.journal import Decided

BROKEN_RULE: Final[Mapping[IllegalReason, str]] = MappingProxyType(
    {
        IllegalReason.NOT_YOUR_TURN: "It is another seat's turn.",
        IllegalReason.GAME_OVER: "The game is over.",
        IllegalReason.WRONG_PHASE: "This phase does not ask for such an action (I1).",
        IllegalReason.NOT_IN_HAND: "The card is not in the hand.",
        IllegalReason.DOES_NOT_BEAT: "The card does not beat the top card (S5-S9).",
        IllegalReason.MAIJA_CANNOT_CATCH: "The queen of spades cannot catch (S11).",
        IllegalReason.MAIJA_CANNOT_LEAD: "The queen of spades cannot lead (E5).",
        IllegalReason.STOCK_EMPTY: "The stock has no card left to turn.",
        IllegalReason.LUCK_ALREADY_TRIED: "Luck is tried once a turn (D1).",
        IllegalReason.TURN_NOT_ALLOWED: "The card may not be turned from the stock here (D5, E5).",
        IllegalReason.MUST_CATCH: "Who holds a catching card may not pick up at once (D7).",
        IllegalReason.PICKUP_AMOUNT: "That number of cards may not be picked up here (E1).",
        IllegalReason.CANNOT_PASS: "Only a leader who holds nothing but the queen may pass (E5).",
    }
)

UNREADABLE: Final = "The answer holds no action that the server knows."
NOT_ASKED: Final = "No such decision has been asked of this seat."
OVER: Final = "The match is over."
SEAT_LOST: Final = "The seat is forfeited; its decisions are made by default."
ANSWERED_BEFORE: Final = "The decision was made by an earlier, different answer."


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
