"""The rules as one function: a state and an action make the next state and its events.

`apply` is the only way a game moves on. Each rule below is a short function with its number.
"""

from __future__ import annotations

from functools import cache

from kitumaija.engine.actions import (
    Action,
    IllegalAction,
    OutOfTurn,
    PlayCard,
    TakeCards,
    TurnCard,
)
from kitumaija.engine.cards import DECK, MAIJA, Card, beats
from kitumaija.engine.events import (
    CardCaught,
    CardLed,
    Event,
    FreePlayed,
    FreeTurned,
    LuckTurned,
    Passed,
)
from kitumaija.engine.legal import why_illegal
from kitumaija.engine.notation import format_action
from kitumaija.engine.pickup import AFTER_LUCK, amounts, pick_up
from kitumaija.engine.position import format_position
from kitumaija.engine.state import Draft, State, Step
from kitumaija.engine.turn import end_played_turn, pass_on
from kitumaija.engine.values import CATCH, FREE, PICKUP, Seat

# Events are values: those of a seat and a card are made once and shared, which takes a quarter of
# the time. There are at most 520 of each kind.
_card_caught = cache(CardCaught)
_luck_turned = cache(LuckTurned)
_free_played = cache(FreePlayed)
_free_turned = cache(FreeTurned)
_card_led = cache(CardLed)


def apply(state: State, action: Action, *, by: Seat | None = None) -> Step:
    """Return what `action` of the mover leads to; a forced pick-up after it is included (I3).

    With `by`, the action is refused unless that seat is to move.

    Raises `IllegalAction`, or `OutOfTurn` if another than `by` is to move; `state` is a value and
    stays as it is.
    """
    if by is not None and by != state.mover and not state.over:
        raise OutOfTurn(format_action(action), format_position(state))
    reason = why_illegal(state, action)
    if reason is not None:
        raise IllegalAction(reason, format_action(action), format_position(state))
    draft = Draft.of(state)
    events: list[Event] = []
    if isinstance(action, PlayCard):
        # A number in place of the card would do for the rules, but not for who reads the pile.
        card = DECK[action.card]
        if state.phase is CATCH:
            _catch(draft, card, events)
        elif state.phase is FREE:
            _play_free_card(draft, card, events)
        else:
            _lead(draft, card, events)
    elif isinstance(action, TurnCard):
        if state.phase is CATCH:
            _try_luck(draft, events)
        else:
            _turn_free_card(draft, events)
    elif isinstance(action, TakeCards):
        pick_up(draft, action.count, events)
        pass_on(draft, events)
    else:
        _pass(draft, events)
    return Step(draft.frozen(), tuple(events))


def _catch(draft: Draft, card: Card, events: list[Event]) -> None:
    """S15: lay the catch card."""
    draft.lay(card)
    events.append(_card_caught(draft.mover, card))
    _ask_free_card(draft, events)


def _try_luck(draft: Draft, events: list[Event]) -> None:
    """S18–S20: turn the luck card; a card that does not fit is picked up with others (D2–D4)."""
    card = draft.next_card()
    fits = beats(card, draft.pile[-1])
    draft.pile = (*draft.pile, card)
    events.append(_luck_turned(draft.mover, card, fits))
    if fits:
        draft.luck = True
        _ask_free_card(draft, events)
        return
    choices = amounts(len(draft.pile), AFTER_LUCK)
    if len(choices) == 1:
        pick_up(draft, choices[0], events)  # I3
        pass_on(draft, events)
    else:
        draft.phase = PICKUP  # E2


def _ask_free_card(draft: Draft, events: list[Event]) -> None:
    """S15, S27, C1: a free card follows the catch card unless no card is left in the hand."""
    if draft.hands[draft.mover]:
        draft.phase = FREE
    else:
        end_played_turn(draft, events)


def _play_free_card(draft: Draft, card: Card, events: list[Event]) -> None:
    """S17, C1: lay any card of the hand for the next player to catch."""
    draft.lay(card)
    events.append(_free_played(draft.mover, card))
    draft.maija_pending = card is MAIJA  # S10
    end_played_turn(draft, events)


def _turn_free_card(draft: Draft, events: list[Event]) -> None:
    """S19, D5, D6: turn the free card from the stock; the queen counts as played."""
    card = draft.next_card()
    draft.pile = (*draft.pile, card)
    events.append(_free_turned(draft.mover, card))
    draft.maija_pending = card is MAIJA  # S10
    end_played_turn(draft, events)


def _lead(draft: Draft, card: Card, events: list[Event]) -> None:
    """E5: lay a single card on the empty pile."""
    draft.lay(card)
    events.append(_card_led(draft.mover, card))
    end_played_turn(draft, events)


def _pass(draft: Draft, events: list[Event]) -> None:
    """E5: who holds only the queen leads nothing."""
    events.append(Passed(draft.mover))
    pass_on(draft, events)
