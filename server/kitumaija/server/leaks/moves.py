"""What the bots do in their matches: the same in both worlds, whoever sits there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeAlias

from kitumaija.engine import DECK, Action, PlayCard, TurnCard
from kitumaija.server.choices import IllegalActions
from kitumaija.server.leaks.bots import Player
from kitumaija.server.leaks.plan import Round
from kitumaija.server.leaks.tables import Tables
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import cards_from_message, legal_from_message

_STEP = timedelta(milliseconds=3)
_PROBE_EVERY = 5

Key: TypeAlias = tuple[str, int, int]
"""Match, seat and decision id."""


@dataclass(slots=True)
class Script:
    """What was done at each seat: written in the first world and followed in the other."""

    actions: dict[Key, Action] = field(default_factory=dict)
    befell: dict[str, int] = field(default_factory=dict)
    """By match the seat at which the ending's victim sits in the first world."""
    late: dict[str, int] = field(default_factory=dict)
    """By match the seat that is not ready in time, if one is: another in each world, where there
    are more than that and the watcher's."""


@dataclass(slots=True)
class Moves:
    """Plays the matches of one round on one side."""

    tables: Tables
    round: Round
    script: Script
    watcher: Player
    stopwatch: Callable[[], int]
    """Returns nanoseconds of real time: what is measured is told, and judged by nobody."""
    times: list[int] = field(default_factory=list)
    refusing: bool = False
    """Whether who sits at the victim's seat answers illegally from now on."""
    _steps: int = 0

    async def make(self, decisions: int | None, match_ids: Iterable[str]) -> None:
        """Have so many decisions made, in the matches by turns; None for all there are."""
        tables, among, done = self.tables, tuple(match_ids), 0
        while waiting := [one for one in among if tables.asked(one)]:
            for match_id in waiting:
                if done == decisions:
                    return
                player = tables.asked(match_id)
                if player is not None:
                    await self._answer(match_id, player)
                    done += 1

    async def _answer(self, match_id: str, player: Player) -> None:
        tables = self.tables
        self._steps += 1
        tables.side.advance(_STEP)
        if self._steps % _PROBE_EVERY == 0:
            await self._probe(match_id)
        decision = player.asked.pop(match_id)
        seat = tables.seat_of(match_id, player)
        if self.refusing and seat == self.script.befell[match_id]:
            for _ in range(2 if self._retried else 1):
                await player.answer(match_id, decision.decision_id, _unheld(decision))
            await tables.at_rest(match_id)
            return
        if player is self.watcher and self._retried and decision.decision_id % 2 == 0:
            await player.answer(match_id, decision.decision_id, _unheld(decision))
            await player.settle()
        action = self._choose((match_id, seat, decision.decision_id), decision)
        began = self.stopwatch()
        await player.answer(match_id, decision.decision_id, action)
        await tables.at_rest(match_id)
        if match_id in self.watcher.asked:
            self.times.append(self.stopwatch() - began)

    @property
    def _retried(self) -> bool:
        """Whether an illegal answer costs nothing but time, the first one of a decision."""
        return self.round.illegal is IllegalActions.RETRY

    def _choose(self, key: Key, decision: arena_pb2.Decision) -> Action:
        """Return what is in the script, or chosen by chance and written there."""
        if key not in self.script.actions:
            legal = legal_from_message(decision.legal)
            chance = self.round.chance(f"{len(self.script.actions)}")
            chosen, _ = chance.below(len(legal))
            self.script.actions[key] = legal[chosen]
        return self.script.actions[key]

    async def _probe(self, match_id: str) -> None:
        """Have the watcher say what it should not, and ask what it may."""
        watcher = self.watcher
        if match_id in watcher.ended or watcher in self.tables.away:
            return
        await watcher.resync(match_id)
        await watcher.answer(match_id, 999, TurnCard())
        if match_id not in watcher.asked:
            await watcher.answer(match_id, 1, None)
            await watcher.answer(match_id, 98, PlayCard(DECK[0]))
        await watcher.settle()


def _unheld(decision: arena_pb2.Decision) -> Action:
    """Return the playing of a card that the bot does not hold."""
    hand = cards_from_message(decision.view.hand)
    return next(PlayCard(card) for card in DECK if card not in hand)
