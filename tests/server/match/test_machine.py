"""Every cell of the table: what each event means in each phase."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest

from kitumaija.engine import Seat, TurnCard
from kitumaija.server.match import (
    AnswerArrived,
    Commands,
    Connected,
    DecisionSent,
    Disconnected,
    Fault,
    ForfeitOrdered,
    Journal,
    MatchEvent,
    MatchPhase,
    Nanos,
    ReadyArrived,
    ResyncAsked,
    RoundTripMeasured,
    ServerStalled,
    StoreStalled,
    Tell,
    Tick,
    VoidOrdered,
    deadline,
    step,
)
from kitumaija.server.match.machine import TABLE
from tests.server.match.table import Table, scripted, setup_of
from tests.support.clock import ms

G, P, O = MatchPhase.GATHERING, MatchPhase.PLAYING, MatchPhase.OVER  # noqa: E741
ONE = Seat(1)

# What a table of two does in each phase: both bots are there; in GATHERING only seat 0 is ready; in
# PLAYING seat 0 is asked its first decision.
CELLS: dict[tuple[MatchPhase, type[MatchEvent]], tuple[str, MatchPhase]] = {
    (G, Connected): ("tell 1 OfferMatch", G),
    (G, Disconnected): ("journal Seen", G),
    (G, ReadyArrived): (
        "journal Seated, tell 0 SeatPlayers, tell 1 SeatPlayers, tell 0 AskDecision",
        P,
    ),
    (G, AnswerArrived): ("tell 0 RefuseAnswer", G),
    (G, DecisionSent): ("", G),
    (G, Tick): ("journal NotStarted, tell 0 EndMatch, tell 1 EndMatch, Ended", O),
    (G, ServerStalled): ("", G),
    (G, StoreStalled): ("", G),
    (G, ResyncAsked): ("", G),
    (G, ForfeitOrdered): (
        "journal Seen, journal NotStarted, tell 0 EndMatch, tell 1 EndMatch, Ended",
        O,
    ),
    (G, VoidOrdered): ("journal Voided, tell 0 EndMatch, tell 1 EndMatch, Ended", O),
    (G, RoundTripMeasured): ("", G),
    (P, Connected): ("tell 1 SyncMatch", P),
    (P, Disconnected): ("journal Seen", P),
    (P, ReadyArrived): ("", P),
    (P, AnswerArrived): ("journal Decided, tell 0 AcceptAnswer, tell 0 AskDecision", P),
    (P, DecisionSent): ("", P),
    (P, Tick): ("journal Decided, tell 0 AskDecision", P),
    (P, ServerStalled): ("", P),
    (P, StoreStalled): ("", P),
    (P, ResyncAsked): ("tell 1 SyncMatch", P),
    (P, ForfeitOrdered): (
        "journal Forfeited, journal Seen, tell 0 EndMatch, tell 1 EndMatch, Ended",
        O,
    ),
    (P, VoidOrdered): ("journal Voided, tell 0 EndMatch, tell 1 EndMatch, Ended", O),
    (P, RoundTripMeasured): ("", P),
    (O, Connected): ("tell 1 EndMatch", O),
    (O, Disconnected): ("", O),
    (O, ReadyArrived): ("", O),
    (O, AnswerArrived): ("tell 0 RefuseAnswer", O),
    (O, DecisionSent): ("", O),
    (O, Tick): ("", O),
    (O, ServerStalled): ("", O),
    (O, StoreStalled): ("", O),
    (O, ResyncAsked): ("", O),
    (O, ForfeitOrdered): ("", O),
    (O, VoidOrdered): ("", O),
    (O, RoundTripMeasured): ("", O),
}

# Cells that want nothing done and change nothing either.
WITHOUT_EFFECT = (
    (G, DecisionSent),
    (G, ResyncAsked),
    (P, ReadyArrived),
    (O, ReadyArrived),
    (O, DecisionSent),
    (O, Tick),
    (O, ServerStalled),
    (O, StoreStalled),
    (O, ResyncAsked),
    (O, ForfeitOrdered),
    (O, VoidOrdered),
    (O, RoundTripMeasured),
)


def table_in(phase: MatchPhase) -> Table:
    table = Table(setup_of())
    table.connect()
    table.ready(0)
    if phase is not G:
        table.ready(1)
        table.sent()
    if phase is O:
        table.play_out()
    assert table.state.phase is phase
    return table


def event_of(kind: type[MatchEvent], table: Table) -> MatchEvent:
    """Return an event of the kind that means as much as it can to the table."""
    at = table.now
    pending = table.state.pending
    asked = table.question if pending else None
    makers: dict[type[MatchEvent], Callable[[], MatchEvent]] = {
        Connected: lambda: Connected(ONE, at),
        Disconnected: lambda: Disconnected(ONE, at),
        ReadyArrived: lambda: ReadyArrived(ONE, at),
        AnswerArrived: lambda: AnswerArrived(
            Seat(0), 1, scripted(asked) if asked else TurnCard(), Nanos(at + ms(500))
        ),
        DecisionSent: lambda: DecisionSent(Seat(0), 1, at, at),
        Tick: lambda: Tick(deadline(table.state) or Nanos(at + ms(100_000))),
        ServerStalled: lambda: ServerStalled(at, Nanos(at + ms(70))),
        StoreStalled: lambda: StoreStalled((Seat(0), 1), at, Nanos(at + ms(70))),
        ResyncAsked: lambda: ResyncAsked(ONE, at),
        ForfeitOrdered: lambda: ForfeitOrdered(ONE, Fault.WITHDRAWN, at),
        VoidOrdered: lambda: VoidOrdered("The lights went out.", at),
        RoundTripMeasured: lambda: RoundTripMeasured(ONE, ms(20)),
    }
    return makers[kind]()


def described(commands: Commands) -> str:
    def one(command: object) -> str:
        if isinstance(command, Journal):
            return f"journal {type(command.entry).__name__}"
        if isinstance(command, Tell):
            return f"tell {command.seat} {type(command.message).__name__}"
        return type(command).__name__

    return ", ".join(map(one, commands))


def test_the_table_has_a_cell_for_every_event_in_every_phase_and_no_other() -> None:
    every = {(phase, kind) for phase in MatchPhase for kind in get_args(MatchEvent)}
    assert set(TABLE) == every
    assert set(CELLS) == every


@pytest.mark.parametrize(
    ("phase", "kind"), CELLS, ids=[f"{phase.value}-{kind.__name__}" for phase, kind in CELLS]
)
def test_each_cell_wants_done_what_it_should(phase: MatchPhase, kind: type[MatchEvent]) -> None:
    table = table_in(phase)
    commands = table.do(event_of(kind, table))
    wanted, after = CELLS[phase, kind]
    # Whether seat 0 or seat 1 is asked next is the rules' affair.
    assert described(commands).replace("1 AskDecision", "0 AskDecision") == wanted
    assert table.state.phase is after


@pytest.mark.parametrize(
    ("phase", "kind"),
    WITHOUT_EFFECT,
    ids=[f"{phase.value}-{kind.__name__}" for phase, kind in WITHOUT_EFFECT],
)
def test_a_cell_without_effect_leaves_the_very_state(
    phase: MatchPhase, kind: type[MatchEvent]
) -> None:
    table = table_in(phase)
    before = table.state
    table.do(event_of(kind, table))
    assert table.state is before


@pytest.mark.parametrize(
    ("phase", "kind"),
    [cell for cell, (wanted, _) in CELLS.items() if not wanted and cell not in WITHOUT_EFFECT],
    ids=lambda value: getattr(value, "value", None) or value.__name__,
)
def test_a_cell_with_a_silent_effect_leaves_another_state(
    phase: MatchPhase, kind: type[MatchEvent]
) -> None:
    table = table_in(phase)
    if (phase, kind) == (P, DecisionSent):
        table = Table(setup_of())
        table.connect()
        table.ready()
    before = table.state
    table.do(event_of(kind, table))
    assert table.state != before


def test_a_step_leaves_the_state_that_it_was_given_as_it_was() -> None:
    table = table_in(P)
    before = table.state
    events, decisions = list(before.events), list(before.decisions)
    answer = event_of(AnswerArrived, table)
    first, _ = step(before, answer)
    again, _ = step(before, answer)
    assert first == again
    assert list(before.events) == events
    assert list(before.decisions) == decisions
    assert before.pending is not None
    assert before.pending.decision_id == 1
