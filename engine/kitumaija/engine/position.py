"""Single positions: made by hand for tests and studies, and written as one line of text.

The line looks like the worked positions of the rules::

    catch P1 stock=[5C 7S AH] pile=[7H] P0={9C} P1={8H 2D KS 4S 9D} P2=out1

It begins with the phase (or ``over:`` and the reason) and the player to move; the stock is next
card first, the pile bottom to top, ``out1`` is the first who went out. ``luck`` and ``maija`` at
the end are flags. The line holds the position, not the whole game: options, randomness, the number
of turns, the dealer and earlier positions are not in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from kitumaija.engine.cards import MAIJA, Card, card_set
from kitumaija.engine.deal import Chance
from kitumaija.engine.ending import note_position, outcome
from kitumaija.engine.notation import NotationError, format_cards, parse_cards
from kitumaija.engine.options import GameOptions
from kitumaija.engine.state import NO_HISTORY, Draft, State
from kitumaija.engine.values import MAX_SEATS, MIN_SEATS, Phase, Seat, Termination

MAIJA_STREAM = "maija"
"""The random stream that the queen's place is drawn from when she goes back to the stock (B3)."""

_LINE = re.compile(
    r"(?P<phase>catch|free|pickup|lead|over:finished|over:repetition|over:turn_cap) P(?P<mover>\d)"
    r" stock=\[(?P<stock>[^\]]*)\] pile=\[(?P<pile>[^\]]*)\]"
    r"(?P<players>(?: P\d=(?:\{[^}]*\}|out\d))+)(?P<luck> luck)?(?P<maija> maija)?"
)
_PLAYER = re.compile(r" P(\d)=(?:\{([^}]*)\}|out(\d))")


def position(
    *,
    seats: int,
    mover: int,
    hands: Mapping[int, str | Iterable[Card]],
    pile: str | Iterable[Card] = "",
    stock: str | Iterable[Card] = "",
    phase: Phase | None = None,
    luck: bool = False,
    maija_pending: bool = False,
    out: Iterable[int] = (),
    ended: Termination | None = None,
    options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
    key: bytes = bytes(32),
    turns: int = 0,
    dealer: int | None = None,
) -> State:
    """Return the state with just these cards; the rest of the deck may be absent.

    `phase` defaults to what a turn at this position begins with, and means nothing with `ended`.
    `pile` is bottom to top, `stock` next card first, as text or as cards. A hand may be left out:
    it is empty then, and its player still in, unless `out` (in the order of going out) names him.
    `key` (32 bytes) is where the queen's place in the stock is drawn from. The position counts as
    the first of its game (G4).

    Raises `ValueError` for a position that no game could hold, saying why.
    """
    if phase is None or ended is not None:
        asks_to_pick_up = maija_pending and ended is None
        phase = Phase.PICKUP if asks_to_pick_up else Phase.CATCH if tuple(pile) else Phase.LEAD
    _check_players(seats, mover, hands, tuple(out), ended)
    draft = Draft(
        options=options,
        dealer=Seat(seats - 1 if dealer is None else dealer),
        hands=tuple(card_set(_cards(hands.get(seat, ""))) for seat in range(seats)),
        pile=_cards(pile),
        stock=_cards(stock),
        mover=Seat(mover),
        phase=phase,
        luck=luck,
        maija_pending=maija_pending,
        out=tuple(Seat(seat) for seat in out),
        turns=turns,
        outcome=None,
        chance=Chance(key, MAIJA_STREAM),
        history=NO_HISTORY,
    )
    _check_cards(draft, [card for cards in hands.values() for card in _cards(cards)])
    if ended is not None:
        draft.outcome = outcome(draft, ended)
        return draft.frozen()
    _check_phase(draft)
    if options.repetition and (phase in (Phase.CATCH, Phase.LEAD) or maija_pending):
        note_position(draft)
    return draft.frozen()


def format_position(state: State) -> str:
    """Return the position of `state` as one line, every hand and the stock in the open."""
    phase = f"over:{state.outcome.termination.value}" if state.outcome else state.phase.value
    players = "".join(
        f" P{seat}=out{state.out.index(Seat(seat)) + 1}"
        if seat in state.out
        else f" P{seat}={{{format_cards(state.hand(Seat(seat)))}}}"
        for seat in range(state.seats)
    )
    return (
        f"{phase} P{state.mover} stock=[{format_cards(state.stock)}]"
        f" pile=[{format_cards(state.pile)}]{players}"
        f"{' luck' if state.luck else ''}{' maija' if state.maija_pending else ''}"
    )


def parse_position(
    text: str,
    *,
    options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
    key: bytes = bytes(32),
) -> State:
    """Read what `format_position` writes, as `position` makes it.

    Raises `NotationError` for a text that is no position, or one that no game could hold.
    """
    line = _LINE.fullmatch(text)
    if line is None:
        raise NotationError(
            f"no position: {text!r}; wanted a line as"
            " 'catch P0 stock=[5C] pile=[7H] P0={8H 2D} P1={9C}'"
        )
    players = [(int(seat), cards, place) for seat, cards, place in _PLAYER.findall(line["players"])]
    if [seat for seat, _, _ in players] != list(range(len(players))):
        raise NotationError(f"no position: {text!r}; wanted the players P0, P1, ... in order")
    out = sorted((int(place), seat) for seat, _, place in players if place)
    if [place for place, _ in out] != list(range(1, len(out) + 1)):
        raise NotationError(f"no position: {text!r}; wanted out1, out2, ... each once")
    kind, _, reason = line["phase"].partition(":")
    try:
        return position(
            seats=len(players),
            mover=int(line["mover"]),
            hands={seat: cards for seat, cards, place in players if not place},
            pile=line["pile"],
            stock=line["stock"],
            phase=None if reason else Phase(kind),
            luck=line["luck"] is not None,
            maija_pending=line["maija"] is not None,
            out=[seat for _, seat in out],
            ended=Termination(reason) if reason else None,
            options=options,
            key=key,
        )
    except NotationError:
        raise
    except ValueError as error:
        raise NotationError(f"no position: {text!r}; {error}") from error


def _cards(cards: str | Iterable[Card]) -> tuple[Card, ...]:
    return parse_cards(cards) if isinstance(cards, str) else tuple(cards)


def _check_players(
    seats: int,
    mover: int,
    hands: Mapping[int, object],
    out: tuple[int, ...],
    ended: Termination | None,
) -> None:
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise ValueError(f"got {seats} players, wanted {MIN_SEATS} to {MAX_SEATS} (S4)")
    playing = set(range(seats)) - set(out)
    if len(out) != seats - len(playing):
        raise ValueError(f"got {out} as players who are out, wanted different seats below {seats}")
    if not playing.issuperset(hands) or mover not in playing:
        raise ValueError(f"only the players still in, {sorted(playing)}, hold cards and move")
    if (len(playing) == 1) != (ended is Termination.FINISHED):
        raise ValueError(f"a game is finished when one player is left, got {len(playing)} (S28)")


def _check_cards(draft: Draft, held: list[Card]) -> None:
    twice = [card for card, n in Counter([*held, *draft.pile, *draft.stock]).items() if n > 1]
    if twice:
        raise ValueError(f"the card {twice[0]} is in two places")
    if MAIJA in draft.pile[:-1] or draft.pile == (MAIJA,):
        raise ValueError("the queen of spades lies only on top of a pile, never at its bottom")
    if draft.maija_pending and draft.pile[-1:] != (MAIJA,):
        raise ValueError("maija is pending only while she lies on top of the pile (S10)")


def _check_phase(draft: Draft) -> None:
    phase = draft.phase
    if (phase is Phase.LEAD) != (not draft.pile):
        raise ValueError(f"a card is led to an empty pile only (E5), got phase {phase.value}")
    if MAIJA in draft.pile and phase is not Phase.PICKUP:
        raise ValueError(f"the queen in the pile is picked up at once, got phase {phase.value}")
    if draft.luck and phase is not Phase.FREE:
        raise ValueError(f"only a free card follows a luck card (S19), got phase {phase.value}")
