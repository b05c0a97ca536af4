"""Hypothesis strategies for the engine's values, and states of real games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from kitumaija.engine import (
    DECK,
    Action,
    CardCaught,
    CardLed,
    CardsDrawn,
    CardsPickedUp,
    Deal,
    Dealt,
    DecidedBy,
    Decision,
    Event,
    FreeFromStock,
    FreePlayed,
    FreeTurned,
    GameEnded,
    GameOptions,
    GameRecord,
    HandSizes,
    LuckTurned,
    MaijaReturned,
    Outcome,
    Pass,
    Passed,
    PickUp,
    PlayCard,
    RecordedResult,
    Seat,
    StartCardTurned,
    State,
    Step,
    Stopped,
    TakeCards,
    Termination,
    TurnCard,
    WentOut,
    apply,
    legal_actions,
    new_game,
    text_seed,
)
from kitumaija.wire.record import (
    FAULTS,
    DealProof,
    DecisionTiming,
    Incident,
    IncidentKind,
    MatchRecord,
    RecordedBot,
    RecordTimings,
)
from kitumaija.wire.times import Limits

SEATS = st.integers(0, 9).map(Seat)
COUNTS = st.integers(0, 10**6)
CARDS = st.sampled_from(DECK)
FACES = st.lists(CARDS, min_size=1, max_size=12, unique=True).map(tuple)

ACTIONS: st.SearchStrategy[Action] = st.one_of(
    CARDS.map(PlayCard), st.just(TurnCard()), st.integers(1, 52).map(TakeCards), st.just(Pass())
)

OPTIONS = st.builds(
    GameOptions,
    free_from_stock=st.sampled_from(FreeFromStock),
    pickup=st.sampled_from(PickUp),
    repetition=st.integers(0, 10**6).filter(lambda count: count != 1),
    turns_per_player=COUNTS,
    stopped=st.sampled_from(Stopped),
    hand_sizes=st.sampled_from(HandSizes),
)

OUTCOMES = st.builds(
    Outcome,
    termination=st.sampled_from(Termination),
    places=st.lists(st.integers(1, 10), min_size=2, max_size=10).map(tuple),
)


@st.composite
def _moved(draw: st.DrawFn) -> Event:
    seat, faces, shown = draw(SEATS), draw(FACES), draw(st.booleans())
    kinds: list[type[Dealt] | type[CardsDrawn] | type[CardsPickedUp]] = [
        Dealt,
        CardsDrawn,
        CardsPickedUp,
    ]
    return draw(st.sampled_from(kinds))(seat, len(faces), faces if shown else None)


EVENTS: st.SearchStrategy[Event] = st.one_of(
    _moved(),
    st.builds(StartCardTurned, CARDS),
    st.builds(MaijaReturned),
    st.builds(CardCaught, SEATS, CARDS),
    st.builds(LuckTurned, SEATS, CARDS, st.booleans()),
    st.builds(FreePlayed, SEATS, CARDS),
    st.builds(FreeTurned, SEATS, CARDS),
    st.builds(CardLed, SEATS, CARDS),
    st.builds(Passed, SEATS),
    st.builds(WentOut, SEATS, st.integers(1, 10)),
    st.builds(GameEnded, OUTCOMES),
)

_NAMES = st.text(max_size=20)

DEALS = st.builds(
    Deal,
    deal_id=_NAMES,
    seed=st.binary(min_size=32, max_size=32),
    entropies=st.dictionaries(_NAMES, st.binary(max_size=64), max_size=4).map(
        lambda given: tuple(given.items())
    ),
)

GAME_RECORDS = st.builds(
    GameRecord,
    rules_version=_NAMES,
    options=OPTIONS,
    deal=DEALS,
    seats=st.lists(_NAMES, min_size=2, max_size=10).map(tuple),
    decisions=st.lists(
        st.builds(
            Decision,
            seat=SEATS,
            action=ACTIONS,
            by=st.sampled_from(DecidedBy),
            fault=st.none() | st.sampled_from(FAULTS),
        ),
        max_size=6,
    ).map(tuple),
    result=st.builds(
        RecordedResult,
        outcome=st.none() | OUTCOMES,
        placing=st.lists(st.integers(1, 10), max_size=10).map(tuple),
        forfeits=st.lists(SEATS, max_size=3).map(tuple),
    ),
)

LIMITS = st.builds(
    Limits,
    startup=st.timedeltas(timedelta(microseconds=1), timedelta(days=365)),
    per_decision=st.timedeltas(timedelta(microseconds=1), timedelta(days=365)),
    bank=st.timedeltas(timedelta(0), timedelta(days=365)),
    increment=st.timedeltas(timedelta(0), timedelta(days=365)),
    margin=st.timedeltas(timedelta(0), timedelta(days=365)),
    grace=st.timedeltas(timedelta(0), timedelta(days=365)),
    match_cap=st.none() | st.timedeltas(timedelta(microseconds=1), timedelta(days=365)),
)

_MICROS = st.integers(-(2**63), 2**63 - 1)
_TIMES = st.none() | st.datetimes(
    min_value=datetime(1970, 1, 1),  # noqa: DTZ001 - hypothesis wants it so
    max_value=datetime(9999, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)


INCIDENTS = st.builds(
    Incident,
    seat=SEATS,
    kind=st.sampled_from(IncidentKind),
    at_us=_MICROS,
    decisions=COUNTS,
    decision_id=COUNTS,
    timing=st.none() | st.builds(DecisionTiming, _MICROS, _MICROS, _MICROS, _MICROS),
    answer=st.none() | ACTIONS,
    detail=_NAMES,
    fault=st.none() | st.sampled_from(FAULTS),
)


PROOFS = st.builds(
    DealProof,
    position=COUNTS,
    deals=COUNTS,
    path=st.lists(st.binary(min_size=32, max_size=32), max_size=3).map(tuple),
)


@st.composite
def match_records(draw: st.DrawFn) -> MatchRecord:
    """Draw a record of anything: it need not be of a game under the rules."""
    game = draw(GAME_RECORDS)
    timing = st.builds(DecisionTiming, _MICROS, _MICROS, _MICROS, _MICROS)
    count = draw(st.sampled_from((0, len(game.decisions))))
    timings = RecordTimings(
        match_id=draw(_NAMES),
        tournament_id=draw(_NAMES),
        limits=draw(st.none() | LIMITS),
        started_at=draw(_TIMES),
        ended_at=draw(_TIMES),
        decisions=tuple(draw(st.lists(timing, min_size=count, max_size=count))),
        bots=tuple(
            draw(
                st.lists(st.builds(RecordedBot, SEATS, _NAMES, _NAMES, _NAMES, _NAMES), max_size=3)
            )
        ),
        incidents=tuple(draw(st.lists(INCIDENTS, max_size=3))),
        deal_proof=draw(st.none() | PROOFS),
    )
    return MatchRecord(game, timings)


def random_game(
    seats: int, options: GameOptions, *, name: str, longest: int = 400
) -> Iterator[tuple[State, Step]]:
    """Play a game at random; yield each step with the state before it, the deal with its own.

    The same arguments make the same game.
    """
    key = text_seed(name)
    rng = random.Random(key)
    step = new_game(key, seats, options=options)
    state = step.state
    yield state, step
    for _ in range(longest):
        if state.over:
            return
        legal = legal_actions(state)
        number = int(rng.random() * 2 * len(legal))
        step = apply(state, legal[number] if number < len(legal) else legal[0])
        yield state, step
        state = step.state


def recorded_game(name: str, seats: int, options: GameOptions | None = None) -> GameRecord:
    """Return the record of a random game that was played to its end."""
    options = options or GameOptions()
    deal = Deal(f"{name}/{seats}/0/1", text_seed(name), (("älä", b"\x00\x01"), ("bot-1", b"")))
    rng = random.Random(deal.key)
    state = new_game(deal.key, seats, options=options).state
    decisions: list[Decision] = []
    while state.outcome is None:
        legal = legal_actions(state)
        number = int(rng.random() * 2 * len(legal))
        action = legal[number] if number < len(legal) else legal[0]
        decisions.append(Decision(state.mover, action))
        state = apply(state, action).state
    return GameRecord(
        rules_version="1",
        options=options,
        deal=deal,
        seats=tuple(f"bot-{seat}" for seat in range(seats)),
        decisions=tuple(decisions),
        result=RecordedResult(state.outcome, state.outcome.places),
    )
