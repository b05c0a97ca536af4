"""The values of a match: how it is set up, what can go wrong, and how it comes out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final, NewType, TypeAlias

from kitumaija.engine import Deal, Decision, GameOptions, GameRecord, Seat
from kitumaija.server.choices import IllegalActions
from kitumaija.wire.record import DecisionTiming, Incident
from kitumaija.wire.times import Limits

Nanos = NewType("Nanos", int)
"""An instant: monotonic nanoseconds from no particular zero."""

NANOS_PER_MICROSECOND: Final = 1_000


def nanos(duration: timedelta) -> int:
    """Return a duration in nanoseconds, exactly."""
    return duration // timedelta(microseconds=1) * NANOS_PER_MICROSECOND


HANDOVER_LIMIT: Final = timedelta(milliseconds=100)
"""A clock starts at the latest this long after its decision was handed to the stream's writer."""

SETTLE: Final = timedelta(milliseconds=20)
"""How long after a limit a `Tick` waits before it rules: until then an answer that was stamped
within the limit, and comes to the machine after another seat's later event, still counts."""

SETTLE_NS: Final = nanos(SETTLE)

SWEEP: Final = timedelta(milliseconds=20)
"""The longest that a `Tick` may be late in a server that is well."""

DECISIONS_A_TURN: Final = 2
"""The most that one turn asks: catch and free card, or luck card and pick-up (I1)."""

LONGEST_ID: Final = 200
MOST_RETRIES: Final = 1000
MOST_FAULTS: Final = 1_000_000


class Fault(StrEnum):
    """What can be wrong with a bot, or with the server: `FaultKind` of the protocol.

    `faults.py` says what each leads to.
    """

    NO_SHOW = "no_show"
    """Not connected when the match was offered, nor within the startup limit."""
    STARTUP_TIMEOUT = "startup_timeout"
    """Connected, and not ready within the startup limit."""
    DECISION_TIMEOUT = "decision_timeout"
    """The time for a decision and the bank ran out."""
    ILLEGAL_ACTION = "illegal_action"
    """Illegal answers to one decision, more than the retries allow."""
    DISCONNECTED = "disconnected"
    """A decision's time ran out while the bot was away, or it was away longer than the grace."""
    FLOODING = "flooding"
    """More was sent than the server takes."""
    PROTOCOL_VIOLATION = "protocol_violation"
    """The protocol was broken."""
    WITHDRAWN = "withdrawn"
    """Taken out of the tournament, by its owner or by the no-show rule."""
    DISQUALIFIED = "disqualified"
    """Taken out of the tournament by an organizer."""
    SERVER_FAULT = "server_fault"
    """The server failed; no bot is charged."""


class MatchEnding(StrEnum):
    """How a match ended: `MatchEnding` of the protocol."""

    PLAYED = "played"
    """The game was played to an end by the rules."""
    FORFEITS = "forfeits"
    """All but one seat were out or forfeited."""
    VOID = "void"
    """The match does not count."""


def _check_number(name: str, value: object, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(
            f"fault policy {name}: got {value!r}, wanted a whole number from {least} to {most}"
        )


@dataclass(frozen=True, slots=True)
class FaultPolicy:
    """How much is forgiven. Raises `ValueError`, naming the field, what was got and is wanted."""

    illegal_retries: int = 2
    """How many illegal answers to one decision are refused before the default is played."""
    faults_to_forfeit: int = 5
    """The fault of a match, counted from 1, that forfeits the seat; 0: none does by its number."""
    illegal_actions: IllegalActions = IllegalActions.RETRY
    """What an illegal answer leads to; only `RETRY` has retries."""

    def __post_init__(self) -> None:
        _check_number("illegal_retries", self.illegal_retries, 0, MOST_RETRIES)
        _check_number("faults_to_forfeit", self.faults_to_forfeit, 0, MOST_FAULTS)
        if self.illegal_retries and self.illegal_actions is not IllegalActions.RETRY:
            raise ValueError(
                f"fault policy illegal_retries: got {self.illegal_retries} with illegal_actions "
                f"{self.illegal_actions}, wanted 0: only retry retries"
            )

    def costs_seat(self, fault: Fault, faults: int) -> bool:
        """Tell whether `fault`, which is number `faults` of its seat in the match, costs it."""
        if fault is Fault.ILLEGAL_ACTION and self.illegal_actions is IllegalActions.FORFEIT_AT_ONCE:
            return True
        return 0 < self.faults_to_forfeit <= faults


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """Everything that is fixed before a match is offered; seats are numbered as `entrants` is.

    Raises `ValueError` for a table that cannot be: not 2–10 entrants, one of them twice, no id, or
    options under which a game could last for ever.
    """

    match_id: str
    deal: Deal
    entrants: tuple[str, ...]
    options: GameOptions = GameOptions()  # noqa: RUF009 - a frozen value
    limits: Limits = Limits()  # noqa: RUF009 - a frozen value
    policy: FaultPolicy = FaultPolicy()

    def __post_init__(self) -> None:
        if not 0 < len(self.match_id) <= LONGEST_ID:
            raise ValueError(
                f"match id: got {self.match_id!r}, wanted 1 to {LONGEST_ID} characters"
            )
        if not 2 <= len(self.entrants) <= 10:
            raise ValueError(f"entrants: got {len(self.entrants)}, wanted 2 to 10 (S4)")
        if len(set(self.entrants)) != len(self.entrants):
            raise ValueError(f"entrants: got one twice in {self.entrants}, wanted each once")
        longest_match(self)

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return len(self.entrants)


def longest_match(setup: MatchSetup) -> timedelta:
    """Return the longest that a match may take by its limits and its turn cap.

    Only trouble of the server makes it longer, so a `match_cap` must not be smaller.
    Raises `ValueError` for options under which it could last for ever.
    """
    return longest_game(len(setup.entrants), setup.options, setup.limits)


def longest_game(seats: int, options: GameOptions, limits: Limits) -> timedelta:
    """Return `longest_match` for a table of that many seats.

    The sum is: the start-up; for each decision that the turn cap allows `per_decision`, `margin`,
    the `increment` it may earn and what the server may take to start its clock and to notice its
    end; and each seat's bank. Raises `ValueError` where there is no such sum.
    """
    if not options.always_ends:
        raise ValueError(
            "option turns_per_player: got 0, wanted 1 or more: without a turn cap a match could "
            "last for ever"
        )
    decisions = DECISIONS_A_TURN * options.turns_per_player * seats
    overhead = HANDOVER_LIMIT + SETTLE + SWEEP
    try:
        each = limits.per_decision + limits.margin + limits.increment + overhead
        return limits.startup + decisions * each + seats * limits.bank
    except OverflowError:
        raise ValueError(
            f"limits: {decisions} decisions of {limits.per_decision} add up to more time than can "
            "be counted; lower per_decision or turns_per_player"
        ) from None


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A seat that was forfeited."""

    seat: Seat
    fault: Fault
    """The fault that led to it."""
    at: int
    """How many decisions of the match, over all seats, had been made by then."""


@dataclass(frozen=True, slots=True)
class MatchPlayed:
    """The result of a match that counts. Everything by seat is in the order of seats."""

    game: GameRecord
    timings: tuple[DecisionTiming, ...]
    """One for each decision of the game, in the same order."""
    ending: MatchEnding
    """PLAYED or FORFEITS."""
    forfeits: tuple[Forfeit, ...]
    """In the order they happened."""
    faults: tuple[tuple[Fault, ...], ...]
    """Each seat's faults, in the order they happened."""
    incidents: tuple[Incident, ...] = ()
    """What was seen of the seats beside their decisions, in the order it happened."""


@dataclass(frozen=True, slots=True)
class MatchNotStarted:
    """A match that could not begin; no game was played and nobody saw a card."""

    absent: tuple[tuple[Seat, Fault], ...]
    """Whose doing it was, by seat: not there, not ready, or forfeited by order before the start."""


@dataclass(frozen=True, slots=True)
class MatchVoid:
    """A match that does not count: trouble of the server, or an organizer's decision."""

    reason: str
    """A sentence."""
    decisions: tuple[Decision, ...] = ()
    """What had been played."""


MatchResult: TypeAlias = MatchPlayed | MatchNotStarted | MatchVoid
