"""Which actions are legal (I1, I2, I4), and why another is not."""

from __future__ import annotations

from kitumaija.engine.actions import (
    PASS,
    PLAYS,
    TAKES,
    TURN,
    Action,
    IllegalReason,
    PlayCard,
    TakeCards,
    TurnCard,
)
from kitumaija.engine.cards import MAIJA, MAIJA_SET, CardSet, cards_in, catchers
from kitumaija.engine.options import FreeFromStock, PickUp
from kitumaija.engine.pickup import AFTER_LUCK, FOR_MAIJA, amounts
from kitumaija.engine.state import State
from kitumaija.engine.values import CATCH, FREE, LEAD, PICKUP

# Looked up once, as in `values`.
_AFTER_LUCK = FreeFromStock.AFTER_LUCK
_ALWAYS = FreeFromStock.ALWAYS
_ANYBODY = PickUp.ALWAYS


def legal_actions(state: State) -> tuple[Action, ...]:
    """Return every legal action, in the order of I4; none once the game is over.

    The order is: cards by suit C D H S, then by rank upwards; turn; take, smaller first; pass.
    """
    if state.outcome is not None:
        return ()
    phase = state.phase
    hand = state.hands[state.mover]
    if phase is CATCH:
        able = hand & catchers(state.pile[-1])
        actions = _plays(able)
        if state.stock:
            actions.append(TURN)  # S18, D1
        if _may_pick_up(state, able):
            actions += [TAKES[count] for count in amounts(len(state.pile), AFTER_LUCK)]
    elif phase is FREE:
        actions = _plays(hand)  # C1
        if state.stock and _may_turn_free_card(state):
            actions.append(TURN)  # S19
    elif phase is PICKUP:
        actions = [TAKES[count] for count in _pickup_amounts(state)]
    else:
        actions = _plays(hand & ~MAIJA_SET) or [PASS]  # E5
    return tuple(actions)


def why_illegal(state: State, action: Action) -> IllegalReason | None:
    """Return why `action` is not legal for the mover, or None if it is legal."""
    if state.outcome is not None:
        return IllegalReason.GAME_OVER
    if isinstance(action, PlayCard):
        return _why_not_play(state, action)
    if isinstance(action, TurnCard):
        return _why_not_turn(state)
    if isinstance(action, TakeCards):
        return _why_not_take(state, action)
    return _why_not_pass(state)


def _why_not_play(state: State, action: PlayCard) -> IllegalReason | None:
    card, phase = action.card, state.phase
    if phase is PICKUP:
        return IllegalReason.WRONG_PHASE  # E6, F1
    if not state.hands[state.mover] >> card & 1:
        return IllegalReason.NOT_IN_HAND
    if phase is CATCH and not catchers(state.pile[-1]) >> card & 1:
        if card == MAIJA:
            return IllegalReason.MAIJA_CANNOT_CATCH  # S11
        return IllegalReason.DOES_NOT_BEAT
    if phase is LEAD and card == MAIJA:
        return IllegalReason.MAIJA_CANNOT_LEAD  # E5
    return None


def _why_not_turn(state: State) -> IllegalReason | None:
    phase = state.phase
    if phase is PICKUP:
        if state.maija_pending:
            return IllegalReason.WRONG_PHASE  # F1
        return IllegalReason.LUCK_ALREADY_TRIED  # D1
    if phase is LEAD or (phase is FREE and not _may_turn_free_card(state)):
        return IllegalReason.TURN_NOT_ALLOWED  # E5, D5
    return None if state.stock else IllegalReason.STOCK_EMPTY


def _why_not_take(state: State, action: TakeCards) -> IllegalReason | None:
    if state.phase is PICKUP:
        allowed = _pickup_amounts(state)
    elif state.phase is CATCH:
        if not _may_pick_up(state, state.hands[state.mover] & catchers(state.pile[-1])):
            return IllegalReason.MUST_CATCH
        allowed = amounts(len(state.pile), AFTER_LUCK)
    else:
        return IllegalReason.WRONG_PHASE
    return None if action.count in allowed else IllegalReason.PICKUP_AMOUNT


def _why_not_pass(state: State) -> IllegalReason | None:
    if state.phase is LEAD and not state.hands[state.mover] & ~MAIJA_SET:
        return None  # E5
    return IllegalReason.CANNOT_PASS


def _plays(cards: CardSet) -> list[Action]:
    return [PLAYS[card] for card in cards_in(cards)]


def _may_pick_up(state: State, able: CardSet) -> bool:
    """D7: picking up at once is for those who hold no catching card, unless the option opens it."""
    return not able or state.options.pickup is _ANYBODY


def _may_turn_free_card(state: State) -> bool:
    """D5: whether the free card may come from the stock, if there is one."""
    allowed = state.options.free_from_stock
    if allowed is _AFTER_LUCK:
        return state.luck
    return allowed is _ALWAYS


def _pickup_amounts(state: State) -> tuple[int, ...]:
    """E1 in the phase PICKUP, which is asked for maija and after a luck card that failed."""
    return amounts(len(state.pile), FOR_MAIJA if state.maija_pending else AFTER_LUCK)
