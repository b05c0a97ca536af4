"""The course of one round on one side: the same steps in both worlds, one after the other.

Nothing here is left to who is faster: a bot answers when the last answer has had all its effect.
So the order in which the watcher is told things is compared as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

from kitumaija.engine import (
    DECK,
    RULES_VERSION,
    Action,
    GameRecord,
    PlayCard,
    RecordedResult,
    TurnCard,
)
from kitumaija.server.leaks.asking import Questions
from kitumaija.server.leaks.bots import Player
from kitumaija.server.leaks.feeds import Feeds
from kitumaija.server.leaks.plan import Ending, Round
from kitumaija.server.leaks.said import of_stream
from kitumaija.server.leaks.side import Side
from kitumaija.v1 import arena_pb2, game_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.codec import cards_from_message, legal_from_message

TOURNAMENT = "cup"
_REASON = "The lights went out."
_GRACE = timedelta(seconds=5)
_STEP = timedelta(milliseconds=3)
_PROBE_EVERY = 5

Key = tuple[str, str, int]
"""Match, bot and decision id."""


@dataclass(slots=True)
class Script:
    """What the bots answered, and in which match it was answered when: both worlds have one."""

    actions: dict[Key, Action] = field(default_factory=dict)


@dataclass(slots=True)
class Course:
    """One round on one side. `script` is filled in the first world and followed in the other."""

    side: Side
    round: Round
    script: Script
    stopwatch: Callable[[], int]
    """Returns nanoseconds of real time: what is measured is told, and judged by nobody."""
    times: list[int] = field(default_factory=list)
    records: dict[str, GameRecord] = field(default_factory=dict)
    """What was played of the matches that were broken off; nothing else is kept of those."""
    matches: list[str] = field(default_factory=list)
    _away: set[str] = field(default_factory=set)
    _refusing: str = ""
    _steps: int = 0

    @property
    def watcher(self) -> Player:
        """The bot that is watched."""
        return self.side.players[self.round.watcher]

    @property
    def victim(self) -> Player:
        """The bot that the ending befalls."""
        return self.side.players[self.round.victim]

    async def play(self) -> None:
        """Play the round, to its end and what can be asked after it."""
        await self._begin()
        async with Feeds(self.side, self.watcher, self.matches) as feeds:
            questions = Questions(self.side, self.watcher, TOURNAMENT, tuple(self.matches))
            await self._seat()
            await self._decide(self.round.decisions)
            await questions.ask()
            await self._come_back()
            await self._end()
            if self.round.ending is not Ending.VOID:
                await self._decide(None)
            await self._rated()
            await questions.ask()
            await self._come_back()
            await feeds.over()
        await self.side.read_metrics()

    # The beginning

    async def _begin(self) -> None:
        side, settings = self.side, self._settings()
        for number in range(self.round.seats):
            hear = self._hear if number == self.round.watcher else None
            await side.register(f"b{number}", hear)
        await side.order(
            side.tournaments.CreateTournament,
            v1.CreateTournamentRequest(tournament_id=TOURNAMENT, settings=settings),
        )
        await side.order(
            side.tournaments.OpenTournament, v1.OpenTournamentRequest(tournament_id=TOURNAMENT)
        )
        for player in side.players:
            await player.connect(capacity=self.round.matches)
        await side.order(
            side.tournaments.EnterTournament,
            v1.EnterTournamentRequest(
                tournament_id=TOURNAMENT,
                bot_id=side.players[0].bot_id,
                more_bot_ids=[player.bot_id for player in side.players[1:]],
            ),
        )
        await self._all_gave(arena_pb2.ENTROPY_STEP_COMMIT)
        await side.order(
            side.tournaments.CloseTournament, v1.CloseTournamentRequest(tournament_id=TOURNAMENT)
        )
        await self._all_gave(arena_pb2.ENTROPY_STEP_REVEAL)
        await side.order(
            side.tournaments.StartTournament, v1.StartTournamentRequest(tournament_id=TOURNAMENT)
        )
        await side.bell.until(
            lambda: all(len(one.offered) == self.round.matches for one in side.players),
            "not every match was offered",
        )
        # What is left of the schedule is never begun: what hands were held is hidden while it is.
        await side.order(
            side.tournaments.PauseTournament, v1.PauseTournamentRequest(tournament_id=TOURNAMENT)
        )
        self.matches += side.players[0].offered

    async def _all_gave(self, step: int) -> None:
        """Wait until every bot has given its entropy and the server has noted it."""
        side = self.side
        await side.bell.until(
            lambda: all(step in player.gave for player in side.players),
            "not every bot was asked for its entropy",
        )
        for player in side.players:
            await player.settle()
        await side.app.hall.settle()

    def _settings(self) -> v1.TournamentSettings:
        options = self.round.options
        settings = v1.TournamentSettings(
            table_sizes=[self.round.seats],
            rounds=2,
            max_running_matches=self.round.matches,
            faults=v1.FaultPolicy(illegal_retries=1, faults_to_forfeit=1),
            options=game_pb2.GameOptions(
                free_from_stock=game_pb2.FreeFromStock.Value(
                    f"FREE_FROM_STOCK_{options.free_from_stock.name}"
                ),
                pickup=game_pb2.PickUp.Value(f"PICK_UP_{options.pickup.name}"),
                repetition=options.repetition,
                turns_per_player=options.turns_per_player,
                stopped=game_pb2.Stopped.Value(f"STOPPED_{options.stopped.name}"),
                hand_sizes=game_pb2.HandSizes.Value(f"HAND_SIZES_{options.hand_sizes.name}"),
            ),
        )
        # Only who is to run out of time does: the clock is moved for the grace alone.
        for name, limit in {
            "startup": timedelta(minutes=1),
            "per_decision": timedelta(minutes=5),
            "grace": _GRACE,
        }.items():
            getattr(settings.limits, name).FromTimedelta(limit)
        return settings

    async def _seat(self) -> None:
        for match_id in self.matches:
            for player in self.side.players:
                await player.ready(match_id)
            await self._seated(match_id)
            await self._at_rest(match_id)

    async def _seated(self, match_id: str) -> None:
        await self.side.bell.until(
            lambda: all(match_id in one.seats for one in self.side.players),
            "a match in which all are ready did not begin",
        )

    # The course

    async def _decide(self, decisions: int | None) -> None:
        """Have so many decisions made, in the matches by turns; None for all there are."""
        done = 0
        while open_matches := [one for one in self.matches if self._asked(one)]:
            for match_id in open_matches:
                if done == decisions:
                    return
                player = self._asked(match_id)
                if player is not None:
                    await self._answer(match_id, player)
                    done += 1

    async def _answer(self, match_id: str, player: Player) -> None:
        self._steps += 1
        self.side.advance(_STEP)
        if self._steps % _PROBE_EVERY == 0:
            await self._probe(match_id)
        decision = player.asked.pop(match_id)
        if player.bot_id == self._refusing:
            unheld = _unheld(decision)
            for _ in range(2):
                await player.answer(match_id, decision.decision_id, unheld)
            await self._at_rest(match_id)
            return
        if player is self.watcher and decision.decision_id % 2 == 0:
            await player.answer(match_id, decision.decision_id, _unheld(decision))
            await player.settle()
        action = self._choose(match_id, player, decision)
        began = self.stopwatch()
        await player.answer(match_id, decision.decision_id, action)
        await self._at_rest(match_id)
        if match_id in self.watcher.asked:
            self.times.append(self.stopwatch() - began)

    def _choose(self, match_id: str, player: Player, decision: arena_pb2.Decision) -> Action:
        """Return what is in the script, or chosen by chance and written there."""
        key = (match_id, player.bot_id, decision.decision_id)
        if key not in self.script.actions:
            legal = legal_from_message(decision.legal)
            chance = self.round.chance(f"{len(self.script.actions)}")
            chosen, _ = chance.below(len(legal))
            self.script.actions[key] = legal[chosen]
        return self.script.actions[key]

    async def _probe(self, match_id: str) -> None:
        """Have the watcher say what it should not, and ask what it may."""
        watcher = self.watcher
        if match_id in watcher.ended or watcher.bot_id in self._away:
            return
        await watcher.resync(match_id)
        await watcher.answer(match_id, 999, TurnCard())
        if match_id not in watcher.asked:
            await watcher.answer(match_id, 1, None)
            await watcher.answer(match_id, 98, PlayCard(DECK[0]))
        await watcher.settle()

    def _asked(self, match_id: str) -> Player | None:
        return next((one for one in self._present() if match_id in one.asked), None)

    def _present(self) -> list[Player]:
        return [one for one in self.side.players if one.bot_id not in self._away]

    async def _at_rest(self, match_id: str) -> None:
        """Wait until a match waits for a bot, or everybody knows that it is over."""
        await self.side.bell.until(
            lambda: (
                self._asked(match_id) is not None
                or all(match_id in one.ended for one in self._present())
            ),
            f"match {match_id} of {self.round} stands still",
        )
        asked = self._asked(match_id)
        if asked is not None:
            # Its clock has started when something behind it has been sent: then time may pass.
            await asked.settle()

    async def _all_at_rest(self) -> None:
        await self.side.app.hall.settle()
        for player in self._present():
            await player.settle()
        for match_id in self.matches:
            await self._at_rest(match_id)

    # Coming, going and the end

    async def _come_back(self) -> None:
        """Break the watcher's stream off and let it come back, with all that it knows."""
        watcher = self.watcher
        if watcher.bot_id in self._away:
            return
        was_asked, had_ended = set(watcher.asked), set(watcher.ended)
        watcher.ended.clear()
        await watcher.close()
        await self.side.gone(watcher)
        await watcher.connect(self.round.matches, self.matches)
        await self.side.bell.until(
            lambda: was_asked <= set(watcher.asked) and had_ended <= watcher.ended,
            "not everything was told again to a bot that came back",
        )
        await watcher.settle()

    async def _end(self) -> None:
        side, ending, victim = self.side, self.round.ending, self.victim
        bot = {"tournament_id": TOURNAMENT, "bot_id": victim.bot_id, "reason": _REASON}
        if ending is Ending.FORFEIT:
            self._refusing = victim.bot_id
        elif ending is Ending.DISCONNECTED:
            self._away.add(victim.bot_id)
            await victim.close()
            await side.gone(victim)
            side.advance(_GRACE + timedelta(seconds=1))
        elif ending is Ending.WITHDRAWN:
            victim.asked.clear()
            await side.order(side.tournaments.WithdrawEntrant, v1.WithdrawEntrantRequest(**bot))
        elif ending is Ending.DISQUALIFIED:
            victim.asked.clear()
            await side.order(side.tournaments.DisqualifyEntrant, v1.DisqualifyEntrantRequest(**bot))
        elif ending is Ending.VOID:
            self.records = self._unfinished()
            request = v1.CancelTournamentRequest(tournament_id=TOURNAMENT, reason=_REASON)
            await side.order(side.tournaments.CancelTournament, request)
        await self._all_at_rest()

    async def _rated(self) -> None:
        """Wait until everything that was played is rated: the tables are asked for after that."""
        if self.round.ending is Ending.VOID:
            return
        request = v1.GetStandingsRequest(tournament_id=TOURNAMENT)
        rated = -1
        for _ in range(500):
            standings = await self.side.order(self.side.tournaments.GetStandings, request)
            rated = sum(table.rated for table in standings.tables)
            if rated == len(self.matches):
                return
            await asyncio.sleep(0.01)

    def _unfinished(self) -> dict[str, GameRecord]:
        found: dict[str, GameRecord] = {}
        for match_id in self.matches:
            running = self.side.app.hall.match(self.watcher.bot_id, match_id)
            if running is not None:
                state, setup = running.state, running.setup
                found[match_id] = GameRecord(
                    RULES_VERSION,
                    setup.options,
                    setup.deal,
                    setup.entrants,
                    tuple(state.decisions.since(0)),
                    RecordedResult(None, ()),
                )
        return found

    def _hear(self, message: arena_pb2.ServerMessage) -> None:
        self.side.told.append(of_stream(message))


def _unheld(decision: arena_pb2.Decision) -> Action:
    """Return the playing of a card that the bot does not hold."""
    hand = cards_from_message(decision.view.hand)
    return next(PlayCard(card) for card in DECK if card not in hand)
