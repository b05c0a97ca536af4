"""The rules for bots that look ahead: positions, what is legal in them, what an action leads to.

A `State` holds every card, hidden ones too; a bot makes one from what it knows and what it guesses
(`kitumaija.sdk.worlds`, `kitumaija.sdk.memory` or `position`), and plays it on with `apply`.
Numbers such as S17 or D5 in messages and comments are those of the rules' own text.
"""

from kitumaija.engine import (
    FreeFromStock,
    GameOptions,
    HandSizes,
    IllegalAction,
    Outcome,
    PickUp,
    Seat,
    State,
    Step,
    Stopped,
    Termination,
    View,
    apply,
    default_action,
    format_action,
    format_position,
    legal_actions,
    parse_action,
    parse_position,
    position,
    view,
)

__all__ = [
    "FreeFromStock",
    "GameOptions",
    "HandSizes",
    "IllegalAction",
    "Outcome",
    "PickUp",
    "Seat",
    "State",
    "Step",
    "Stopped",
    "Termination",
    "View",
    "apply",
    "default_action",
    "format_action",
    "format_position",
    "legal_actions",
    "parse_action",
    "parse_position",
    "position",
    "view",
]
