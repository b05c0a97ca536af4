"""Events: what happened in a game, as a seat or the public may know it.

An event goes into its message whole. It is the caller who builds it for its receiver first, with
the engine's `event_for`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from kitumaija.engine import (
    Card,
    CardCaught,
    CardLed,
    CardsDrawn,
    CardsPickedUp,
    Dealt,
    Event,
    FreePlayed,
    FreeTurned,
    GameEnded,
    LuckTurned,
    MaijaReturned,
    Outcome,
    Passed,
    Seat,
    StartCardTurned,
    Termination,
    WentOut,
)
from kitumaija.v1 import game_pb2
from kitumaija.wire.codec.cards import TO_MESSAGE, card_from_message, cards_from_message
from kitumaija.wire.codec.enums import TERMINATIONS
from kitumaija.wire.codec.errors import CodecError


def event_to_message(event: Event) -> game_pb2.Event:
    """Return the message of an event."""
    return game_pb2.Event(**event_fields(event))


def events_to_message(events: Iterable[Event]) -> list[game_pb2.Event]:
    """Return the messages of events, in their order."""
    return [game_pb2.Event(**event_fields(event)) for event in events]


def event_from_message(message: game_pb2.Event) -> Event | None:
    """Return the event of a message; None for an event that only a newer peer knows.

    Raises `CodecError` for an unknown card, and for faces that are not as many as `count` says.
    """
    reader = _READERS.get(message.kind)
    return None if reader is None else reader(message)


def events_from_message(messages: Iterable[game_pb2.Event]) -> tuple[Event, ...]:
    """Return the events of messages, in their order, without those that are not known here.

    Raises `CodecError` as `event_from_message` does.
    """
    events = (event_from_message(message) for message in messages)
    return tuple(event for event in events if event is not None)


def termination_to_message(termination: Termination | None) -> game_pb2.Termination.ValueType:
    """Return the value of why a game ended; unspecified for None, where it did not."""
    return TERMINATIONS.to_message(termination)


def termination_from_message(value: game_pb2.Termination.ValueType) -> Termination | None:
    """Return why a game ended; None where it did not. Raises `CodecError` for an unknown value."""
    return TERMINATIONS.from_message(value)


def termination_of_newer(value: game_pb2.Termination.ValueType) -> Termination | None:
    """Return why a game ended; None, too, for a reason that only a newer server knows."""
    return TERMINATIONS.known(value)


def event_fields(event: Event) -> dict[str, Any]:
    """Return the fields of an event's message, by name."""
    return _WRITERS[type(event)](event)


##### Writing #####

_Writer = Callable[[Any], dict[str, Any]]


def _at_seat(kind: game_pb2.EventKind.ValueType) -> _Writer:
    return lambda event: {"kind": kind, "seat": event.seat}


def _card_at_seat(kind: game_pb2.EventKind.ValueType) -> _Writer:
    return lambda event: {"kind": kind, "seat": event.seat, "card": TO_MESSAGE[event.card]}


def _moved(kind: game_pb2.EventKind.ValueType) -> _Writer:
    def fields(event: Dealt | CardsDrawn | CardsPickedUp) -> dict[str, Any]:
        found = {"kind": kind, "seat": event.seat, "count": event.count}
        if event.cards is None:
            return found
        return {**found, "cards": [TO_MESSAGE[card] for card in event.cards]}

    return fields


_WRITERS: Final[dict[type[Event], _Writer]] = {
    Dealt: _moved(game_pb2.EVENT_KIND_DEALT),
    StartCardTurned: lambda event: {
        "kind": game_pb2.EVENT_KIND_START_CARD_TURNED,
        "card": TO_MESSAGE[event.card],
    },
    MaijaReturned: lambda _: {"kind": game_pb2.EVENT_KIND_MAIJA_RETURNED},
    CardCaught: _card_at_seat(game_pb2.EVENT_KIND_CARD_CAUGHT),
    LuckTurned: lambda event: {
        "kind": game_pb2.EVENT_KIND_LUCK_TURNED,
        "seat": event.seat,
        "card": TO_MESSAGE[event.card],
        "fits": event.fits,
    },
    FreePlayed: _card_at_seat(game_pb2.EVENT_KIND_FREE_PLAYED),
    FreeTurned: _card_at_seat(game_pb2.EVENT_KIND_FREE_TURNED),
    CardLed: _card_at_seat(game_pb2.EVENT_KIND_CARD_LED),
    Passed: _at_seat(game_pb2.EVENT_KIND_PASSED),
    CardsDrawn: _moved(game_pb2.EVENT_KIND_CARDS_DRAWN),
    CardsPickedUp: _moved(game_pb2.EVENT_KIND_CARDS_PICKED_UP),
    WentOut: lambda event: {
        "kind": game_pb2.EVENT_KIND_WENT_OUT,
        "seat": event.seat,
        "place": event.place,
    },
    GameEnded: lambda event: {
        "kind": game_pb2.EVENT_KIND_GAME_ENDED,
        "termination": TERMINATIONS.to_message(event.outcome.termination),
        "places": event.outcome.places,
    },
}

##### Reading #####

_Reader = Callable[[game_pb2.Event], Event | None]


def _seat(message: game_pb2.Event) -> Seat:
    return Seat(message.seat)


def _card(message: game_pb2.Event) -> Card:
    return card_from_message(message.card)


def _faces(message: game_pb2.Event) -> tuple[Card, ...] | None:
    if not message.cards:
        return None
    if len(message.cards) != message.count:
        raise CodecError(
            f"event: got {len(message.cards)} cards, wanted none or as many as count says, "
            f"{message.count}"
        )
    return cards_from_message(message.cards)


def _ended(message: game_pb2.Event) -> GameEnded | None:
    termination = TERMINATIONS.known(message.termination)
    if termination is None:
        return None
    return GameEnded(Outcome(termination, tuple(message.places)))


_READERS: Final[dict[int, _Reader]] = {
    game_pb2.EVENT_KIND_DEALT: lambda m: Dealt(_seat(m), m.count, _faces(m)),
    game_pb2.EVENT_KIND_START_CARD_TURNED: lambda m: StartCardTurned(_card(m)),
    game_pb2.EVENT_KIND_MAIJA_RETURNED: lambda _: MaijaReturned(),
    game_pb2.EVENT_KIND_CARD_CAUGHT: lambda m: CardCaught(_seat(m), _card(m)),
    game_pb2.EVENT_KIND_LUCK_TURNED: lambda m: LuckTurned(_seat(m), _card(m), m.fits),
    game_pb2.EVENT_KIND_FREE_PLAYED: lambda m: FreePlayed(_seat(m), _card(m)),
    game_pb2.EVENT_KIND_FREE_TURNED: lambda m: FreeTurned(_seat(m), _card(m)),
    game_pb2.EVENT_KIND_CARD_LED: lambda m: CardLed(_seat(m), _card(m)),
    game_pb2.EVENT_KIND_PASSED: lambda m: Passed(_seat(m)),
    game_pb2.EVENT_KIND_CARDS_DRAWN: lambda m: CardsDrawn(_seat(m), m.count, _faces(m)),
    game_pb2.EVENT_KIND_CARDS_PICKED_UP: lambda m: CardsPickedUp(_seat(m), m.count, _faces(m)),
    game_pb2.EVENT_KIND_WENT_OUT: lambda m: WentOut(_seat(m), m.place),
    game_pb2.EVENT_KIND_GAME_ENDED: _ended,
}
