"""Records of games: what must be kept so that everything else can be worked out again.

A record holds no state and no card but those played: the deal and the decisions make the game.
`replay` plays it again and says at which decision it stops being a game under these rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from kitumaija.engine.actions import Action, IllegalAction
from kitumaija.engine.deal import Deal, Shuffle, shuffled_deck
from kitumaija.engine.default import default_action
from kitumaija.engine.legal import legal_actions
from kitumaija.engine.notation import format_action
from kitumaija.engine.opening import new_game
from kitumaija.engine.options import GameOptions
from kitumaija.engine.rules import apply
from kitumaija.engine.state import State, Step
from kitumaija.engine.values import MAX_SEATS, MIN_SEATS, Outcome, Seat
from kitumaija.engine.view import view

RULES_VERSION = "1"
"""The version of the rules this engine plays; a record names the one it was played under."""


class DecidedBy(Enum):
    """Who made a decision."""

    BOT = "bot"
    """The player itself."""
    DEFAULT = "default"
    """The default action stood in for an answer that was late, missing or illegal (I5)."""
    FORFEIT = "forfeit"
    """The default action plays on for a seat that is forfeited."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a game, in the order played.

    `fault` is the lower-case name of what went wrong with the player's answer, if anything did.
    """

    seat: Seat
    action: Action
    by: DecidedBy = DecidedBy.BOT
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """How a recorded match ended.

    `outcome` is the game's own; None if the match ended before the game, because all players but
    one were out or forfeited. `placing[seat]` is the place in the match (see `match_places`); it is
    empty for a match that is void, which has neither outcome nor places, wherever it stood.
    `forfeits` names the forfeited seats in the order they were forfeited.
    """

    outcome: Outcome | None
    placing: tuple[int, ...]
    forfeits: tuple[Seat, ...] = ()

    @property
    def void(self) -> bool:
        """Whether the match does not count, and its record ends where it was broken off."""
        return not self.placing


@dataclass(frozen=True, slots=True)
class GameRecord:
    """Everything that made a game what it was; equal games have equal records."""

    rules_version: str
    options: GameOptions
    deal: Deal
    seats: tuple[str, ...]
    """The entrant at each seat, by id."""
    decisions: tuple[Decision, ...]
    result: RecordedResult


@dataclass(frozen=True, slots=True)
class Replay:
    """A record played again: one step for the deal, then one for each decision."""

    record: GameRecord
    steps: tuple[Step, ...]

    @property
    def final(self) -> State:
        """The state after the last decision."""
        return self.steps[-1].state


class ReplayError(ValueError):
    """A record that is not of a game under these rules.

    `decision_index` counts from 0 and names the first decision that cannot stand; it equals the
    number of decisions where all of them stand and the result does not follow.
    """

    def __init__(self, decision_index: int, reason: str) -> None:
        super().__init__(f"decision {decision_index}: {reason}")
        self.decision_index = decision_index
        self.reason = reason


def replay(record: GameRecord, *, shuffle: Shuffle = shuffled_deck) -> Replay:
    """Play a record again, checking every decision and the result; `shuffle` as in `new_game`.

    Raises `ReplayError` at the first decision that is illegal, out of turn, after the end, or said
    to be a default action and is another; for a result that the decisions do not lead to; and for a
    number of seats that no game has.
    """
    if record.rules_version != RULES_VERSION:
        raise ReplayError(
            0, f"recorded under rules {record.rules_version!r}, this engine plays {RULES_VERSION!r}"
        )
    key, seats = record.deal.key, len(record.seats)
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise ReplayError(0, f"seats: got {seats}, wanted {MIN_SEATS} to {MAX_SEATS}")
    steps = [new_game(key, seats, options=record.options, shuffle=shuffle)]
    for index, decision in enumerate(record.decisions):
        state = steps[-1].state
        _check_decider(index, decision, state, record.result.forfeits)
        try:
            steps.append(apply(state, decision.action, by=decision.seat))
        except IllegalAction as error:
            raise ReplayError(index, f"{error}; position: {error.position}") from error
    _check_result(record, steps[-1].state)
    return Replay(record, tuple(steps))


def match_places(state: State, forfeits: Sequence[Seat]) -> tuple[int, ...]:
    """Return each seat's place in a match that ended with `state`, counted from 1.

    First come the seats that are not forfeited, in the game's order; then the forfeited, the later
    the better. Equal places are shared as in `Outcome`.

    Raises `ValueError` if the game runs and more than one player could still play it.
    """
    forfeited = {seat: order for order, seat in enumerate(forfeits)}
    if len(forfeited) != len(forfeits):
        raise ValueError(f"got forfeits {list(forfeits)}, wanted each seat once")
    if not state.over and _still_playing(state, forfeits) > 1:
        raise ValueError("the match has no places yet: more than one player is still in it")

    def order(seat: Seat) -> tuple[bool, int]:
        if seat in forfeited:
            return True, -forfeited[seat]
        if state.outcome is not None:
            return False, state.outcome.places[seat]
        return False, state.out.index(seat) if seat in state.out else len(state.out)

    orders = [order(Seat(seat)) for seat in range(state.seats)]
    return tuple(1 + sum(other < own for other in orders) for own in orders)


def _still_playing(state: State, forfeits: Sequence[Seat]) -> int:
    return sum(seat not in state.out and seat not in forfeits for seat in range(state.seats))


def _check_decider(
    index: int, decision: Decision, state: State, forfeits: tuple[Seat, ...]
) -> None:
    if decision.by is DecidedBy.BOT or state.over or decision.seat != state.mover:
        return
    if decision.by is DecidedBy.FORFEIT and decision.seat not in forfeits:
        raise ReplayError(index, f"seat {decision.seat} is not among the forfeited seats")
    wanted = default_action(view(state, decision.seat), legal_actions(state))
    if decision.action != wanted:
        raise ReplayError(
            index,
            f"recorded as {decision.by.value} with {format_action(decision.action)!r}, "
            f"the default action is {format_action(wanted)!r}",
        )


def _check_result(record: GameRecord, final: State) -> None:
    index = len(record.decisions)
    result = record.result
    if result.void:
        if result.outcome is not None:
            raise ReplayError(index, "the match is void and has no outcome; one is recorded")
        return
    if final.outcome != result.outcome:
        raise ReplayError(index, f"recorded outcome {result.outcome}, played {final.outcome}")
    try:
        placing = match_places(final, result.forfeits)
    except ValueError as error:
        raise ReplayError(index, str(error)) from error
    if placing != result.placing:
        raise ReplayError(index, f"recorded placing {result.placing}, played {placing}")
