"""The archive of a tournament, and the forms of its standings."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from typing import Any

import pytest

from kitumaija.engine import commitment
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.record import record_from_bytes
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused

NAMES = {
    "ann": 'Comma, "quote"\nand line',
    "bob": "=HYPERLINK(1)",
    "cid": "ボット | *kissa* &amp; ~~co~~",
}


async def archive(organizer: Organizer) -> bytes:
    request = v1.ExportTournamentRequest(tournament_id="cup")
    pieces = organizer.stream(organizer.tournaments.ExportTournament, request, token=None)
    return b"".join([piece.chunk async for piece in pieces])


async def played(organizer: Organizer) -> zipfile.ZipFile:
    for bot, name in NAMES.items():
        await organizer.register(bot, display_name=name)
    await organizer.begin(*NAMES, table_sizes=[2, 3])
    await organizer.finished()
    return zipfile.ZipFile(io.BytesIO(await archive(organizer)))


def text(found: zipfile.ZipFile, name: str) -> str:
    return found.read(name).decode()


async def test_an_archive_holds_everything_of_a_tournament(organizer: Organizer) -> None:
    found = await played(organizer)
    records = [name for name in found.namelist() if name.startswith("records/")]
    assert sorted(set(found.namelist()) - set(records)) == [
        "collusion.json",
        "crosstable.csv",
        "crosstable.json",
        "crosstable.md",
        "manifest.json",
        "matches.jsonl",
        "plan.jsonl",
        "records.jsonl",
        "report.html",
        "standings.csv",
        "standings.json",
        "standings.md",
        "tournament.json",
    ]
    assert len(records) == 9
    tournament = json.loads(text(found, "tournament.json"))
    assert tournament["state"] == "finished"
    master = bytes.fromhex(tournament["master_seed"])
    assert commitment(master).hex() == tournament["master_commitment"]
    assert [entrant["display_name"] for entrant in tournament["entrants"]] == list(NAMES.values())

    lines = [json.loads(line) for line in text(found, "matches.jsonl").splitlines()]
    assert [(line["table_size"], line["number"]) for line in lines] == [
        *((2, number) for number in range(6)),
        *((3, number) for number in range(3)),
    ]
    for line in lines:
        record = record_from_bytes(found.read(f"records/{line['match_id']}.kitu"))
        assert record.game.deal.deal_id == line["deal_id"]
        assert list(record.game.seats) == [seat["bot_id"] for seat in line["seats"]]
        assert list(record.game.result.placing) == [seat["place"] for seat in line["seats"]]


async def test_the_same_tournament_gives_the_same_bytes(organizer: Organizer) -> None:
    await played(organizer)
    assert await archive(organizer) == await archive(organizer)


async def test_every_name_survives_csv_and_json(organizer: Organizer) -> None:
    found = await played(organizer)
    rows = list(csv.DictReader(io.StringIO(text(found, "standings.csv"), newline="")))
    assert len(rows) == 6
    for row in rows:
        # What a spreadsheet would run is kept from being run, and nothing else is touched.
        expected = "'" + NAMES["bob"] if row["bot_id"] == "bob" else NAMES[row["bot_id"]]
        assert row["display_name"] == expected
    assert text(found, "standings.csv").count("\r\n") == 7
    tables = json.loads(text(found, "standings.json"))["tables"]
    for table in tables:
        assert {row["bot_id"]: row["display_name"] for row in table["rows"]} == NAMES


async def test_all_forms_of_the_standings_say_the_same(organizer: Organizer) -> None:
    found = await played(organizer)
    answer = await organizer.standings()
    plain = json.loads(text(found, "standings.json"))
    rows = list(csv.DictReader(io.StringIO(text(found, "standings.csv"), newline="")))
    assert plain["remarks"] == list(answer.remarks)
    position = 0
    for table, said in zip(plain["tables"], answer.tables, strict=True):
        assert (table["table_size"], table["rated"]) == (said.table_size, said.rated)
        for row, wanted in zip(table["rows"], said.rows, strict=True):
            assert (row["rank"], row["bot_id"]) == (wanted.rank, wanted.bot_id)
            assert [row["mu"], row["sigma"], row["score"]] == [
                round(number, 6) for number in (wanted.mu, wanted.sigma, wanted.score)
            ]
            assert row["places"] == list(wanted.places)
            cells: Any = rows[position]
            assert float(cells["mu"]) == round(wanted.mu, 6)
            assert [int(cells[f"place_{place + 1}"]) for place in range(said.table_size)] == list(
                wanted.places
            )
            position += 1


async def test_the_markdown_has_one_line_a_row_whatever_the_names(organizer: Organizer) -> None:
    found = await played(organizer)
    lines = text(found, "standings.md").splitlines()
    rows = [line for line in lines if line.startswith("| ") and "entered" in line]
    assert len(rows) == 6
    assert r"ボット \| \*kissa\* \&amp; \~\~co\~\~" in text(found, "standings.md")


async def test_a_tournament_that_is_not_over_is_not_exported(organizer: Organizer) -> None:
    await organizer.create()
    with pytest.raises(Refused) as refused:
        await archive(organizer)
    assert refused.value.reason is ErrorReason.TOURNAMENT_NOT_OVER
    assert refused.value.metadata["state"] == "open"


HOSTILE_NAMES = {
    "ann": "../../etc/passwd\u202egnp.exe",
    "bob": "\u2066\x1b[2Jbob\u2069\u200f",
    "cid": " \t=cmd|' /C calc'!A0",
    "con": "\uff1d1+1",
}


async def test_no_name_turns_text_around_begins_a_formula_or_names_a_file(
    organizer: Organizer,
) -> None:
    for bot, name in HOSTILE_NAMES.items():
        await organizer.register(bot, display_name=name, owner=name)
    await organizer.begin(*HOSTILE_NAMES, table_sizes=[2], entries_per_owner=4)
    await organizer.finished()
    found = zipfile.ZipFile(io.BytesIO(await archive(organizer)))

    for name in found.namelist():
        assert re.fullmatch(r"[a-z]+\.(json|jsonl|csv|md|html)|records/[a-z0-9]{20,40}\.kitu", name)
    for form in ("standings.csv", "standings.md", "crosstable.csv", "crosstable.md", "report.html"):
        shown = text(found, form)
        assert all(character.isprintable() or character in "\r\n" for character in shown)
    for form in ("standings.csv", "crosstable.csv"):
        rows = list(csv.reader(io.StringIO(text(found, form), newline="")))
        cells = [cell.lstrip() for row in rows[1:] for cell in row]
        assert not any(cell.startswith(("=", "\uff1d", "+", "-", "@")) for cell in cells)
    kept = json.loads(text(found, "tournament.json"))["entrants"]
    assert {entry["bot_id"]: entry["display_name"] for entry in kept} == HOSTILE_NAMES
