"""What is said with the tables of a tournament."""

from __future__ import annotations

from pathlib import Path

import pytest

from kitumaija.server.rating import Entry, RatingTable, save_table
from kitumaija.server.store import EntrantRow, Store, bots, entrants, tournaments
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.server.tournament.standings import standings
from tests.support.stores import a_bot, a_tournament


def remarks(where: Path, table: RatingTable) -> list[str]:
    """The remarks on a tournament at two seats that was started and has this table."""
    with Store.open(where / "data") as store:
        with store.write() as tx:
            tournaments.add(tx, a_tournament(settings=TournamentSettings().as_dict()))
            for position, bot_id in enumerate(table.entries):
                bots.add(tx, a_bot(bot_id))
                entrants.add(tx, EntrantRow("cup", bot_id, position, entropy=b"given"))
            tournaments.set_schedule_seed(tx, "cup", bytes(32))
            save_table(tx, "cup", 2, table)
        with store.read() as tx:
            row = tournaments.get(tx, "cup", secrets=False)
            assert row is not None
            return list(standings(tx, row).remarks)


@pytest.mark.parametrize(("by_default", "named"), [(99, False), (100, False), (101, True)])
def test_a_bot_with_more_than_a_tenth_of_its_decisions_by_default_is_named(
    tmp_path: Path, by_default: int, named: bool
) -> None:
    ada = Entry(decisions=1000, default_decisions=by_default)

    said = remarks(tmp_path, RatingTable({"ada": ada, "bo": Entry(decisions=1000)}))

    remark = f"at 2 seats, ada had {by_default} of 1000 decisions made by default"
    assert said == ([remark] if named else [])


def test_matches_whose_ratings_could_not_be_computed_are_named(tmp_path: Path) -> None:
    table = RatingTable({"ada": Entry(), "bo": Entry()}, rated=2, games=2, left=(0, 1))

    [said] = remarks(tmp_path, table)

    assert "matches 0, 1" in said
