"""Actions, and the list of the legal ones."""

from __future__ import annotations

from collections.abc import Iterable

from kitumaija.engine import DECK, Action, PlayCard, TakeCards, TurnCard
from kitumaija.engine.actions import PASS, PLAYS, TAKES, TURN
from kitumaija.v1 import cards_pb2, game_pb2
from kitumaija.wire.codec.cards import TO_MESSAGE, card_from_message, cards_from_message
from kitumaija.wire.codec.errors import CodecError


def action_to_message(action: Action) -> game_pb2.Action:
    """Return the message of an action."""
    if isinstance(action, PlayCard):
        return game_pb2.Action(play=TO_MESSAGE[action.card])
    if isinstance(action, TurnCard):
        return game_pb2.Action(turn=game_pb2.TurnCard())
    if isinstance(action, TakeCards):
        return game_pb2.Action(take=action.count)
    return game_pb2.Action(pass_lead=game_pb2.Pass())


def action_from_message(message: game_pb2.Action) -> Action:
    """Return the action of a message; whether it is legal is for the rules to say.

    Raises `CodecError` for a message without an action (which is also what an action of a newer
    peer looks like), for an unknown card, and for a number of cards that no pile can have.
    """
    kind = message.WhichOneof("action")
    if kind == "play":
        return PLAYS[card_from_message(message.play)]
    if kind == "turn":
        return TURN
    if kind == "take":
        return _take(message.take)
    if kind == "pass_lead":
        return PASS
    raise CodecError("action: got none, wanted one of play, turn, take and pass_lead")


def legal_to_message(actions: Iterable[Action]) -> game_pb2.LegalActions:
    """Return the message of a list of legal actions, which is in the order of I4."""
    message = game_pb2.LegalActions()
    fill_legal(message, actions)
    return message


def fill_legal(message: game_pb2.LegalActions, actions: Iterable[Action]) -> None:
    """Write legal actions, in the order of I4, into a message that is empty."""
    play: list[cards_pb2.Card.ValueType] = []
    for action in actions:
        if isinstance(action, PlayCard):
            play.append(TO_MESSAGE[action.card])
        elif isinstance(action, TurnCard):
            message.turn = True
        elif isinstance(action, TakeCards):
            message.take.append(action.count)
        else:
            message.pass_lead = True
    message.play.extend(play)


def legal_from_message(message: game_pb2.LegalActions) -> tuple[Action, ...]:
    """Return the legal actions in the order of I4: plays, turn, takes, pass.

    Raises `CodecError` for an unknown card and for a number of cards that no pile can have.
    """
    actions: list[Action] = [PLAYS[card] for card in cards_from_message(message.play)]
    if message.turn:
        actions.append(TURN)
    actions += [_take(count) for count in message.take]
    if message.pass_lead:
        actions.append(PASS)
    return tuple(actions)


def _take(count: int) -> TakeCards:
    if 0 < count < len(TAKES):
        return TAKES[count]
    if not 0 < count <= len(DECK):
        raise CodecError(f"take: got {count}, wanted a number of cards from 1 to {len(DECK)}")
    return TakeCards(count)
