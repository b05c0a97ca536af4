"""Record files in both forms, told and checked; archives; the entries of a match's journal."""

from __future__ import annotations

import io
import json
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

from kitumaija.engine import DecidedBy, ReplayError, Seat, TakeCards
from kitumaija.sdk.cli.story import story
from kitumaija.sdk.records import read_record, verify
from kitumaija.server.archive.container import entry
from kitumaija.server.archive.fields import ArchiveError
from kitumaija.server.archive.reading import open_bundle, whole
from kitumaija.server.match import Fault, JournalError, entry_from_bytes, entry_to_bytes
from kitumaija.server.match.journal import (
    Decided,
    Forfeited,
    NotStarted,
    RefusedIllegal,
    Seated,
    Seen,
    Voided,
)
from kitumaija.wire.record import (
    DecisionTiming,
    Incident,
    IncidentKind,
    MatchRecord,
    RecordFormatError,
    record_from_bytes,
    record_from_json,
    record_to_bytes,
    record_to_json,
    timed_game_from_bytes,
)
from tests.fuzz.decoding import Reader, Readers
from tests.fuzz.mutating import text

GOLDEN = Path(__file__).parents[1] / "golden"

ENTRIES = tuple(
    entry_to_bytes(each)
    for each in (
        Seated(),
        Decided(
            Seat(3),
            17,
            TakeCards(3),
            DecidedBy.DEFAULT,
            Fault.DECISION_TIMEOUT,
            DecisionTiming(used_us=1800, network_us=20),
            9_250_000,
        ),
        RefusedIllegal(Seat(1), 4),
        Seen(Incident(Seat(1), IncidentKind.ILLEGAL_ANSWER, 70, 4, detail="No.")),
        Forfeited(Seat(1), Fault.WITHDRAWN),
        NotStarted(((Seat(0), Fault.NO_SHOW),)),
        Voided("the server could not go on"),
    )
)


def readers(folder: Path) -> Readers:
    """Return what records are read by; `folder` is for the files."""
    binary = (GOLDEN / "record.kiturec").read_bytes()
    as_json = (GOLDEN / "record.json").read_bytes()
    file = folder / "record.kitu"

    def read(data: bytes) -> str:
        file.write_bytes(data)
        return _checked(read_record(file))

    def read_timed(data: bytes) -> str:
        timed_game_from_bytes(data)
        return "read"

    def read_archive(data: bytes) -> str:
        file.write_bytes(data)
        with open_bundle(file) as bundle:
            strange = list(bundle.strange())
            for name in bundle.names:
                whole(bundle, name)
        return "strange" if strange else "whole"

    refused = (RecordFormatError,)
    return (
        Reader("record", read, refused, [binary, as_json], lambda one: json_changed(one, as_json)),
        Reader("times of a record", read_timed, refused, [binary]),
        Reader("archive", read_archive, (ArchiveError,), [archive_of("records/a.kitu", binary)]),
        Reader("journal entry", _journal, (JournalError,), ENTRIES, _entry_changed),
    )


def archive_of(name: str, data: bytes) -> bytes:
    """Return an archive with a manifest and one more file, laid out as the server lays them out."""
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr(entry("manifest.json"), b"{}")
        archive.writestr(entry(name), data)
    return packed.getvalue()


def _checked(record: MatchRecord) -> str:
    """Check what has to hold of every record that can be read."""
    assert record_from_bytes(record_to_bytes(record)) == record
    assert record_from_json(record_to_json(record)) == record
    findings = verify(record)
    assert all(finding.text.isprintable() for finding in findings), findings
    try:
        lines = list(story(record))
    except ReplayError:
        assert not all(finding.holds for finding in findings)
        return "found wrong"
    assert all(line.isprintable() for line in lines), lines
    return "verified" if all(finding.holds for finding in findings) else "told"


def _journal(data: bytes) -> str:
    found = entry_from_bytes(data)
    assert entry_from_bytes(entry_to_bytes(found)) == found
    return "read"


def _entry_changed(chance: Random) -> bytes:
    return json_changed(chance, chance.choice(ENTRIES))


def json_changed(chance: Random, data: bytes) -> bytes:
    """Return a JSON text with one value somewhere replaced by another of any kind."""
    value = json.loads(data)
    at: Any = value
    for depth in count():
        keys: list[Any] = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            break
        key = chance.choice(keys)
        if isinstance(at[key], dict | list) and chance.random() < 0.8:
            at = at[key]
            continue
        at[key] = _strange(chance, depth)
        break
    return json.dumps(value, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")


def _strange(chance: Random, depth: int) -> object:
    kinds: tuple[object, ...] = (
        None,
        True,
        -1,
        10**30,
        1.5,
        float("nan"),
        text(chance),
        "\ud800",
        [],
        {},
        {"": depth},
        [[]],
        "1e999s",
        "NaN",
    )
    return chance.choice(kinds)
