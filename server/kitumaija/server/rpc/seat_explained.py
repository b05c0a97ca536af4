"""Why a seat was charged with what it was, made of the record of its match, or of its journal.

What is shown of the game is that seat's view and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kitumaija.engine import DecidedBy, Decision, Seat, State, Step, legal_actions, view
from kitumaija.server.match.clocks import Terms, bank_after, microseconds, time_left
from kitumaija.server.match.faults import FOUND, Stage, told
from kitumaija.server.match.telling import NOT_STARTED
from kitumaija.server.match.values import NANOS_PER_MICROSECOND, Fault, MatchSetup
from kitumaija.server.rpc.fields import wrong_field
from kitumaija.server.rpc.settings_messages import settings_to_message
from kitumaija.server.store.rows import MatchSeatRow, MatchState, SeatedMatch
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.v1 import replay_pb2, tournament_pb2
from kitumaija.wire.codec import legal_to_message, view_to_message
from kitumaija.wire.record import (
    DecisionTiming,
    Incident,
    IncidentKind,
    MatchRecord,
    fault_to_message,
)
from kitumaija.wire.record.game import decision_to_message
from kitumaija.wire.record.incidents import incident_to_message
from kitumaija.wire.record.times import timing_to_message
from kitumaija.wire.times import Limits, limits_to_message


@dataclass(frozen=True, slots=True)
class _Asked:
    """A decision that the seat was asked, with the state that it was asked in.

    `bank` is in nanoseconds. `made` and `timing` are None where the match ended before.
    """

    decision_id: int
    state: State
    bank: int
    made: Decision | None
    timing: DecisionTiming | None


def explained(
    seated: SeatedMatch,
    settings: TournamentSettings,
    record: MatchRecord | None,
    seen: Iterable[Incident],
    *,
    steps: Sequence[Step],
    seat: int,
    decision_id: int,
) -> replay_pb2.ExplainSeatResponse:
    """Return the explanation of a seat.

    `record` is None for a match whose game never began; `seen` are then the incidents of its
    journal. `steps` are those of the record, played again. Raises `InvalidArgument` for a decision
    that the seat was not asked.
    """
    match, row = seated.match, seated.seats[seat]
    if record is not None:
        seen = record.timings.incidents
    incidents = [one for one in seen if one.seat == seat]
    limits = settings.limits if record is None else record.timings.limits or settings.limits
    response = replay_pb2.ExplainSeatResponse(
        match_id=match.match_id,
        seat=seat,
        bot_id=row.bot_id,
        display_name=_display_name(record, seat),
        state=tournament_pb2.MatchState.Value(f"MATCH_STATE_{match.state.name}"),
        # Why a match did not begin names who did not come, and may sit there the next time.
        reason=NOT_STARTED if record is None and match.state is MatchState.VOID else match.reason,
        limits=limits_to_message(limits),
        policy=settings_to_message(settings).faults,
        place=row.place,
        incidents=[incident_to_message(one) for one in incidents],
    )
    asked: list[_Asked] = []
    if record is not None:
        asked = list(_asked(record, steps, Seat(seat), limits))
        made = [one.made for one in asked if one.made is not None]
        response.decisions_made = len(made)
        response.decisions_by_forfeit = sum(one.by is DecidedBy.FORFEIT for one in made)
    _say_what_cost_it(response, row, record, incidents)
    if decision_id > len(asked):
        raise wrong_field("decision_id", str(decision_id), f"0 to {len(asked)}")
    if decision_id:
        chosen = [asked[decision_id - 1]]
    else:
        chosen = [one for one in asked if _at_fault(one, incidents)]
    terms = None if record is None else _terms(record, limits)
    for one in chosen:
        if terms is not None:
            _add(response, one, Seat(seat), terms, incidents)
    return response


def _say_what_cost_it(
    response: replay_pb2.ExplainSeatResponse,
    row: MatchSeatRow,
    record: MatchRecord | None,
    incidents: Iterable[Incident],
) -> None:
    """Say what the seat was forfeited for, or by which it kept the match from beginning."""
    lost = next((one for one in incidents if one.kind is IncidentKind.FORFEITED), None)
    name = lost.fault if lost is not None else None
    if name is None and record is None:
        name = next(iter(row.faults), None)
    if name is None and record is not None:
        by_forfeit = (one for one in record.game.decisions if one.by is DecidedBy.FORFEIT)
        name = next((one.fault for one in by_forfeit if one.seat == row.seat), None)
    if name is None:
        return
    fault, stage = Fault(name), Stage.START if record is None else Stage.SEAT
    response.fault = fault_to_message(name)
    detail = lost.detail if lost is not None else ""
    response.sentence = f"{FOUND[fault, stage]} {detail}".strip()
    response.consequence = told(fault, stage)


def _at_fault(asked: _Asked, incidents: Iterable[Incident]) -> bool:
    """Whether the decision was taken from its bot, or is the one at which the seat was lost."""
    if asked.made is None or asked.made.by is DecidedBy.DEFAULT:
        return True
    return any(
        one.kind is IncidentKind.FORFEITED and one.decision_id == asked.decision_id
        for one in incidents
    )


def _add(
    response: replay_pb2.ExplainSeatResponse,
    asked: _Asked,
    seat: Seat,
    terms: Terms,
    incidents: Iterable[Incident],
) -> None:
    meanwhile = [one for one in incidents if one.decision_id == asked.decision_id]
    timing = asked.timing
    if timing is None:
        # The match ended by what happened here: the clock is the last that was seen of it.
        timing = next((one.timing for one in reversed(meanwhile) if one.timing), None)
    left = microseconds(time_left(terms, asked.bank, 0))
    added = response.decisions.add(
        decision_id=asked.decision_id,
        view=view_to_message(view(asked.state, seat)),
        legal=legal_to_message(legal_actions(asked.state)),
        time_left_us=left,
        bank_us=microseconds(min(asked.bank, time_left(terms, asked.bank, 0))),
        timing=None if timing is None else timing_to_message(timing),
        incidents=[incident_to_message(one) for one in meanwhile],
    )
    made = asked.made
    if made is not None:
        added.decision.CopyFrom(decision_to_message(made))
    if made is not None and made.by is DecidedBy.DEFAULT and made.fault is not None:
        added.sentence = FOUND[Fault(made.fault), Stage.DECISION]
        added.consequence = told(Fault(made.fault), Stage.DECISION)
    elif made is None or made.by is DecidedBy.FORFEIT:
        added.sentence, added.consequence = response.sentence, response.consequence


def _asked(
    record: MatchRecord, steps: Sequence[Step], seat: Seat, limits: Limits
) -> Iterator[_Asked]:
    """Yield what the seat was asked, in order; the last may have no decision."""
    terms = _terms(record, limits)
    game, timings = record.game, record.timings.decisions
    bank, number = terms.bank, 0
    for index, decision in enumerate(game.decisions):
        if decision.seat != seat:
            continue
        number += 1
        timing = timings[index] if timings else DecisionTiming()
        yield _Asked(number, steps[index].state, bank, decision, timing)
        used = timing.used_us * NANOS_PER_MICROSECOND
        bank = bank_after(terms, bank, used, answered=decision.by is DecidedBy.BOT)
    last = steps[-1].state
    open_at_the_end = any(
        one.seat == seat and one.decision_id == number + 1 for one in record.timings.incidents
    )
    if open_at_the_end and not last.over and last.mover == seat:
        yield _Asked(number + 1, last, bank, None, None)


def _terms(record: MatchRecord, limits: Limits) -> Terms:
    game = record.game
    match_id = record.timings.match_id
    return Terms.of(MatchSetup(match_id, game.deal, game.seats, game.options, limits))


def _display_name(record: MatchRecord | None, seat: int) -> str:
    bots = () if record is None else record.timings.bots
    return next((bot.display_name for bot in bots if bot.seat == seat), "")
