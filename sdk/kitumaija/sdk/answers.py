"""From what a bot answers to an action that may be played, or to what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kitumaija.engine import (
    MAIJA,
    Action,
    Card,
    Pass,
    Phase,
    PlayCard,
    TakeCards,
    TurnCard,
    beats,
    format_action,
)
from kitumaija.sdk.errors import BotError

if TYPE_CHECKING:
    from kitumaija.sdk.turn import Turn


def settle(bot: str, turn: Turn, reply: object) -> Action:
    """Return the action that `reply` means, which is legal.

    Raises `BotError`, saying what was answered and which rule it breaks. `bot` is the bot's name.
    """
    action = PlayCard(reply) if isinstance(reply, Card) else reply
    if not isinstance(action, PlayCard | TurnCard | TakeCards | Pass):
        raise BotError(bot, f"choose answered {_what(reply)}", turn)
    if action in turn.legal:
        return action
    raise BotError(
        bot, f"choose answered {_text(action)!r}, which is not legal: {why_not(turn, action)}", turn
    )


def fallback(turn: Turn) -> Action:
    """Return what is answered for a bot that failed: the first legal action."""
    return turn.legal[0]


def why_not(turn: Turn, action: Action) -> str:
    """Return why a seat may not do `action`, from what the seat itself sees."""
    match action:
        case PlayCard(card=card):
            return _why_not_play(turn, card)
        case TurnCard():
            return _why_not_turn(turn)
        case TakeCards():
            return _why_not_take(turn)
        case Pass():
            return "only a leader who holds nothing but the queen of spades passes (E5)"


def _why_not_play(turn: Turn, card: Card) -> str:
    if turn.phase is Phase.PICKUP:
        return "this turn is a pick-up, no card is played in it (E6, F1)"
    if card not in turn.hand:
        return f"{card} is not in the hand"
    if turn.phase is Phase.LEAD:
        return "the queen of spades cannot lead (E5)"
    if card is MAIJA:
        return "the queen of spades cannot catch (S11)"
    if turn.top is not None and not beats(card, turn.top):
        return f"{card} does not beat the top card {turn.top} (S5-S9)"
    return "it is not among the legal actions"


def _why_not_turn(turn: Turn) -> str:
    if turn.phase is Phase.PICKUP:
        return "this turn is a pick-up, and luck is tried once a turn (D1, F1)"
    if turn.phase is Phase.LEAD:
        return "a lead comes from the hand (E5)"
    if not turn.stock_size:
        return "the stock is empty"
    return "the free card may be turned from the stock only where D5 allows it"


def _why_not_take(turn: Turn) -> str:
    if turn.takes:
        return f"it has to be {' or '.join(map(str, turn.takes))} cards (E1)"
    if turn.phase is Phase.CATCH:
        return "a player who holds a catching card may not pick up at once (D7)"
    return f"nothing is picked up in the phase {turn.phase.name} (I1)"


def _what(reply: object) -> str:
    wanted = "wanted one of turn.legal, or a card of turn.playable"
    if reply is None:
        return f"None ({wanted}; is a return missing?)"
    return f"{reply!r}, a {type(reply).__name__} ({wanted})"


def _text(action: Action) -> str:
    try:
        return format_action(action)
    except (TypeError, IndexError):
        return repr(action)
