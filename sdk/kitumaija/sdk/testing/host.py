"""A whole match from the server's side, by the rules: its referee, and one played on a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TypeAlias

from kitumaija.engine import (
    Action,
    Deal,
    Event,
    GameOptions,
    Outcome,
    Seat,
    State,
    apply,
    default_action,
    event_for,
    legal_actions,
    new_game,
    text_seed,
    view,
)
from kitumaija.sdk.clocks import nanoseconds
from kitumaija.sdk.testing.server import Line, seating_of
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import (
    action_from_message,
    cards_to_message,
    decision_message,
    events_to_message,
    termination_to_message,
)
from kitumaija.wire.kinds import Kind
from kitumaija.wire.times import Limits, limits_to_message

Others: TypeAlias = Callable[[State], Action]
"""What the other players do, all of them: an action that is legal in a state."""

Opening: TypeAlias = tuple[State, tuple[Event, ...]]
"""Where a game begins that is not dealt anew: a state, and the events that led to it."""


def by_default(state: State) -> Action:
    """Return the rules' default action."""
    return default_action(view(state, state.mover), legal_actions(state))


class Referee:
    """One match with the bot at `seat`: it knows the rules, makes the messages, and does no I/O.

    Whatever a match needs is said in the order of the protocol: `start`, `seating`; then, as long
    as `proceed` tells that the bot is to move, `ask` and `take`; in the end `end`. After a broken
    stream `sync` and `ask_again` tell how things are.
    """

    def __init__(
        self,
        match_id: str,
        *,
        seed: str | int = 1,
        seats: int = 2,
        seat: int = 0,
        options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
        limits: Limits = Limits(),  # noqa: B008 - a frozen value
        names: Iterable[str] = (),
        others: Others = by_default,
        opening: Opening | None = None,
    ) -> None:
        """`names` are all players by seat; the bot and numbered others where there are none."""
        self.match_id = match_id
        self.seats = seats
        self.seat = Seat(seat)
        self.options = options
        self.limits = limits
        self.names = tuple(names) or tuple(
            "Bot" if number == seat else f"Other-{number}" for number in range(seats)
        )
        self.decision_id = 0
        """The number of the decision that was asked last."""
        self.told = 0
        """How many events the bot has been told."""
        self._others = others
        self._deal = Deal(match_id, text_seed(str(seed)))
        self.state, events = opening or new_game(self._deal.key, seats, options=options)
        self.events: list[Event] = [event_for(event, self.seat) for event in events]
        """The seat's whole course of the match."""

    ##### The game #####

    @property
    def legal(self) -> tuple[Action, ...]:
        """What is legal now."""
        return legal_actions(self.state)

    def proceed(self) -> bool:
        """Let the others play until the bot is to move; return False if the game is over."""
        while self.state.outcome is None and self.state.mover != self.seat:
            self.take(self._others(self.state))
        return self.state.outcome is None

    def take(self, action: Action) -> None:
        """Play an action of whoever is to move. Raises `IllegalAction`."""
        self.state, events = apply(self.state, action)
        self.events += [event_for(event, self.seat) for event in events]

    ##### What is said of it #####

    def start(self) -> arena_pb2.ServerMessage:
        """Return a MatchStart."""
        limits = limits_to_message(self.limits)
        start = arena_pb2.MatchStart(match_id=self.match_id, seats=self.seats, limits=limits)
        return arena_pb2.ServerMessage(match_start=start)

    def seating(self) -> arena_pb2.ServerMessage:
        """Return the Seating."""
        return arena_pb2.ServerMessage(seating=self._seating())

    def ask(
        self, *, time_left: timedelta | None = None, bank: timedelta | None = None
    ) -> arena_pb2.ServerMessage:
        """Return the next Decision of the bot, with all that it has not been told.

        `time_left` is the whole time and `bank` what of it is the bank; all of both if left out.
        """
        self.decision_id += 1
        return self.ask_again(time_left=time_left, bank=bank)

    def ask_again(
        self, *, time_left: timedelta | None = None, bank: timedelta | None = None
    ) -> arena_pb2.ServerMessage:
        """Return the Decision that was asked last, with what has not been told since."""
        bank = self.limits.bank if bank is None else bank
        left = self.limits.per_decision + bank if time_left is None else time_left
        first, self.told = self.told, len(self.events)
        return decision_message(
            match_id=self.match_id,
            decision_id=self.decision_id,
            view=view(self.state, self.seat),
            legal=self.legal,
            first_event=first,
            events=self.events[first:],
            time_left_us=nanoseconds(left) // 1000,
            bank_us=nanoseconds(bank) // 1000,
            last_used_us=0,
            round_trip_us=0,
        )

    def sync(self) -> arena_pb2.ServerMessage:
        """Return a MatchSync; the bot has been told everything with it."""
        self.told = len(self.events)
        match_sync = arena_pb2.MatchSync(
            match_id=self.match_id,
            seating=self._seating(),
            events=events_to_message(self.events),
            limits=limits_to_message(self.limits),
        )
        return arena_pb2.ServerMessage(match_sync=match_sync)

    def accepted(self) -> arena_pb2.ServerMessage:
        """Return that the answer to the decision asked last was taken."""
        accepted = arena_pb2.Accepted(match_id=self.match_id, decision_id=self.decision_id)
        return arena_pb2.ServerMessage(accepted=accepted)

    def end(self) -> arena_pb2.ServerMessage:
        """Return the MatchEnd of a game that is over. Raises `ValueError` for one that is not."""
        outcome = self.state.outcome
        if outcome is None:
            raise ValueError("the game is not over")
        hands = [
            arena_pb2.FinalHand(seat=seat, cards=cards_to_message(self.state.hand(Seat(seat))))
            for seat in range(self.seats)
        ]
        first, self.told = self.told, len(self.events)
        return arena_pb2.ServerMessage(
            match_end=arena_pb2.MatchEnd(
                match_id=self.match_id,
                ending=arena_pb2.MATCH_ENDING_PLAYED,
                termination=termination_to_message(outcome.termination),
                places=outcome.places,
                first_event=first,
                events=events_to_message(self.events[first:]),
                hands=hands,
                stock=cards_to_message(self.state.stock),
                pile=cards_to_message(self.state.pile),
                deal_id=self._deal.deal_id,
                deal_seed=self._deal.seed,
            )
        )

    def void(self, why: str = "the script ends it") -> arena_pb2.ServerMessage:
        """Return the MatchEnd of a match that does not count."""
        ended = arena_pb2.MatchEnd(
            match_id=self.match_id,
            ending=arena_pb2.MATCH_ENDING_VOID,
            first_event=self.told,
            void_reason=why,
        )
        return arena_pb2.ServerMessage(match_end=ended)

    def _seating(self) -> arena_pb2.Seating:
        return seating_of(self.match_id, seat=self.seat, names=self.names, options=self.options)


async def host_match(
    line: Line,
    match_id: str,
    *,
    seed: str | int,
    seats: int = 2,
    seat: int = 0,
    options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
) -> Outcome:
    """Play a match with the bot on the line, which was greeted, at `seat`; return its outcome.

    The other players do what the rules' default action says. Raises `IllegalAction` for an illegal
    answer: this server knows no mercy.
    """
    match = Referee(match_id, seed=seed, seats=seats, seat=seat, options=options)
    await line.offer(match_id, seats=seats)
    await line.say(match.seating())
    while match.proceed():
        await line.say(match.ask())
        answer = await line.hear(Kind.ANSWER)
        match.take(action_from_message(answer.action))
        await line.say(match.accepted())
    outcome = match.state.outcome
    assert outcome is not None  # noqa: S101 - nobody is to move any more
    await line.say(match.end())
    return outcome
