"""The versions of bots: frozen at the first match, and marked where others are allowed.

That a version is frozen tells that its bot was offered a match. Who sits in a match is not for
everybody to know before it has begun, and in a blind tournament not before it has ended: so a
version is shown when the standings count a game of its bot.
"""

from __future__ import annotations

from collections import defaultdict

from kitumaija.server.rating import load_table
from kitumaija.server.store import audit, entrants
from kitumaija.server.store.rows import AuditRow, TournamentRow
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament.context import Context
from kitumaija.server.tournament.settings import TournamentSettings

CHANGE_VERSION = "change_version"
"""What the audit log calls it; the entry's detail has the version `to` which it was changed."""


async def mark(context: Context, tournament_id: str, bot_id: str, version: str) -> None:
    """Note that a bot came as this version, unless it is the one that it came as last."""

    def work(tx: WriteTx) -> None:
        known = came_as(tx, tournament_id).get(bot_id, ())
        if known and known[-1] == version:
            return
        audit.add(
            tx,
            AuditRow(
                at=context.wall(),
                actor=f"bot:{bot_id}",
                action=CHANGE_VERSION,
                subject=bot_id,
                tournament_id=tournament_id,
                detail={"from": known[-1] if known else "", "to": version},
            ),
        )

    await context.write(work)


def came_as(tx: ReadTx, tournament_id: str) -> dict[str, tuple[str, ...]]:
    """Return the versions that each entrant of a tournament came as, in order.

    The first is the one it played its first match with; none before that.
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    for entrant in entrants.of(tx, tournament_id, secrets=False):
        if entrant.bot_version:
            found[entrant.bot_id].append(entrant.bot_version)
    for row in audit.of_action(tx, tournament_id, CHANGE_VERSION):
        found[row.subject].append(str(row.detail["to"]))
    return {bot: tuple(versions) for bot, versions in found.items()}


def shown(tx: ReadTx, row: TournamentRow) -> dict[str, tuple[str, ...]]:
    """Return those of them that everybody may know by now."""
    versions = came_as(tx, row.tournament_id)
    if row.state.over or not versions:
        return versions
    played: set[str] = set()
    for size in TournamentSettings.from_dict(dict(row.settings)).table_sizes:
        table = load_table(tx, row.tournament_id, size, ())
        played.update(bot for bot, entry in table.entries.items() if entry.games)
    return {bot: came for bot, came in versions.items() if bot in played}
