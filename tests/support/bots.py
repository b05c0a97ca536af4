"""Bots for the SDK's tests: each does one thing, mostly the wrong one."""

from __future__ import annotations

import asyncio

from kitumaija.sdk import Action, Bot, Card, Match, Result, TakeCards, Turn


class First(Bot):
    """Plays the first legal action and keeps all that it is told."""

    def __init__(self) -> None:
        self.matches: list[Match] = []
        self.turns: list[Turn] = []
        self.results: list[Result] = []

    def on_start(self, match: Match) -> None:
        self.matches.append(match)

    def choose(self, turn: Turn) -> Action | Card:
        self.turns.append(turn)
        return turn.legal[0]

    def on_end(self, result: Result) -> None:
        self.results.append(result)


class Last(Bot):
    """Plays the last legal action."""

    def choose(self, turn: Turn) -> Action:
        return turn.legal[-1]


class AsyncFirst(Bot):
    """Plays the first legal action, and lets others do something before."""

    async def choose(self, turn: Turn) -> Action:
        await asyncio.sleep(0)
        return turn.legal[0]


class Raises(Bot):
    """Raises in every decision."""

    def choose(self, turn: Turn) -> Action:
        raise ZeroDivisionError("the author divided by zero")


class Illegal(Bot):
    """Picks up more cards than anybody ever may."""

    def choose(self, turn: Turn) -> Action:
        return TakeCards(6)
