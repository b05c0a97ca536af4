"""The options of a game."""

from __future__ import annotations

from typing import Any, Final

from kitumaija.engine import FreeFromStock, GameOptions, HandSizes, PickUp, Stopped
from kitumaija.v1 import game_pb2
from kitumaija.wire.codec.enums import EnumTable
from kitumaija.wire.codec.errors import CodecError

_DEFAULTS = GameOptions()
_FREE_FROM_STOCK = EnumTable(FreeFromStock, "FREE_FROM_STOCK", game_pb2.FreeFromStock.Value)
_PICK_UP = EnumTable(PickUp, "PICK_UP", game_pb2.PickUp.Value)
_STOPPED = EnumTable(Stopped, "STOPPED", game_pb2.Stopped.Value)
_HAND_SIZES = EnumTable(HandSizes, "HAND_SIZES", game_pb2.HandSizes.Value)
_TABLES: Final[dict[str, EnumTable[Any, Any]]] = {
    "free_from_stock": _FREE_FROM_STOCK,
    "pickup": _PICK_UP,
    "stopped": _STOPPED,
    "hand_sizes": _HAND_SIZES,
}


def options_to_message(options: GameOptions) -> game_pb2.GameOptions:
    """Return the message of options, every field set."""
    return game_pb2.GameOptions(
        free_from_stock=_FREE_FROM_STOCK.to_message(options.free_from_stock),
        pickup=_PICK_UP.to_message(options.pickup),
        repetition=options.repetition,
        turns_per_player=options.turns_per_player,
        stopped=_STOPPED.to_message(options.stopped),
        hand_sizes=_HAND_SIZES.to_message(options.hand_sizes),
    )


def options_from_message(message: game_pb2.GameOptions) -> GameOptions:
    """Return the options of a message; a field that is not set has its default.

    Raises `CodecError`, naming the option, for an unknown value and for what `GameOptions` refuses:
    to play by other rules than those asked for would be worse than not to play.
    """
    numbers = {
        name: getattr(message, name)
        for name in ("repetition", "turns_per_player")
        if message.HasField(name)
    }
    try:
        return GameOptions(
            free_from_stock=_FREE_FROM_STOCK.from_message(message.free_from_stock)
            or _DEFAULTS.free_from_stock,
            pickup=_PICK_UP.from_message(message.pickup) or _DEFAULTS.pickup,
            stopped=_STOPPED.from_message(message.stopped) or _DEFAULTS.stopped,
            hand_sizes=_HAND_SIZES.from_message(message.hand_sizes) or _DEFAULTS.hand_sizes,
            **numbers,
        )
    except CodecError:
        raise
    except ValueError as error:
        raise CodecError(str(error)) from None


def options_of_newer(message: game_pb2.GameOptions) -> GameOptions:
    """Return the options of a message as `options_from_message` does, for a bot that is told them.

    A value that only a newer server knows reads as the default: the server plays by its rules, and
    what is legal does not follow from what a bot makes of them.
    """
    known = game_pb2.GameOptions()
    known.CopyFrom(message)
    for name, table in _TABLES.items():
        if table.known(getattr(known, name)) is None:
            known.ClearField(name)  # type: ignore[arg-type]  # the names are those of the message
    return options_from_message(known)
