"""Who came and went in a tournament whose rounds are drawn, and before which of them.

Written into the audit log with each command, in its own transaction, and the tournament's lock is
held then as it is while a round is drawn. So whoever has these can draw the rounds again with those
who were there, and need not believe the rounds who that was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from kitumaija.server.store import audit, rounds
from kitumaija.server.store.rows import EntrantState
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.lifecycle import Command

_LEADS_TO: Mapping[Command, EntrantState] = {
    Command.ENTER_LATE: EntrantState.ENTERED,
    Command.BENCH: EntrantState.BENCHED,
    Command.RETURN: EntrantState.ENTERED,
    Command.WITHDRAW: EntrantState.WITHDRAWN,
    Command.DISQUALIFY: EntrantState.DISQUALIFIED,
}

COMMANDS = frozenset(_LEADS_TO)
"""The commands by which an entrant comes or goes."""

_ROUNDS = "rounds"
"""What the audit log calls how many rounds were drawn before."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An entrant came or went when so many rounds were drawn: it shows from the next one on."""

    bot_id: str
    command: Command
    rounds: int

    @property
    def leads_to(self) -> EntrantState:
        """Where the entrant stands afterwards."""
        return _LEADS_TO[self.command]


@dataclass(frozen=True, slots=True)
class Away:
    """Who is not there when a round is drawn."""

    left: frozenset[str]
    """Those who have left, and those who were not there yet."""
    benched: frozenset[str]


def rounds_so_far(tx: ReadTx, tournament_id: str) -> dict[str, str]:
    """Return how many rounds are drawn, for the audit log; nothing where none are."""
    drawn = len(rounds.starts(tx, tournament_id))
    return {_ROUNDS: str(drawn)} if drawn else {}


def turns_of(tx: ReadTx, tournament_id: str, scheduled: Collection[str]) -> tuple[Turn, ...] | None:
    """Return who of those in the schedule came and went, in order.

    None if the log does not say of each before which round that was: a server of an earlier version
    wrote it.
    """
    found: list[Turn] = []
    for row in audit.of_action(tx, tournament_id, *sorted(COMMANDS)):
        if row.subject not in scheduled:
            continue  # Gone before the first round, which was drawn without it.
        if _ROUNDS not in row.detail:
            return None
        found.append(Turn(row.subject, Command(row.action), int(row.detail[_ROUNDS])))
    return tuple(found)


def away_at(turns: Iterable[Turn], round_number: int) -> Away:
    """Return who is not there when the round of this number, from 0, is drawn."""
    states: dict[str, EntrantState] = {}
    for turn in turns:
        if turn.rounds <= round_number:
            states[turn.bot_id] = turn.leads_to
        elif turn.command is Command.ENTER_LATE:
            states[turn.bot_id] = EntrantState.WITHDRAWN  # Not there yet is as gone.
    return Away(
        frozenset(bot for bot, state in states.items() if state.left),
        frozenset(bot for bot, state in states.items() if state is EntrantState.BENCHED),
    )


def states_after(turns: Iterable[Turn]) -> dict[str, EntrantState]:
    """Return where those who came or went stand in the end."""
    return {turn.bot_id: turn.leads_to for turn in turns}
