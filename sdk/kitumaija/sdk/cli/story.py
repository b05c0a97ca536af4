"""A game as text: a block for every turn, in lines of at most 80 characters and without colours."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from kitumaija.console.text import plain
from kitumaija.engine import (
    CardCaught,
    CardLed,
    CardsDrawn,
    CardsPickedUp,
    Dealt,
    Decision,
    Event,
    FreePlayed,
    FreeTurned,
    GameEnded,
    GameOptions,
    LuckTurned,
    MaijaReturned,
    Passed,
    Seat,
    StartCardTurned,
    State,
    WentOut,
    commitment,
    format_cards,
    replay,
)
from kitumaija.wire.record import MatchRecord

WIDTH = 80
_INDENT = " " * 6


def story(record: MatchRecord) -> Iterator[str]:
    """Yield the lines that tell a game; raises `ReplayError` for what is no game."""
    replayed = replay(record.game)
    names = _names(record)
    yield from _head(record, names)
    deal, *steps = replayed.steps
    yield from _told(deal.events, None, names)
    state, turn = deal.state, -1
    for decision, step in zip(record.game.decisions, steps, strict=True):
        if state.turns != turn:
            turn = state.turns
            yield ""
            yield from _turn_head(state, names[state.mover])
        yield from _told(step.events, decision, names)
        state = step.state
    yield ""
    yield from _foot(record, state, names)


def _names(record: MatchRecord) -> list[str]:
    """The display names by seat, or the entrants' ids; cut so that a line holds them."""
    shown = {int(bot.seat): bot.display_name for bot in record.timings.bots}
    names = [shown.get(seat) or entrant for seat, entrant in enumerate(record.game.seats)]
    return [f"{seat} {plain(name)[:20]}" for seat, name in enumerate(names)]


def _head(record: MatchRecord, names: list[str]) -> Iterator[str]:
    game = record.game
    yield f"deal {plain(game.deal.deal_id)}, rules {game.rules_version}"
    yield f"seed {game.deal.seed.hex()}"
    yield f"commitment {commitment(game.deal.seed).hex()}"
    default = GameOptions().as_dict()
    changed = [f"{k}={v}" for k, v in game.options.as_dict().items() if v != default[k]]
    yield from _wrapped(f"options: {', '.join(changed) or 'the default ones'}", "")
    for name in names:
        yield f"seat {name}"
    yield ""


def _turn_head(state: State, name: str) -> Iterator[str]:
    top = "none" if state.top is None else state.top
    yield (
        f"{state.turns + 1:4}. {name}: {state.phase.value}, top {top}, "
        f"pile {len(state.pile)}, stock {len(state.stock)}"
    )
    yield from _wrapped(f"hand {format_cards(state.hand(state.mover))}", _INDENT)


def _told(events: tuple[Event, ...], decision: Decision | None, names: list[str]) -> Iterator[str]:
    """Tell what happened; what happens to another than who decided is told with his name."""
    for event in events:
        text = _sentence(event, names)
        seat: Seat | None = getattr(event, "seat", None)
        if seat is not None and (decision is None or seat != decision.seat):
            text = f"{names[seat]} {text}"
        yield from _wrapped(text, _INDENT)
    if decision is not None and decision.fault:
        yield from _wrapped(f"(by {decision.by.value}: {decision.fault})", _INDENT)


def _sentence(event: Event, names: list[str]) -> str:
    if isinstance(event, GameEnded):
        loser = event.outcome.kitumaija
        lost = "" if loser is None else f": {names[loser]} is the kitumaija"
        return f"the game is over ({event.outcome.termination.value}){lost}"
    if isinstance(event, LuckTurned):
        return f"tries luck: {event.card} {'catches' if event.fits else 'does not fit'}"
    if isinstance(event, Dealt | CardsDrawn | CardsPickedUp):
        return f"{_SENTENCES[type(event)]} {format_cards(event.cards or ())}"
    return _SENTENCES[type(event)].format(event)


_SENTENCES: Final[dict[type[Event], str]] = {
    Dealt: "is dealt",
    StartCardTurned: "the start card is {0.card}",
    MaijaReturned: "the queen of spades came up and goes back into the stock",
    CardCaught: "catches with {0.card}",
    FreePlayed: "plays {0.card}",
    FreeTurned: "turns {0.card} as the free card",
    CardLed: "leads {0.card}",
    Passed: "passes",
    CardsDrawn: "draws",
    CardsPickedUp: "picks up",
    WentOut: "is out, place {0.place}",
}


def _foot(record: MatchRecord, state: State, names: list[str]) -> Iterator[str]:
    result = record.game.result
    if result.void:
        yield "broken off: the match is void and has no places"
        for seat, name in enumerate(names):
            yield from _wrapped(f"{name}, with {format_cards(state.hand(Seat(seat)))}", "")
        return
    if result.outcome is None:
        yield "cut short: all but one were out or forfeited"
    order = sorted(range(len(names)), key=lambda seat: (result.placing[seat], seat))
    for seat in order:
        forfeited = " (forfeited)" if seat in result.forfeits else ""
        held = format_cards(state.hand(Seat(seat)))
        text = f"place {result.placing[seat]}: {names[seat]}{forfeited}"
        yield from _wrapped(f"{text}, with {held}" if held else text, "")


def _wrapped(text: str, indent: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ")
