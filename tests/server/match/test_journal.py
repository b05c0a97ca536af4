from __future__ import annotations

import pytest

from kitumaija.engine import Card, DecidedBy, Pass, PlayCard, Seat, TakeCards, TurnCard
from kitumaija.server.match import (
    Fault,
    JournalEntry,
    JournalError,
    entry_from_bytes,
    entry_to_bytes,
)
from kitumaija.server.match.journal import (
    Decided,
    Forfeited,
    NotStarted,
    Offered,
    RefusedIllegal,
    Seated,
    Seen,
    Voided,
)
from kitumaija.wire.record import DecisionTiming, Incident, IncidentKind

ENTRIES: list[tuple[JournalEntry, bytes]] = [
    (Offered(), b'{"is":"offered"}'),
    (Seated(), b'{"is":"seated"}'),
    (
        Decided(
            Seat(3),
            17,
            PlayCard(Card.HEARTS_EIGHT),
            DecidedBy.BOT,
            None,
            DecisionTiming(1800, 20, 3, 0),
            9_250_000,
        ),
        (
            b'{"is":"decided","seat":3,"id":17,"action":"8H","by":"bot","fault":null,'
            b'"us":[1800,20,3,0],"bank_us":9250000}'
        ),
    ),
    (
        Decided(
            Seat(0),
            1,
            TakeCards(3),
            DecidedBy.DEFAULT,
            Fault.DECISION_TIMEOUT,
            DecisionTiming(11_050_000, 0, 0, 4),
            0,
        ),
        (
            b'{"is":"decided","seat":0,"id":1,"action":"take 3","by":"default",'
            b'"fault":"decision_timeout","us":[11050000,0,0,4],"bank_us":0}'
        ),
    ),
    (
        Decided(Seat(0), 2, Pass(), DecidedBy.FORFEIT, Fault.WITHDRAWN, DecisionTiming(), 5),
        (
            b'{"is":"decided","seat":0,"id":2,"action":"pass","by":"forfeit","fault":"withdrawn",'
            b'"us":[0,0,0,0],"bank_us":5}'
        ),
    ),
    (
        Decided(Seat(0), 3, TurnCard(), DecidedBy.BOT, None, DecisionTiming(), 5),
        (
            b'{"is":"decided","seat":0,"id":3,"action":"turn","by":"bot","fault":null,'
            b'"us":[0,0,0,0],"bank_us":5}'
        ),
    ),
    (
        Seen(
            Incident(
                Seat(1),
                IncidentKind.ILLEGAL_ANSWER,
                at_us=70,
                decisions=4,
                decision_id=2,
                timing=DecisionTiming(60, 20, 3, 0),
                answer=Pass(),
                detail="No.",
            )
        ),
        (
            b'{"is":"seen","seat":1,"kind":"illegal_answer","at_us":70,"decisions":4,"id":2,'
            b'"us":[60,20,3,0],"answer":"pass","detail":"No.","fault":null}'
        ),
    ),
    (
        Seen(Incident(Seat(0), IncidentKind.FORFEITED, 9, 0, fault=Fault.WITHDRAWN)),
        (
            b'{"is":"seen","seat":0,"kind":"forfeited","at_us":9,"decisions":0,"id":0,"us":null,'
            b'"answer":null,"detail":"","fault":"withdrawn"}'
        ),
    ),
    (
        Decided(Seat(1), 4, TurnCard(), DecidedBy.BOT, None, DecisionTiming(90, 20, 3, 0, 40), 5),
        (
            b'{"is":"decided","seat":1,"id":4,"action":"turn","by":"bot","fault":null,'
            b'"us":[90,20,3,0,40],"bank_us":5}'
        ),
    ),
    (RefusedIllegal(Seat(2), 4), b'{"is":"refused","seat":2,"id":4}'),
    (
        Forfeited(Seat(1), Fault.DISCONNECTED),
        b'{"is":"forfeited","seat":1,"fault":"disconnected"}',
    ),
    (
        NotStarted(((Seat(0), Fault.NO_SHOW), (Seat(2), Fault.STARTUP_TIMEOUT))),
        b'{"is":"not_started","absent":[[0,"no_show"],[2,"startup_timeout"]]}',
    ),
    (Voided("Sähkö meni."), '{"is":"voided","reason":"Sähkö meni."}'.encode()),
]


@pytest.mark.parametrize(("entry", "data"), ENTRIES)
def test_an_entry_has_these_bytes(entry: JournalEntry, data: bytes) -> None:
    assert entry_to_bytes(entry) == data


def test_a_decision_of_before_bots_told_their_think_time_is_read_as_one_without() -> None:
    entry = entry_from_bytes(
        b'{"is":"decided","seat":3,"id":17,"action":"8H","by":"bot","fault":null,'
        b'"us":[1800,20,3,0],"bank_us":9250000}'
    )
    assert isinstance(entry, Decided)
    assert entry.timing.think_time_us is None


@pytest.mark.parametrize(("entry", "data"), ENTRIES)
def test_reading_is_the_inverse_of_writing(entry: JournalEntry, data: bytes) -> None:
    assert entry_from_bytes(data) == entry


@pytest.mark.parametrize("entry", [entry for entry, _ in ENTRIES])
def test_an_entry_that_was_cut_anywhere_is_refused(entry: JournalEntry) -> None:
    data = entry_to_bytes(entry)
    for end in range(len(data)):
        with pytest.raises(JournalError):
            entry_from_bytes(data[:end])


@pytest.mark.parametrize(
    "data",
    [
        b"[]",
        b"7",
        b'{"is":"unknown"}',
        b'{"is":["offered"]}',
        b'{"is":"seated","seat":1}',
        b'{"is":"refused","seat":-1,"id":4}',
        b'{"is":"refused","seat":1.0,"id":4}',
        b'{"is":"refused","seat":true,"id":4}',
        b'{"is":"forfeited","seat":1,"fault":"sloth"}',
        b'{"is":"voided","reason":3}',
        (
            b'{"is":"decided","seat":0,"id":3,"action":"fly","by":"bot","fault":null,'
            b'"us":[0,0,0,0],"bank_us":5}'
        ),
        (
            b'{"is":"decided","seat":0,"id":3,"action":"turn","by":"luck","fault":null,'
            b'"us":[0,0,0,0],"bank_us":5}'
        ),
        (
            b'{"is":"decided","seat":0,"id":3,"action":"turn","by":"bot","fault":null,'
            b'"us":[0,0,0],"bank_us":5}'
        ),
        (
            b'{"is":"decided","seat":0,"id":3,"action":"turn","by":"bot","fault":null,'
            b'"us":[0,0,0,0,0,0],"bank_us":5}'
        ),
        b"\xff\xfe",
        b'{"is":"voided","reason":"\\ud800"}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_entry_is_refused_and_quoted(data: bytes) -> None:
    with pytest.raises(JournalError) as refusal:
        entry_from_bytes(data)
    assert repr(data)[2:20] in str(refusal.value)
