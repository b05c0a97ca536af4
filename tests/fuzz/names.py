"""Names, owners, titles and reasons of any kind, and every place where people see them.

A name may be refused. One that is taken is shown in the organizers' tables and in the archive of
the tournament, and nowhere does it do more than to be read.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Final

from kitumaija.v1 import bot_pb2 as bots_v1
from kitumaija.v1 import tournament_pb2 as v1
from tests.fuzz.figures import Figures, GoesOn
from tests.fuzz.mutating import text
from tests.fuzz.services import LOOSE
from tests.support.foreign import TRICKS, command, is_plain, strange_members
from tests.support.organizer import Organizer, Refused, organized

BOTS: Final = 8
ROUNDS: Final = 10
"""How many tournaments one server sees, so that its listings stay short."""
SHOWN: Final = (
    ("bot", "list"),
    ("bot", "list", "--json"),
    ("tournament", "list"),
    ("tournament", "show", "ID"),
    ("tournament", "show", "ID", "--json"),
    ("tournament", "standings", "ID"),
    ("tournament", "standings", "ID", "--json"),
    ("tournament", "audit", "ID"),
    ("tournament", "matches", "ID"),
)


async def hostile_names(chance: Random, goes_on: GoesOn) -> Figures:
    """Play tournaments of bots with names that nobody has."""
    figures = Figures()
    while goes_on(figures.inputs):
        with tempfile.TemporaryDirectory(prefix="kitumaija-fuzz-") as folder:
            async with organized(Path(folder) / "data", limits=LOOSE) as organizer:
                for number in range(ROUNDS):
                    if goes_on(figures.inputs):
                        await _tournament(figures, chance, organizer, number, Path(folder))
    return figures


async def _tournament(
    figures: Figures, chance: Random, organizer: Organizer, number: int, folder: Path
) -> None:
    tournament_id, given = f"t{number}", [_name(chance, 100)]
    if not await _taken(figures, organizer, _creation(tournament_id, given[0])):
        await organizer.create(tournament_id, entries_per_owner=BOTS)
    else:
        opening = v1.OpenTournamentRequest(tournament_id=tournament_id)
        await organizer.call(organizer.tournaments.OpenTournament, opening)
    for bot in range(BOTS):
        bot_id, name, owner = f"b{number}-{bot}", _name(chance, 60), _name(chance, 60)
        given += [name, owner]
        registration = bots_v1.RegisterBotRequest(bot_id=bot_id, display_name=name, owner=owner)
        if await _taken(figures, organizer, registration):
            await organizer.enter(bot_id, tournament_id=tournament_id)
    reason = _name(chance, 500)
    given.append(reason)
    end = v1.CancelTournamentRequest(tournament_id=tournament_id, reason=reason)
    if not await _taken(figures, organizer, end):
        end.reason = "enough"
        await organizer.call(organizer.tournaments.CancelTournament, end)
    await _look(figures, organizer, tournament_id, given, folder)


def _creation(tournament_id: str, title: str) -> v1.CreateTournamentRequest:
    return v1.CreateTournamentRequest(
        tournament_id=tournament_id,
        title=title,
        settings=v1.TournamentSettings(table_sizes=[2], entries_per_owner=BOTS),
    )


async def _taken(
    figures: Figures,
    organizer: Organizer,
    request: v1.CreateTournamentRequest | v1.CancelTournamentRequest | bots_v1.RegisterBotRequest,
) -> bool:
    """Make a call with names in it, and return whether they were taken."""
    methods = {
        v1.CreateTournamentRequest: organizer.tournaments.CreateTournament,
        v1.CancelTournamentRequest: organizer.tournaments.CancelTournament,
        bots_v1.RegisterBotRequest: organizer.registry.RegisterBot,
    }
    try:
        await organizer.call(methods[type(request)], request)
    except Refused as refused:
        figures.came_to("refused" if refused.reason else f"{refused.code}")
        return False
    figures.came_to("taken")
    return True


async def _look(
    figures: Figures, organizer: Organizer, tournament_id: str, given: list[str], folder: Path
) -> None:
    """Look at every place that shows the names."""
    try:
        for words in SHOWN:
            shown = await command(
                organizer, *(tournament_id if word == "ID" else word for word in words)
            )
            assert is_plain(shown), f"{words} shows {shown!r}"
        archive = folder / "archive.zip"
        await command(
            organizer, "tournament", "export", tournament_id, "--to", str(archive), "--force"
        )
        strange = list(strange_members(archive))
        assert not strange, strange
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        figures.broke(given, error)


def _name(chance: Random, most: int) -> str:
    """Return a name, most often one that is short enough."""
    made = chance.choice(TRICKS) if chance.random() < 0.3 else text(chance)
    made = made.encode("utf-8", "ignore").decode()
    return made[:most] if chance.random() < 0.9 else made
