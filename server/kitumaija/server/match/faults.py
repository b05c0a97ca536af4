"""What each fault leads to: one table. `server/docs/faults.md` is this table in words.

A fault is found at one of four stages: before the match has started, at a single decision, as what
costs a bot its seat, or as what ends the match. The stages that are not in the table for a fault
cannot happen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from kitumaija.engine import DecidedBy
from kitumaija.server.match.values import Fault


class Stage(Enum):
    """Where in a match a fault strikes."""

    START = "before the start"
    DECISION = "at a decision"
    SEAT = "for the seat"
    MATCH = "for the match"


class Played(Enum):
    """What is played for the seat."""

    NO_GAME = "nothing; the match does not begin"
    ANSWER = "what the bot answers; the stall is taken off its clock"
    DEFAULT = "the default action, for this decision"
    DEFAULT_TO_THE_END = "the default action, at once, to the end of the match"
    STOPPED = "nothing more; the match is void"


class Placement(Enum):
    """Which place of the match the seat gets."""

    NONE = "none"
    AS_PLAYED = "as played"
    BEHIND = "behind every seat that is not forfeited; the later forfeited, the better"


class RatingEffect(Enum):
    """What the ratings make of it."""

    NONE = "none, for anybody"
    AS_PLACED = "as placed"
    FORFEITED = "the update of a last place; the others are rated among themselves"
    ABSENT = (
        "none the first time; the second time for the same match a last place, in its row alone"
    )


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a fault leads to at a stage."""

    played: Played
    placement: Placement
    rating: RatingEffect
    by: DecidedBy | None
    """How the seat's decisions are recorded; None where none is."""


_ABSENT = Consequence(Played.NO_GAME, Placement.NONE, RatingEffect.ABSENT, None)
_LEFT = Consequence(Played.NO_GAME, Placement.NONE, RatingEffect.NONE, None)
_DEFAULT = Consequence(
    Played.DEFAULT, Placement.AS_PLAYED, RatingEffect.AS_PLACED, DecidedBy.DEFAULT
)
_FORFEIT = Consequence(
    Played.DEFAULT_TO_THE_END, Placement.BEHIND, RatingEffect.FORFEITED, DecidedBy.FORFEIT
)
_RETIMED = Consequence(Played.ANSWER, Placement.AS_PLAYED, RatingEffect.AS_PLACED, DecidedBy.BOT)
_VOID = Consequence(Played.STOPPED, Placement.NONE, RatingEffect.NONE, None)

TABLE: Final[Mapping[tuple[Fault, Stage], Consequence]] = MappingProxyType(
    {
        (Fault.NO_SHOW, Stage.START): _ABSENT,
        (Fault.STARTUP_TIMEOUT, Stage.START): _ABSENT,
        (Fault.DECISION_TIMEOUT, Stage.DECISION): _DEFAULT,
        (Fault.DECISION_TIMEOUT, Stage.SEAT): _FORFEIT,
        (Fault.ILLEGAL_ACTION, Stage.DECISION): _DEFAULT,
        (Fault.ILLEGAL_ACTION, Stage.SEAT): _FORFEIT,
        (Fault.DISCONNECTED, Stage.DECISION): _DEFAULT,
        (Fault.DISCONNECTED, Stage.SEAT): _FORFEIT,
        (Fault.FLOODING, Stage.START): _ABSENT,
        (Fault.FLOODING, Stage.SEAT): _FORFEIT,
        (Fault.PROTOCOL_VIOLATION, Stage.START): _ABSENT,
        (Fault.PROTOCOL_VIOLATION, Stage.SEAT): _FORFEIT,
        (Fault.WITHDRAWN, Stage.START): _LEFT,
        (Fault.WITHDRAWN, Stage.SEAT): _FORFEIT,
        (Fault.DISQUALIFIED, Stage.START): _LEFT,
        (Fault.DISQUALIFIED, Stage.SEAT): _FORFEIT,
        (Fault.SERVER_FAULT, Stage.DECISION): _RETIMED,
        (Fault.SERVER_FAULT, Stage.MATCH): _VOID,
    }
)


FOUND: Final[Mapping[tuple[Fault, Stage], str]] = MappingProxyType(
    {
        (Fault.NO_SHOW, Stage.START): (
            "The bot was not connected when the match was offered, nor at any time within the "
            "start-up limit."
        ),
        (Fault.STARTUP_TIMEOUT, Stage.START): (
            "The bot was connected and did not say Ready within the start-up limit."
        ),
        (Fault.DECISION_TIMEOUT, Stage.DECISION): (
            "The time of the decision and the bank ran out; the bot was there."
        ),
        (Fault.DECISION_TIMEOUT, Stage.SEAT): (
            "The time of the decision and the bank ran out, once more than the match forgives."
        ),
        (Fault.ILLEGAL_ACTION, Stage.DECISION): (
            "The bot answered illegally, and there was no retry left."
        ),
        (Fault.ILLEGAL_ACTION, Stage.SEAT): (
            "The bot answered illegally, and neither a retry nor a fault was left to forgive."
        ),
        (Fault.DISCONNECTED, Stage.DECISION): (
            "The time of the decision and the bank ran out while the bot was away, or it had said "
            "Goodbye."
        ),
        (Fault.DISCONNECTED, Stage.SEAT): (
            "The bot was away longer than the grace, or missed one decision more than the match "
            "forgives."
        ),
        (Fault.FLOODING, Stage.START): "The bot sent more than the server takes.",
        (Fault.FLOODING, Stage.SEAT): "The bot sent more than the server takes.",
        (Fault.PROTOCOL_VIOLATION, Stage.START): "The bot broke the protocol.",
        (Fault.PROTOCOL_VIOLATION, Stage.SEAT): "The bot broke the protocol.",
        (Fault.WITHDRAWN, Stage.START): "The bot was withdrawn from the tournament.",
        (Fault.WITHDRAWN, Stage.SEAT): "The bot was withdrawn from the tournament.",
        (Fault.DISQUALIFIED, Stage.START): "An organizer disqualified the bot.",
        (Fault.DISQUALIFIED, Stage.SEAT): "An organizer disqualified the bot.",
        (Fault.SERVER_FAULT, Stage.DECISION): (
            "The server stood still while the bot was to decide."
        ),
        (Fault.SERVER_FAULT, Stage.MATCH): (
            "The server could not bring the match to an end, or an organizer declared it void."
        ),
    }
)
"""Each row of the table as what was found, in a sentence for the bot's author."""


def told(fault: Fault, stage: Stage) -> str:
    """Return what `fault` leads to at `stage`, in sentences."""
    follows = consequence(fault, stage)
    return (
        f"Played for the seat: {follows.played.value}. Its place: {follows.placement.value}. "
        f"The ratings: {follows.rating.value}."
    )


def consequence(fault: Fault, stage: Stage) -> Consequence:
    """Return what `fault` leads to at `stage`; raises `ValueError` where it cannot happen."""
    try:
        return TABLE[fault, stage]
    except KeyError:
        raise ValueError(f"the fault {fault} cannot happen {stage.value}") from None


def may_be_ordered(fault: Fault) -> bool:
    """Tell whether the fault lies outside the game: the match is told of it, before or after its
    start, and cannot find it by itself.
    """
    return (fault, Stage.START) in TABLE and (fault, Stage.SEAT) in TABLE


def by_seat_lost(fault: Fault) -> DecidedBy:
    """Return how decisions are recorded that are made for a seat forfeited for `fault`."""
    return _recorded(fault, Stage.SEAT)


def by_default(fault: Fault) -> DecidedBy:
    """Return how a decision is recorded that `fault` took from its bot."""
    return _recorded(fault, Stage.DECISION)


def _recorded(fault: Fault, stage: Stage) -> DecidedBy:
    by = consequence(fault, stage).by
    if by is None:
        raise ValueError(f"the fault {fault} leaves no decision {stage.value}")
    return by
