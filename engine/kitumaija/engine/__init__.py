"""The rules of Kitumaija: frozen states, legal actions, views, deals and records."""

from kitumaija.engine.account import Contradiction
from kitumaija.engine.actions import (
    Action,
    IllegalAction,
    IllegalReason,
    OutOfTurn,
    Pass,
    PlayCard,
    TakeCards,
    TurnCard,
)
from kitumaija.engine.cards import (
    DECK,
    MAIJA,
    Card,
    CardSet,
    Rank,
    Suit,
    beats,
    card_set,
    cards_in,
    catchers,
)
from kitumaija.engine.deal import (
    Chance,
    Deal,
    Shuffle,
    commitment,
    deal_key,
    deal_seed,
    shuffled_deck,
    text_seed,
)
from kitumaija.engine.default import (
    default_action,
)
from kitumaija.engine.events import (
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
    Passed,
    StartCardTurned,
    WentOut,
    event_for,
)
from kitumaija.engine.information import InformationSet, World
from kitumaija.engine.legal import (
    legal_actions,
    why_illegal,
)
from kitumaija.engine.notation import (
    NotationError,
    format_action,
    format_card,
    format_cards,
    parse_action,
    parse_card,
    parse_cards,
)
from kitumaija.engine.opening import (
    new_game,
)
from kitumaija.engine.options import FreeFromStock, GameOptions, HandSizes, PickUp, Stopped
from kitumaija.engine.placings import SamplingLimit
from kitumaija.engine.position import (
    format_position,
    parse_position,
    position,
)
from kitumaija.engine.record import (
    RULES_VERSION,
    DecidedBy,
    Decision,
    GameRecord,
    RecordedResult,
    Replay,
    ReplayError,
    match_places,
    replay,
)
from kitumaija.engine.rules import (
    apply,
)
from kitumaija.engine.state import (
    State,
    Step,
)
from kitumaija.engine.values import Outcome, Phase, Seat, Termination
from kitumaija.engine.view import View, public_view, view
from kitumaija.engine.worlds import (
    sample_world,
)

__all__ = [
    "DECK",
    "MAIJA",
    "RULES_VERSION",
    "Action",
    "Card",
    "CardCaught",
    "CardLed",
    "CardSet",
    "CardsDrawn",
    "CardsPickedUp",
    "Chance",
    "Contradiction",
    "Deal",
    "Dealt",
    "DecidedBy",
    "Decision",
    "Event",
    "FreeFromStock",
    "FreePlayed",
    "FreeTurned",
    "GameEnded",
    "GameOptions",
    "GameRecord",
    "HandSizes",
    "IllegalAction",
    "IllegalReason",
    "InformationSet",
    "LuckTurned",
    "MaijaReturned",
    "NotationError",
    "OutOfTurn",
    "Outcome",
    "Pass",
    "Passed",
    "Phase",
    "PickUp",
    "PlayCard",
    "Rank",
    "RecordedResult",
    "Replay",
    "ReplayError",
    "SamplingLimit",
    "Seat",
    "Shuffle",
    "StartCardTurned",
    "State",
    "Step",
    "Stopped",
    "Suit",
    "TakeCards",
    "Termination",
    "TurnCard",
    "View",
    "WentOut",
    "World",
    "apply",
    "beats",
    "card_set",
    "cards_in",
    "catchers",
    "commitment",
    "deal_key",
    "deal_seed",
    "default_action",
    "event_for",
    "format_action",
    "format_card",
    "format_cards",
    "format_position",
    "legal_actions",
    "match_places",
    "new_game",
    "parse_action",
    "parse_card",
    "parse_cards",
    "parse_position",
    "position",
    "public_view",
    "replay",
    "sample_world",
    "shuffled_deck",
    "text_seed",
    "view",
    "why_illegal",
]
