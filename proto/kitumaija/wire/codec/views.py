"""Views: what one seat may know of a game."""

from __future__ import annotations

from kitumaija.engine import Seat, View
from kitumaija.engine.values import MAX_SEATS, MIN_SEATS
from kitumaija.v1 import game_pb2
from kitumaija.wire.codec.cards import (
    FROM_MESSAGE,
    TO_MESSAGE,
    cards_from_message,
    no_card,
)
from kitumaija.wire.codec.enums import PHASES
from kitumaija.wire.codec.errors import CodecError


def view_to_message(view: View) -> game_pb2.View:
    """Return the message of a seat's view.

    Raises `CodecError` for the public view: the public is told events, and no message has a place
    for a view of nobody.
    """
    message = game_pb2.View()
    fill_view(message, view)
    return message


def fill_view(message: game_pb2.View, view: View) -> None:
    """Write a seat's view into a message that is empty; raises `CodecError` for the public view."""
    if view.seat is None:
        raise CodecError("view: got the public view, wanted the view of a seat")
    message.seat = view.seat
    message.seats = view.seats
    message.phase = PHASES.to_message(view.phase)
    if view.mover is not None:
        message.mover = view.mover
    message.hand.extend([TO_MESSAGE[card] for card in view.hand])
    if view.top is not None:
        message.top = TO_MESSAGE[view.top]
    message.pile_size = view.pile_size
    message.stock_size = view.stock_size
    sizes = [size for size in view.hand_sizes if size is not None]
    if len(sizes) == view.seats:
        message.hand_sizes.extend(sizes)
    message.out.extend(view.out)
    message.luck = view.luck
    message.maija_pending = view.maija_pending
    message.turns = view.turns


def view_from_message(message: game_pb2.View) -> View:
    """Return the view of a message.

    Where the message shows no hand sizes, those that its receiver knows anyway are filled in: its
    own, and 0 for every seat that is out. A phase that only a newer peer knows reads as None.

    Raises `CodecError` for an unknown card, for seats that no table has, and for hand sizes that
    are not one a seat.
    """
    if not MIN_SEATS <= message.seats <= MAX_SEATS:
        raise CodecError(f"view: seats: got {message.seats}, wanted {MIN_SEATS} to {MAX_SEATS}")
    if max(message.seat, message.mover) >= message.seats:
        raise CodecError(
            f"view: got seat {message.seat} and mover {message.mover}, "
            f"wanted seats from 0 to {message.seats - 1}"
        )
    hand = cards_from_message(message.hand)
    out = tuple(Seat(seat) for seat in message.out)
    top = None
    if message.top:
        top = FROM_MESSAGE.get(message.top)
        if top is None:
            raise no_card(message.top)
    return View(
        seat=Seat(message.seat),
        seats=message.seats,
        phase=PHASES.known(message.phase),
        mover=Seat(message.mover) if message.phase else None,
        hand=hand,
        top=top,
        pile_size=message.pile_size,
        stock_size=message.stock_size,
        hand_sizes=_hand_sizes(message, len(hand), out),
        out=out,
        luck=message.luck,
        maija_pending=message.maija_pending,
        turns=message.turns,
    )


def _hand_sizes(message: game_pb2.View, own: int, out: tuple[Seat, ...]) -> tuple[int | None, ...]:
    shown: tuple[int | None, ...] = tuple(message.hand_sizes)
    if not shown:
        return tuple(
            own if seat == message.seat else 0 if seat in out else None
            for seat in range(message.seats)
        )
    if len(shown) != message.seats:
        raise CodecError(
            f"view: got {len(shown)} hand sizes, wanted none or one for each of "
            f"{message.seats} seats"
        )
    return shown
