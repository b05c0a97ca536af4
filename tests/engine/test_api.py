"""The front door of the engine: a name is added or taken away on purpose, here too."""

from __future__ import annotations

import kitumaija.engine

CARDS = "DECK MAIJA Card CardSet Rank Suit beats card_set cards_in catchers"
VALUES = "Outcome Phase Seat Termination"
OPTIONS = "FreeFromStock GameOptions HandSizes PickUp Stopped"
ACTIONS = "Action IllegalAction IllegalReason OutOfTurn Pass PlayCard TakeCards TurnCard"
DEALS = "Chance Deal Shuffle commitment deal_key deal_seed shuffled_deck text_seed"
EVENTS = (
    "CardCaught CardLed CardsDrawn CardsPickedUp Dealt Event FreePlayed FreeTurned GameEnded"
    " LuckTurned MaijaReturned Passed StartCardTurned WentOut event_for"
)
GAME = "State Step apply default_action legal_actions new_game why_illegal"
VIEWS = "View public_view sample_world view"
WORLDS = "Contradiction InformationSet SamplingLimit World"
NOTATION = (
    "NotationError format_action format_card format_cards format_position parse_action parse_card"
    " parse_cards parse_position position"
)
RECORDS = (
    "RULES_VERSION DecidedBy Decision GameRecord RecordedResult Replay ReplayError match_places"
    " replay"
)


def test_the_public_names_are_these() -> None:
    rooms = [CARDS, VALUES, OPTIONS, ACTIONS, DEALS, EVENTS, GAME, VIEWS, WORLDS, NOTATION, RECORDS]
    expected = [name for room in rooms for name in room.split()]

    assert sorted(kitumaija.engine.__all__) == sorted(expected)


def test_every_public_name_is_there() -> None:
    missing = [name for name in kitumaija.engine.__all__ if not hasattr(kitumaija.engine, name)]

    assert missing == []
