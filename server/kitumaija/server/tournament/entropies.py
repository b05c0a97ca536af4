"""Asks bots for their entropy and takes it, in the two steps by which it is fair.

COMMIT is asked of an entrant while the tournament is open, whenever it connects, for a bot that
was started anew has new entropy; the last commitment counts. REVEAL is asked once the entries are
closed, and counts only if it opens the commitment. What comes at another time is passed over.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from datetime import timedelta

import structlog

from kitumaija.server.lobby.hooks import EntropyStep
from kitumaija.server.store import entrants, tournaments
from kitumaija.server.store.rows import EntrantRow, EntrantState, TournamentRow, TournamentState
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament.bells import Bells
from kitumaija.server.tournament.context import Context
from kitumaija.server.tournament.entropy import is_commitment, opens
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.wire.limits import ID_PATTERN

_log = structlog.stdlib.get_logger(__name__)

_ID = re.compile(ID_PATTERN)
_STEP_OF_STATE = {
    TournamentState.OPEN: EntropyStep.COMMIT,
    TournamentState.CLOSED: EntropyStep.REVEAL,
}


class Entropies:
    """The entropy of all tournaments that are not started yet."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._owed: dict[str, set[str]] = {}
        self._greeted: set[str] = set()
        self._settled = Bells()

    async def ask_bot(self, bot_id: str) -> None:
        """Ask a bot for all that it owes; call it in the same breath in which it has connected."""
        self._greeted.add(bot_id)
        try:
            for row, entry in await self._context.read(lambda tx: _entries_of(tx, bot_id)):
                self._ask(row, [entry])
        finally:
            self._greeted.discard(bot_id)
            self._settled.ring_all()

    async def ask_entrants(self, tournament_id: str) -> None:
        """Ask every entrant of a tournament for what is due where it stands."""
        row, entries = await self._context.read(lambda tx: _entered(tx, tournament_id))
        self._ask(row, entries)

    async def take(self, bot_id: str, tournament_id: str, step: EntropyStep, value: bytes) -> None:
        """Keep what a bot sent, if it is what is due."""
        if not _ID.fullmatch(tournament_id):
            return  # neither the store nor the log is bothered with whatever text that is

        def work(tx: WriteTx) -> bool:
            row = tournaments.get(tx, tournament_id, secrets=False)
            entry = entrants.get(tx, tournament_id, bot_id)
            if row is None or entry is None or entry.state is not EntrantState.ENTERED:
                return False
            if _STEP_OF_STATE.get(row.state) is not step or _is_unsafe(row):
                return False
            if step is EntropyStep.COMMIT:
                if not is_commitment(value):
                    return False
                entrants.set_entropy_commitment(tx, tournament_id, bot_id, value)
            else:
                if not opens(entry.entropy_commitment, value):
                    return False
                entrants.set_entropy(tx, tournament_id, bot_id, value)
            return True

        if not await self._context.write(work):
            _log.warning(
                "entropy not taken", tournament_id=tournament_id, bot_id=bot_id, step=step.value
            )
        self._owed.get(tournament_id, set()).discard(bot_id)
        self._settled.ring(tournament_id)

    async def wait(self, tournament_id: str, within: timedelta) -> None:
        """Wait until every bot that was asked and is connected has answered, but not for ever."""
        bell = self._settled.of(tournament_id)
        try:
            async with asyncio.timeout(within.total_seconds()):
                while True:
                    settled = bell.next()
                    owed = self._owed.get(tournament_id, set())
                    if not self._greeted and not any(map(self._context.presence.connected, owed)):
                        return
                    await settled.wait()
        except TimeoutError:
            _log.warning("entropy was not given in time", tournament_id=tournament_id)

    def forget(self, tournament_id: str) -> None:
        """Wait for nobody's entropy any more: the tournament has come a step further."""
        self._owed.pop(tournament_id, None)

    def left(self) -> None:
        """Look again at who is waited for: somebody is gone."""
        self._settled.ring_all()

    def _ask(self, row: TournamentRow, entries: Iterable[EntrantRow]) -> None:
        step = _STEP_OF_STATE.get(row.state)
        if step is None or _is_unsafe(row):
            return
        for entry in entries:
            owes = step is EntropyStep.COMMIT or (entry.entropy_commitment and not entry.entropy)
            if entry.state is not EntrantState.ENTERED or not owes:
                continue
            asked = self._context.hall.ask_entropy(
                entry.bot_id, row.tournament_id, step, row.master_commitment
            )
            if asked:
                self._owed.setdefault(row.tournament_id, set()).add(entry.bot_id)


def _entries_of(tx: ReadTx, bot_id: str) -> list[tuple[TournamentRow, EntrantRow]]:
    found = [
        (tournaments.get(tx, entry.tournament_id, secrets=False), entry)
        for entry in entrants.entries_of(tx, bot_id)
    ]
    return [(row, entry) for row, entry in found if row is not None]


def _entered(tx: ReadTx, tournament_id: str) -> tuple[TournamentRow, list[EntrantRow]]:
    row = tournaments.get(tx, tournament_id, secrets=False)
    if row is None:
        raise LookupError(f"there is no tournament {tournament_id!r}")
    entries = entrants.of(tx, tournament_id)
    return row, [entry for entry in entries if entry.state is EntrantState.ENTERED]


def _is_unsafe(row: TournamentRow) -> bool:
    return bool(TournamentSettings.from_dict(dict(row.settings)).unsafe_seed)
