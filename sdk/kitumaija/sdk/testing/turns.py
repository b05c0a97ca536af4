"""Turns made by hand, to see what a bot answers to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from kitumaija.engine import (
    DECK,
    MAIJA,
    Card,
    Event,
    GameOptions,
    Phase,
    Seat,
    legal_actions,
    parse_cards,
    position,
    view,
)
from kitumaija.engine.values import MAX_SEATS, MIN_SEATS
from kitumaija.sdk.clocks import Clock, CountedClock
from kitumaija.sdk.errors import UsageError
from kitumaija.sdk.match import Match, Player
from kitumaija.sdk.turn import Turn
from kitumaija.wire.times import Limits

_FEW = 10
"""How many cards the stock has where nothing is said."""


def make_turn(
    *,
    hand: str | Iterable[Card],
    top: str = "",
    pile: str | Iterable[Card] = "",
    phase: Phase | str | None = None,
    pile_size: int | None = None,
    stock_size: int = _FEW,
    hand_sizes: Sequence[int | None] | None = None,
    seat: int = 0,
    seats: int = 2,
    out: Sequence[int] = (),
    luck: bool = False,
    maija_pending: bool = False,
    turns: int = 0,
    options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
    events: Iterable[Event] = (),
    decision_id: int = 1,
    clock: Clock | None = None,
) -> Turn:
    """Return the turn of a seat with this `hand`, in text (``"8H 2D"``) or as cards.

    The pile is given by its `top` alone or from bottom to top as `pile`; `pile_size` adds unnamed
    cards below. `phase` defaults to what a turn begins with. The other players' hands
    (`hand_sizes`, five cards where nothing is said) and the stock are filled with unnamed cards.
    What is legal is worked out by the rules. The time is counted (`CountedClock`) unless a `clock`
    is given.

    Raises `UsageError` for a position that no game could hold, saying why.
    """
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise UsageError(f"seats: got {seats}, wanted {MIN_SEATS} to {MAX_SEATS} (S4)")
    try:
        phase = Phase[phase] if isinstance(phase, str) else phase
    except KeyError:
        raise UsageError(
            f"got phase {phase!r}, wanted one of {', '.join(known.name for known in Phase)}"
        ) from None
    try:
        return _made(
            hand=_cards(hand),
            pile=_cards(pile) or _cards(top),
            phase=phase,
            pile_size=pile_size,
            stock_size=stock_size,
            sizes=hand_sizes or (None,) * seats,
            match=_match(seat, seats, options, limits),
            out=out,
            luck=luck,
            maija_pending=maija_pending,
            turns=turns,
            events=tuple(events),
            decision_id=decision_id,
            clock=clock or CountedClock(),
        )
    except UsageError:
        raise
    except ValueError as error:
        raise UsageError(f"there is no such turn: {error}") from error


def _made(
    *,
    hand: tuple[Card, ...],
    pile: tuple[Card, ...],
    phase: Phase | None,
    pile_size: int | None,
    stock_size: int,
    sizes: Sequence[int | None],
    match: Match,
    out: Sequence[int],
    luck: bool,
    maija_pending: bool,
    turns: int,
    events: tuple[Event, ...],
    decision_id: int,
    clock: Clock,
) -> Turn:
    # The queen last: she may lie in no pile but on top of it.
    unnamed = [card for card in DECK if card not in {*hand, *pile, MAIJA}]
    if MAIJA not in {*hand, *pile}:
        unnamed.append(MAIJA)

    def take(count: int) -> list[Card]:
        if count > len(unnamed):
            raise UsageError(
                f"there are not as many cards: wanted {count} more, left {len(unnamed)}"
            )
        taken = unnamed[:count]
        del unnamed[:count]
        return taken

    below = take(max(0, (pile_size or 0) - len(pile)))
    state = position(
        seats=match.seats,
        mover=match.seat,
        hands={match.seat: hand}
        | {
            other: take(5 if size is None else size)
            for other, size in enumerate(sizes)
            if other != match.seat and other not in out
        },
        pile=[*below, *pile],
        stock=take(stock_size),
        phase=phase,
        luck=luck,
        maija_pending=maija_pending,
        out=out,
        turns=turns,
        options=match.options,
    )
    return Turn(
        match=match,
        decision_id=decision_id,
        view=view(state, match.seat),
        legal=legal_actions(state),
        events=events,
        time_left=match.limits.per_decision + match.limits.bank,
        bank=match.limits.bank,
        clock=clock,
        asked_at=clock(),
        last_used=timedelta(),
    )


def _match(seat: int, seats: int, options: GameOptions, limits: Limits) -> Match:
    names = [f"player-{number}" for number in range(seats)]
    players = tuple(Player(Seat(number), name, name) for number, name in enumerate(names))
    return Match("made-by-hand", Seat(seat), players, options, limits)


def _cards(cards: str | Iterable[Card]) -> tuple[Card, ...]:
    return parse_cards(cards) if isinstance(cards, str) else tuple(cards)
