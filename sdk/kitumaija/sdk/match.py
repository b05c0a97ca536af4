"""A match as its bot knows it: who plays, by which options, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kitumaija.engine import Card, Deal, Event, GameOptions, Seat, Termination
from kitumaija.wire.times import Limits


@dataclass(frozen=True, slots=True)
class Player:
    """One of the players at a table."""

    seat: Seat
    """From 0; play goes in ascending order."""
    bot_id: str
    """Whose seat it is. Ids are unique, names need not be."""
    name: str


@dataclass(frozen=True, slots=True)
class Match:
    """What is known of a match before its first card is played."""

    match_id: str
    seat: Seat
    """The bot's own seat."""
    players: tuple[Player, ...]
    """All seats, in order. In a blind tournament the others have ids and names made up for this
    match; `Result.players` has the right ones."""
    options: GameOptions
    limits: Limits

    @property
    def seats(self) -> int:
        """The number of players at the table, 2 to 10."""
        return len(self.players)


class Ending(Enum):
    """How a match ended; why the game of cards in it ended is `Result.termination`."""

    PLAYED = "played"
    """The game was played to an end by the rules."""
    FORFEITS = "forfeits"
    """All but one seat were out or forfeited."""
    VOID = "void"
    """The match does not count; `Result.void_reason` says why."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. Nothing is hidden any more, unless the match is void."""

    match: Match
    ending: Ending
    termination: Termination | None
    """Why the game ended; None where it was cut short."""
    places: tuple[int, ...]
    """The place of every seat, from 1, shared places equal; empty if the match is void."""
    events: tuple[Event, ...]
    """What happened since the bot's last turn."""
    forfeits: tuple[Seat, ...] = ()
    """The seats that were forfeited, in the order they were."""
    faults: tuple[tuple[str, ...], ...] = ()
    """The faults of every seat, by seat, such as ``"decision_timeout"``."""
    hands: tuple[tuple[Card, ...], ...] = ()
    """The hands at the end, by seat."""
    stock: tuple[Card, ...] = ()
    """The stock at the end, next card first."""
    pile: tuple[Card, ...] = ()
    """The pile at the end, bottom card first."""
    deal: Deal | None = None
    """The deal's id, its seed and what the entrants contributed: the proof of the shuffle."""
    void_reason: str = ""
    players: tuple[Player, ...] = ()
    """Who really sat where; as `match.players`, unless the tournament is blind."""

    @property
    def place(self) -> int | None:
        """The bot's own place, from 1; None if the match is void."""
        return self.places[self.match.seat] if self.places else None

    @property
    def won(self) -> bool:
        """Whether nobody did better."""
        return self.place == 1

    @property
    def lost(self) -> bool:
        """Whether the bot is the kitumaija: the one last place of a finished game (S29)."""
        return self.termination is Termination.FINISHED and self.place == len(self.places)
