"""A game on this machine, by the production rules and with no network.

What bots see here is what the server shows them: the same engine makes the views, the legal actions
and the events, and the clock is kept the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kitumaija.console.text import counted
from kitumaija.engine import (
    RULES_VERSION,
    Deal,
    DecidedBy,
    Decision,
    Event,
    GameOptions,
    GameRecord,
    RecordedResult,
    Seat,
    State,
    Termination,
    apply,
    default_action,
    event_for,
    legal_actions,
    new_game,
    text_seed,
    view,
)
from kitumaija.sdk.bot import BotFactory
from kitumaija.sdk.calls import Calls, OnError
from kitumaija.sdk.clocks import Bank, Clock, CountedClock, duration, nanoseconds
from kitumaija.sdk.errors import BotError, UsageError
from kitumaija.sdk.match import Ending, Match, Player, Result
from kitumaija.sdk.players import About, Remote, called, seated
from kitumaija.sdk.players import Player as SeatedPlayer
from kitumaija.sdk.turn import Turn
from kitumaija.wire.times import Limits

TIMEOUT = "decision_timeout"
"""The fault of a decision that took too long, as records name it."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played to its end."""

    players: tuple[Player, ...]
    """Who played, by seat; no two have the same name."""
    record: GameRecord
    """What happened: enough to replay it."""
    final: State
    """The last state, with every card in the open."""
    limits: Limits
    used: tuple[int, ...]
    """How long each decision took, in nanoseconds of the game's clock."""
    about: tuple[About, ...]
    """What the bot of every seat says of itself."""
    problems: tuple[BotError, ...]
    """What went wrong in bots, in order, where the game went on all the same."""

    @property
    def places(self) -> tuple[int, ...]:
        """The place of every seat, from 1; shared places are equal numbers."""
        return self.record.result.placing

    @property
    def termination(self) -> Termination:
        """Why the game ended."""
        outcome = self.final.outcome
        assert outcome is not None, "a game is played to its end"  # noqa: S101
        return outcome.termination

    @property
    def late(self) -> tuple[int, ...]:
        """How many decisions of every seat took too long and were made by default."""
        late = [decision.seat for decision in self.record.decisions if decision.fault == TIMEOUT]
        return tuple(late.count(Seat(seat)) for seat in range(len(self.players)))


def play(
    bots: Sequence[BotFactory],
    *,
    seed: str | int | bytes,
    options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
    clock: Clock | None = None,
    on_error: OnError = "raise",
) -> Played:
    """Play one game; `bots` are classes of bots, 2 to 10 of them, by seat.

    The same seed gives the same deal: a text or a number, or the 32 bytes of a deal's seed. Without
    a `clock` the time is counted (`CountedClock`), so that a bot which budgets its time plays the
    same game again. A decision over its time is made by the default action, as on the server.

    A bot that raises, or answers what is not legal, raises `BotError` here; with
    `on_error="fallback"` the first legal action is played for it and the error is kept in
    `Played.problems`.
    """
    if isinstance(seed, bytes):
        deal = Deal(f"local/{seed.hex()[:16]}", seed)
    else:
        deal = Deal(f"local/{seed}", text_seed(str(seed)))
    return play_deal(bots, deal, options=options, limits=limits, clock=clock, on_error=on_error)


def play_deal(
    bots: Sequence[BotFactory | Remote],
    deal: Deal,
    *,
    options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
    clock: Clock | None = None,
    on_error: OnError = "raise",
) -> Played:
    """Play the game of a deal; all else is as in `play`.

    A bot may be a process of its own. Its time is the machine's, whatever `clock` is; it is not
    answered for but by the default action, as on the server, and `on_error` says whether what is
    wrong with it is raised or kept.
    """
    if isinstance(bots, type) or not all(isinstance(bot, Remote) or callable(bot) for bot in bots):
        raise UsageError(f"got {bots!r} as bots, wanted a list of bot classes, as [MyBot, MyBot]")
    if not 2 <= len(bots) <= 10:
        raise UsageError(
            f"got {counted(len(bots), 'bot')}, wanted 2 to 10: one for every seat (S4)"
        )
    with Calls(on_error) as calls:
        table = _Table(bots, deal, calls, options, limits=limits, clock=clock or CountedClock())
        return table.play()


@dataclass(slots=True)
class _Seat:
    """One bot at the table, and what it has not been told yet."""

    player: SeatedPlayer
    match: Match
    bank: Bank
    events: list[Event]
    decisions: int = 0
    last_used: int = 0

    def news(self) -> tuple[Event, ...]:
        news = tuple(self.events)
        self.events.clear()
        return news


class _Table:
    """One game while it is played."""

    def __init__(
        self,
        bots: Sequence[BotFactory | Remote],
        deal: Deal,
        calls: Calls,
        options: GameOptions,
        *,
        limits: Limits,
        clock: Clock,
    ) -> None:
        self._deal = deal
        self._options = options
        self._limits = limits
        self._calls = calls
        self._per_decision = nanoseconds(limits.per_decision)
        self._decisions: list[Decision] = []
        self._used: list[int] = []
        names = unlike([called(bot) for bot in bots])
        players = tuple(Player(Seat(seat), name, name) for seat, name in enumerate(names))
        self._seats = [
            _Seat(
                player=seated(bot, player.name, calls, clock),
                match=Match(deal.deal_id, player.seat, players, options, limits),
                bank=self._bank(),
                events=[],
            )
            for player, bot in zip(players, bots, strict=True)
        ]

    def play(self) -> Played:
        for seat in self._seats:
            seat.player.start(seat.match)
        state, events = new_game(self._deal.key, len(self._seats), options=self._options)
        self._tell(events)
        while state.outcome is None:
            decision = self._decide(state)
            self._decisions.append(decision)
            state, events = apply(state, decision.action)
            self._tell(events)
        self._end(state)
        outcome = state.outcome
        players = self._seats[0].match.players
        return Played(
            players=players,
            record=GameRecord(
                rules_version=RULES_VERSION,
                options=self._options,
                deal=self._deal,
                seats=tuple(player.bot_id for player in players),
                decisions=tuple(self._decisions),
                result=RecordedResult(outcome, outcome.places),
            ),
            final=state,
            limits=self._limits,
            used=tuple(self._used),
            about=tuple(seat.player.about for seat in self._seats),
            problems=tuple(self._calls.problems),
        )

    def _decide(self, state: State) -> Decision:
        seat = self._seats[state.mover]
        turn = self._turn(state, seat)
        asked = seat.player.ask(turn)
        used = seat.player.clock() - turn.asked_at
        seat.last_used = used
        self._used.append(used)
        in_time = seat.bank.charge(used)
        fault = asked.fault or (None if in_time else TIMEOUT)
        seat.player.settled(accepted=fault is None)
        if asked.action is not None and fault is None:
            return Decision(state.mover, asked.action)
        by_default = default_action(turn.view, turn.legal)
        return Decision(state.mover, by_default, DecidedBy.DEFAULT, fault)

    def _turn(self, state: State, seat: _Seat) -> Turn:
        seat.decisions += 1
        bank = seat.bank.left
        return Turn(
            match=seat.match,
            decision_id=seat.decisions,
            view=view(state, state.mover),
            legal=legal_actions(state),
            events=seat.news(),
            time_left=duration(self._per_decision + bank),
            bank=duration(bank),
            clock=seat.player.clock,
            asked_at=seat.player.clock(),
            last_used=duration(seat.last_used),
        )

    def _tell(self, events: tuple[Event, ...]) -> None:
        for number, seat in enumerate(self._seats):
            seat.events += [event_for(event, Seat(number)) for event in events]

    def _end(self, state: State) -> None:
        outcome = state.outcome
        assert outcome is not None, "a game is played to its end"  # noqa: S101
        faults = [
            tuple(d.fault for d in self._decisions if d.seat == number and d.fault is not None)
            for number in range(len(self._seats))
        ]
        for seat in self._seats:
            result = Result(
                match=seat.match,
                ending=Ending.PLAYED,
                termination=outcome.termination,
                places=outcome.places,
                events=seat.news(),
                faults=tuple(faults),
                hands=tuple(state.hand(Seat(number)) for number in range(len(self._seats))),
                stock=state.stock,
                pile=state.pile,
                deal=self._deal,
                players=seat.match.players,
            )
            seat.player.end(result)

    def _bank(self) -> Bank:
        return Bank(
            per_decision=self._per_decision,
            increment=nanoseconds(self._limits.increment),
            margin=nanoseconds(self._limits.margin),
            left=nanoseconds(self._limits.bank),
        )


def unlike(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names with a number behind those that were there before: A, B, A-2."""
    given: list[str] = []
    for name in names:
        number, unique = 1, name
        while unique in given:
            number += 1
            unique = f"{name}-{number}"
        given.append(unique)
    return tuple(given)
