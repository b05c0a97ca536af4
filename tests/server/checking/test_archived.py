"""An export proves itself, and says what in it does not agree."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration

from kitumaija.engine import GameRecord, Pass
from kitumaija.server.archive.container import entry
from kitumaija.server.archive.manifest import NAME
from kitumaija.server.checking import Check, Origin, Verdict, archive_findings
from kitumaija.v1 import arena_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.record import record_from_bytes, record_to_bytes
from tests.support.clock import ms
from tests.support.exports import (
    STRANGER,
    Export,
    contents,
    exported,
    listed_anew,
    make_export,
    packed,
    sentences,
    verified,
)
from tests.support.organizer import organized
from tests.support.tampering import WAYS, report, tamper

CHANGES = 24


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Export:
    """The export of a tournament in which one never came, and was withdrawn."""
    return make_export(tmp_path_factory.mktemp("exported") / "data")


def said(where: Path, export: Export, change: Callable[[dict[str, bytes]], None]) -> list[str]:
    """What is said, without the server's key, of an export whose change is covered up by a
    stranger's signature."""
    files = contents(export.data)
    change(files)
    found, verdict = verified(where / "changed.zip", packed(listed_anew(files, STRANGER)))
    assert verdict.origin is Origin.NOT_PROVED
    return sentences(found)


def a_record(files: dict[str, bytes], longest: int = 0) -> str:
    """The name of the record with the most decisions, or of another one."""
    names = [name for name in files if name.startswith("records/")]
    return sorted(names, key=lambda name: -len(files[name]))[longest]


def changed_record(data: bytes, change: Callable[[GameRecord], GameRecord]) -> bytes:
    record = record_from_bytes(data)
    return record_to_bytes(replace(record, game=change(record.game)))


def test_an_export_is_whole_and_its_origin_is_proved_by_the_key_told_before(
    export: Export, tmp_path: Path
) -> None:
    found, verdict = verified(tmp_path / "cup.zip", export.data, export.key)

    assert sentences(found) == []
    assert (verdict.origin, verdict.signed_by) == (Origin.PROVED, export.key)
    assert verdict.tournament_id == "cup"
    assert verdict.records == 9
    assert verdict.matches > 24, "attempts that came to nothing are among them"
    assert verdict.files == len(contents(export.data)) - 1
    assert verdict.decisions > 50


def test_without_the_key_the_origin_is_not_proved(export: Export, tmp_path: Path) -> None:
    found, verdict = verified(tmp_path / "cup.zip", export.data)

    assert sentences(found) == []
    assert verdict.origin is Origin.NOT_PROVED


def test_another_key_than_the_one_told_is_found(export: Export, tmp_path: Path) -> None:
    found, verdict = verified(tmp_path / "cup.zip", export.data, STRANGER.fingerprint)

    assert [finding.check for finding in found] == [Check.ORIGIN]
    assert export.key.hex() in found[0].sentence
    assert verdict.origin is Origin.FALSE


def test_the_folder_that_it_was_unpacked_to_is_the_same(export: Export, tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    with zipfile.ZipFile(io.BytesIO(export.data)) as archive:
        archive.extractall(folder)
    found, verdict = verified_folder(folder, export.key)
    assert (found, verdict) == ([], Origin.PROVED)

    (folder / "standings.csv").unlink()
    (folder / "standings.csv").symlink_to(folder / "standings.md")
    (folder / "records" / "more.txt").write_text("more")
    found, _ = verified_folder(folder, export.key)
    assert "the archive is not laid out as a server does it: standings.csv is no plain file" in (
        found
    )
    assert "standings.csv: it is missing" in found
    assert "records/more.txt: the manifest does not list it" in found


def verified_folder(folder: Path, key: bytes) -> tuple[list[str], Origin]:
    from kitumaija.server.checking import Verdict, archive_findings

    verdict = Verdict()
    return sentences(list(archive_findings(folder, verdict, key=key))), verdict.origin


async def test_tournaments_of_every_kind_and_end_prove_themselves(tmp_path: Path) -> None:
    async with organized(tmp_path / "data") as organizer:
        await organizer.begin("ann", "bob", "cid", tournament_id="blind", blind=True)
        await organizer.finished("blind")
        await organizer.begin("dan", "eve", tournament_id="unsafe", unsafe_seed="known to all")
        await organizer.finished("unsafe")
        await organizer.create("never")
        await organizer.enter("ann", "bob", tournament_id="never")
        await organizer.register("fay", "gus")
        stuck = await organizer.connect("fay", capacity=1, answers=2)
        await organizer.begin("gus", tournament_id="halfway", absent=("fay",))
        await stuck.stuck.wait()
        for cancelled in ("never", "halfway"):
            request = v1.CancelTournamentRequest(tournament_id=cancelled, reason="=rain(\n)")
            await organizer.call(organizer.tournaments.CancelTournament, request)
        for tournament_id in ("blind", "unsafe", "never", "halfway"):
            key = (await organizer.get(tournament_id)).signing_key_fingerprint
            data = await exported(organizer, tournament_id)
            found, verdict = verified(tmp_path / "export.zip", data, key)
            assert (sentences(found), verdict.origin) == ([], Origin.PROVED), tournament_id


async def test_what_was_charged_follows_from_the_records(tmp_path: Path) -> None:
    async with organized(tmp_path / "data") as organizer:
        await organizer.register("ann", "bob", "cid")
        await organizer.connect("ann")
        # Its every answer comes too late: defaults are played for it, and then it is forfeited.
        late = {"per_decision": Duration(nanos=100_000_000), "bank": Duration()}
        await organizer.create(
            "late", limits=arena_pb2.Limits(**late), faults=v1.FaultPolicy(faults_to_forfeit=2)
        )
        await organizer.connect("bob", thinks=lambda: organizer.clock.advance(ms(300)))
        await organizer.enter("ann", "bob", tournament_id="late")
        await organizer.close("late")
        await organizer.start("late")
        await organizer.finished("late")
        # It goes in the middle of a match and does not come back; then it is thrown out.
        await organizer.create("gone", limits=arena_pb2.Limits(grace=Duration(seconds=1)))
        gone = await organizer.connect("cid", capacity=1, answers=0)
        await organizer.enter("ann", "cid", tournament_id="gone")
        await organizer.close("gone")
        await organizer.start("gone")
        await gone.stuck.wait()
        await gone.close()
        await organizer.until(lambda now: now.connected == 1, "gone")
        organizer.advance(timedelta(seconds=1.1))
        await organizer.until(lambda now: now.matches.finished == 1, "gone")
        request = v1.DisqualifyEntrantRequest(tournament_id="gone", bot_id="cid", reason="gone")
        await organizer.call(organizer.tournaments.DisqualifyEntrant, request)
        await organizer.finished("gone")

        for tournament_id, fault in (("late", "decision_timeout"), ("gone", "disconnected")):
            data = await exported(organizer, tournament_id)
            found, _ = verified(tmp_path / "export.zip", data)
            rows = [json.loads(row) for row in contents(data)["matches.jsonl"].splitlines()]
            charged = [seat["faults"] for row in rows for seat in row["seats"] if seat["faults"]]
            assert sentences(found) == []
            assert charged
            assert all(list(faults) == [fault] for faults in charged)


def test_a_decision_that_was_changed_is_named(export: Export, tmp_path: Path) -> None:
    name = ""

    def change(files: dict[str, bytes]) -> None:
        nonlocal name
        name = a_record(files)
        # Another card is played in the game's third decision, and nothing else changes.
        files[name] = changed_record(
            files[name],
            lambda game: replace(
                game,
                decisions=(
                    *game.decisions[:2],
                    replace(game.decisions[2], action=Pass()),
                    *game.decisions[3:],
                ),
            ),
        )

    first, *_ = said(tmp_path, export, change)

    assert first.startswith(f"{name}: match ")
    assert "its record does not replay: decision 2: " in first


def test_a_game_that_was_played_and_is_another_tables_is_named(
    export: Export, tmp_path: Path
) -> None:
    def change(files: dict[str, bytes]) -> None:
        one, other = a_record(files), a_record(files, 1)
        files[one], files[other] = files[other], files[one]

    assert (
        sum(
            "its record names the deal cup/" in sentence
            for sentence in said(tmp_path, export, change)
        )
        == 2
    )


def test_a_seed_that_was_not_committed_to_is_named(export: Export, tmp_path: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        values = json.loads(files["tournament.json"])
        values["master_seed"] = "00" * 32
        files["tournament.json"] = form(values)

    sentences = said(tmp_path, export, change)

    assert sentences[0] == (
        "the tournament 'cup': its master seed is not the one that it committed to"
    )
    assert any("does not follow from the master seed" in sentence for sentence in sentences)


def test_an_entropy_that_was_swapped_is_named(export: Export, tmp_path: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        values = json.loads(files["tournament.json"])
        values["entrants"][0]["entropy"] = "00"
        files["tournament.json"] = form(values)

    sentences = said(tmp_path, export, change)

    assert sentences[:2] == [
        "the tournament 'cup': the entropy of 'ann' is not what it committed to",
        "the tournament 'cup': its schedule's seed does not follow from its entrants' entropies",
    ]


def test_no_shows_that_the_matches_do_not_tell_of_are_named(export: Export, tmp_path: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        values = json.loads(files["tournament.json"])
        values["entrants"][-1]["no_shows"] = 2
        files["tournament.json"] = form(values)

    assert "the tournament 'cup': 'eve' has 2 no shows; by the matches it has 1" in said(
        tmp_path, export, change
    )


@pytest.mark.parametrize(
    ("field", "value", "wanted"),
    [
        ("place", 9, "has place 9 in its row and place "),
        ("decisions", 99, "has decisions 99, and "),
        ("faults", {"flooding": 1}, "has faults {'flooding': 1}, and {} in its record"),
        ("bot_id", "eve", "at its table; the schedule says "),
    ],
)
def test_a_row_that_its_record_or_the_schedule_denies_is_named(
    export: Export, tmp_path: Path, field: str, value: object, wanted: str
) -> None:
    def change(files: dict[str, bytes]) -> None:
        rows = [json.loads(line) for line in files["matches.jsonl"].splitlines()]
        row = next(row for row in rows if row["state"] == "finished")
        row["seats"][1][field] = value
        files["matches.jsonl"] = b"".join(
            json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            for row in rows
        )

    assert any(wanted in sentence for sentence in said(tmp_path, export, change))


def test_a_match_that_is_left_out_is_missed(export: Export, tmp_path: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        lines = files["matches.jsonl"].splitlines(keepends=True)
        played = next(line for line in lines if b'"state":"finished"' in line)
        files["matches.jsonl"] = files["matches.jsonl"].replace(played, b"")

    sentences = said(tmp_path, export, change)

    assert "the tournament 'cup' is finished, and at 2 seats 11 of 12 numbers are settled" in (
        sentences
    )
    assert any(sentence.startswith("standings.json, line ") for sentence in sentences)


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        ("plan.jsonl", b"", "plan.jsonl, line 1: it ends there, and something is to follow"),
        ("records.jsonl", b"{}\n", "is not its record"),
        ("matches.jsonl", b"[" * 100_000, "matches.jsonl, line 1: no JSON: "),
        ("tournament.json", b"{}\n", "the tournament: format: it is not there"),
        ("records/aaaa.kitu", b"", "records/aaaa.kitu: there is no such match"),
        ("standings.csv", b"\xff\r\n", "standings.csv, line 1: got \ufffd, wanted table_size,rank"),
        ("notes.txt", b"hello", "notes.txt: no export has such a file"),
    ],
)
def test_a_file_that_is_none_of_a_server_is_named(
    export: Export, tmp_path: Path, name: str, content: bytes, wanted: str
) -> None:
    def change(files: dict[str, bytes]) -> None:
        files[name] = content

    assert any(wanted in sentence for sentence in said(tmp_path, export, change))


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (b"", "the archive: got an empty file; wanted the ZIP file that "),
        (
            b"Dear sir, ",
            "got a file that begins with b'Dear sir, ', which no ZIP file does; wanted",
        ),
        (b"PK\x03\x04" + bytes(60), "got a ZIP file that is cut off or damaged (File is not a zip"),
        (b"KITUREC1", "got the record of a match, which `kitumaija replay verify` checks; wanted"),
        (b"PK\x05\x06" + bytes(18), "got a ZIP file without manifest.json and tournament.json; "),
        (None, "got a folder without manifest.json and tournament.json; wanted the ZIP file"),
    ],
)
def test_what_is_no_export_is_told_what_it_is_and_what_was_wanted(
    data: bytes | None, wanted: str, tmp_path: Path
) -> None:
    if data is None:
        (tmp_path / "photos").mkdir()
        verdict = Verdict()
        found = list(archive_findings(tmp_path, verdict))
    else:
        found, verdict = verified(tmp_path / "none.zip", data)

    (sentence,) = sentences(found)
    assert wanted in sentence
    assert sentence.endswith(" wrote, or the folder that it was unpacked to") or "whole" in sentence
    assert verdict.origin is Origin.FALSE


def test_a_zip_file_that_other_programs_read_otherwise_is_refused(
    export: Export, tmp_path: Path
) -> None:
    twice = io.BytesIO(export.data)
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(twice, "a") as archive:
        archive.writestr(entry("standings.md"), "another")
    local = bytearray(export.data)
    at = local.index(b"standings.md")
    local[at : at + 12] = b"standings.mx"

    for data, wanted in (
        (twice.getvalue(), "two of its files have one name"),
        (b"#!/bin/sh\n" + export.data, "tournament.json begins at byte 10, wanted 0"),
        (bytes(local), "the header of standings.md is not that of the directory"),
        (export.data + b"more", "the end of the directory is another than a server writes"),
    ):
        found, _ = verified(tmp_path / "strange.zip", data, export.key)
        assert f"the archive is not laid out as a server does it: {wanted}" in sentences(found)


def test_a_byte_that_was_changed_is_found_or_means_nothing(export: Export) -> None:
    """`make soak-tamper` does the same a thousand times."""
    counted, wrong = report(tamper(export, seed=1, count=CHANGES))

    assert wrong == []
    assert sum(counted.values()) == CHANGES
    assert all(counted[f"{way}: found"] for way in WAYS)


def test_a_manifest_that_lists_what_is_there_anew_has_no_signature(
    export: Export, tmp_path: Path
) -> None:
    files = contents(export.data)
    files["standings.md"] += b"\n"
    found, verdict = verified(tmp_path / "cup.zip", packed(listed_anew(files)), export.key)

    assert [finding.check for finding in found] == [Check.ORIGIN, Check.DERIVED]
    assert [finding.file for finding in found] == [NAME, "standings.md"]
    assert verdict.origin is Origin.FALSE


def form(values: object) -> bytes:
    """The one form of a JSON document in an export."""
    return json.dumps(values, ensure_ascii=False, indent=2).encode() + b"\n"


##### What was committed to at the start #####


def test_a_root_that_is_not_of_the_deals_is_found(export: Export, tmp_path: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        document = json.loads(files["tournament.json"])
        document["deals_roots"][1]["root"] = "00" * 32
        files["tournament.json"] = (
            json.dumps(document, ensure_ascii=False, indent=2) + "\n"
        ).encode()

    assert said(tmp_path, export, change) == [
        "the tournament 'cup': its root at 3 seats does not follow from the deals of its seed"
    ]


def test_a_path_that_is_not_that_of_its_deal_is_found(export: Export, tmp_path: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        name = a_record(files)
        record = record_from_bytes(files[name])
        proof = record.timings.deal_proof
        assert proof is not None
        changed = replace(proof, path=(bytes(32), *proof.path[1:]))
        timings = replace(record.timings, deal_proof=changed)
        files[name] = record_to_bytes(replace(record, timings=timings))

    first, second = said(tmp_path, export, change)
    assert first.endswith("the path in its record is not that of its deal")
    assert "records.jsonl: the line of match" in second


def test_an_export_whose_roots_are_taken_out_is_found(export: Export, tmp_path: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        document = json.loads(files["tournament.json"])
        del document["deals_roots"]
        files["tournament.json"] = (
            json.dumps(document, ensure_ascii=False, indent=2) + "\n"
        ).encode()

    found = said(tmp_path, export, change)
    assert found
    assert all("has a path, and no root covers its deal" in one for one in found)
