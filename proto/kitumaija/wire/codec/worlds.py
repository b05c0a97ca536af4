"""Worlds: complete states of games, to be searched in."""

from __future__ import annotations

from dataclasses import replace

from kitumaija.engine import Chance, GameOptions, State, cards_in, position
from kitumaija.engine.position import MAIJA_STREAM
from kitumaija.v1 import world_pb2
from kitumaija.wire.codec.cards import cards_from_message, cards_to_message
from kitumaija.wire.codec.enums import PHASES, TERMINATIONS
from kitumaija.wire.codec.errors import CodecError

_KEY_BYTES = 32


def world_to_message(state: State) -> world_pb2.World:
    """Return the message of a state; options and earlier positions have no place in it."""
    outcome = state.outcome
    return world_pb2.World(
        hands=[world_pb2.WorldHand(cards=cards_to_message(cards_in(hand))) for hand in state.hands],
        pile=cards_to_message(state.pile),
        stock=cards_to_message(state.stock),
        mover=state.mover,
        phase=PHASES.to_message(None if outcome else state.phase),
        luck=state.luck,
        maija_pending=state.maija_pending,
        out=state.out,
        turns=state.turns,
        termination=TERMINATIONS.to_message(outcome.termination if outcome else None),
        places=outcome.places if outcome else (),
        chance_key=state.chance.key,
        chance_position=state.chance.position,
    )


def world_from_message(message: world_pb2.World, options: GameOptions) -> State:
    """Return the state of a message; the positions that can recur begin with it (G4).

    Raises `CodecError` for cards, seats, phases and numbers that no game could have.
    """
    key = message.chance_key or bytes(_KEY_BYTES)
    if len(key) != _KEY_BYTES:
        raise CodecError(f"chance_key: got {len(key)} bytes, wanted {_KEY_BYTES}")
    ended = TERMINATIONS.from_message(message.termination)
    phase = PHASES.from_message(message.phase)
    if (phase is None) != (ended is not None):
        raise CodecError("phase: wanted one while the game runs, and none with a termination")
    out = tuple(message.out)
    try:
        state = position(
            seats=len(message.hands),
            mover=message.mover,
            hands={
                seat: cards_from_message(hand.cards)
                for seat, hand in enumerate(message.hands)
                if seat not in out
            },
            pile=cards_from_message(message.pile),
            stock=cards_from_message(message.stock),
            phase=phase,
            luck=message.luck,
            maija_pending=message.maija_pending,
            out=out,
            ended=ended,
            options=options,
            turns=message.turns,
        )
    except CodecError:
        raise
    except ValueError as error:
        raise CodecError(str(error)) from None
    if holding := [seat for seat in out if message.hands[seat].cards]:
        raise CodecError(f"seat {holding[0]} is out, and holds cards")
    return replace(state, chance=Chance(key, MAIJA_STREAM, message.chance_position))
