"""Where a tournament stands, and what each command does to it there: one table, every cell said."""

from __future__ import annotations

from enum import StrEnum

from kitumaija.server.store.rows import TournamentState

State = TournamentState
"""Where a tournament stands."""


class Command(StrEnum):
    """What can be asked of a tournament."""

    OPEN = "open"
    ENTER = "enter"
    ENTER_LATE = "enter_late"
    """A bot is entered once the tournament has started, where the format takes it."""
    CLOSE = "close"
    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"
    WITHDRAW = "withdraw"
    DISQUALIFY = "disqualify"
    BENCH = "bench"
    """An entrant is taken out for a while."""
    RETURN = "return"
    """An entrant that was taken out for a while comes back."""
    VOID = "void"
    """A match that counts is declared void."""
    COMPLETE = "complete"
    """Said by the director alone, when every match of the schedule is settled."""


class WrongState(ValueError):
    """The command does not fit where the tournament stands."""

    def __init__(self, state: State, command: Command) -> None:
        self.state = state
        self.command = command
        self.wanted = tuple(place for place in State if (place, command) in _TABLE)
        super().__init__(_refusal(state, command, self.wanted))


_TABLE: dict[tuple[State, Command], State] = {
    (State.DRAFT, Command.OPEN): State.OPEN,
    (State.DRAFT, Command.CANCEL): State.CANCELLED,
    (State.OPEN, Command.ENTER): State.OPEN,
    (State.OPEN, Command.CLOSE): State.CLOSED,
    (State.OPEN, Command.CANCEL): State.CANCELLED,
    (State.OPEN, Command.WITHDRAW): State.OPEN,
    (State.OPEN, Command.DISQUALIFY): State.OPEN,
    (State.CLOSED, Command.START): State.RUNNING,
    (State.CLOSED, Command.CANCEL): State.CANCELLED,
    (State.CLOSED, Command.WITHDRAW): State.CLOSED,
    (State.CLOSED, Command.DISQUALIFY): State.CLOSED,
    (State.RUNNING, Command.PAUSE): State.PAUSED,
    (State.RUNNING, Command.ENTER_LATE): State.RUNNING,
    (State.RUNNING, Command.CANCEL): State.CANCELLED,
    (State.RUNNING, Command.WITHDRAW): State.RUNNING,
    (State.RUNNING, Command.DISQUALIFY): State.RUNNING,
    (State.RUNNING, Command.BENCH): State.RUNNING,
    (State.RUNNING, Command.RETURN): State.RUNNING,
    (State.RUNNING, Command.VOID): State.RUNNING,
    (State.RUNNING, Command.COMPLETE): State.FINISHED,
    (State.PAUSED, Command.RESUME): State.RUNNING,
    (State.PAUSED, Command.ENTER_LATE): State.PAUSED,
    (State.PAUSED, Command.CANCEL): State.CANCELLED,
    (State.PAUSED, Command.WITHDRAW): State.PAUSED,
    (State.PAUSED, Command.DISQUALIFY): State.PAUSED,
    (State.PAUSED, Command.BENCH): State.PAUSED,
    (State.PAUSED, Command.RETURN): State.PAUSED,
    (State.PAUSED, Command.VOID): State.PAUSED,
    # The last matches may end during a pause; nothing is left to wait for then.
    (State.PAUSED, Command.COMPLETE): State.FINISHED,
}


def has_started(state: State) -> bool:
    """Whether the schedule is fixed and matches have been, are or will be played.

    A tournament cancelled before its start is over and never started: its row tells that apart.
    """
    return state in {State.RUNNING, State.PAUSED, State.FINISHED}


def after(state: State, command: Command) -> State:
    """Return where a command leads; raise `WrongState` where it does not fit."""
    try:
        return _TABLE[state, command]
    except KeyError:
        raise WrongState(state, command) from None


_DOES = {
    Command.OPEN: "be opened",
    Command.ENTER: "have a bot entered",
    Command.ENTER_LATE: "have a bot entered late",
    Command.CLOSE: "be closed",
    Command.START: "be started",
    Command.PAUSE: "be paused",
    Command.RESUME: "be resumed",
    Command.CANCEL: "be cancelled",
    Command.WITHDRAW: "have an entrant withdrawn",
    Command.DISQUALIFY: "have an entrant disqualified",
    Command.BENCH: "have an entrant put on the bench",
    Command.RETURN: "have an entrant back from the bench",
    Command.VOID: "have a match declared void",
    Command.COMPLETE: "be finished",
}

_UNTIL_STARTED = {Command.OPEN, Command.ENTER, Command.CLOSE, Command.START}
"""What is done before the first match, and never again."""


def _refusal(state: State, command: Command, wanted: tuple[State, ...]) -> str:
    """Say that a command does not fit, why, and what to do instead."""
    if (state, command) == (State.RUNNING, Command.START):
        return "it is running already; watch it, or pause it"
    if any(leads is state for (_, told), leads in _TABLE.items() if told is command):
        return f"it is {state} already"
    return f"it is {state} and cannot {_DOES[command]}: {_why(state, command, wanted)}"


def _why(state: State, command: Command, wanted: tuple[State, ...]) -> str:
    if state.over:
        return "what is over stays as it is; make another tournament"
    if state is State.PAUSED and command in _UNTIL_STARTED:
        return "it has started and pauses; resume it, and it goes on"
    if state is State.RUNNING and command in _UNTIL_STARTED:
        return "it has started already, and takes no such change any more"
    return f"it must be {' or '.join(wanted)}"
