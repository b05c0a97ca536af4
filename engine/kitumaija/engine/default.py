"""The default action: what is played for a player who gives no legal answer in time (I5).

It is fixed, needs nothing but the player's own view, and is never clever: being late must not pay.
"""

from __future__ import annotations

from kitumaija.engine.actions import TURN, Action, PlayCard
from kitumaija.engine.cards import MAIJA
from kitumaija.engine.values import Phase
from kitumaija.engine.view import View


def default_action(view: View, legal: tuple[Action, ...]) -> Action:
    """Return the default among the `legal` actions of the seat to move, whose view is `view`.

    CATCH: the lowest catching card by rank, then suit; without one turn, without a stock take, the
    smaller amount. FREE and LEAD: the lowest card, the queen of spades only if alone; the free card
    is never turned. PICKUP: the smaller amount.

    Raises `ValueError` if no action is legal, that is, when the game is over.
    """
    if not legal:
        raise ValueError("there is no default action: no action is legal")
    cards = [action.card for action in legal if isinstance(action, PlayCard)]
    if cards:
        lowest = min(cards, key=lambda card: (card == MAIJA, card.rank, card.suit))
        return PlayCard(lowest)
    if view.phase is Phase.CATCH and TURN in legal:
        return TURN
    return legal[0]
