"""An export of a real server, and ways to tamper with it."""

from __future__ import annotations

import asyncio
import hashlib
import io
import itertools
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kitumaija.server.archive.container import entry
from kitumaija.server.archive.manifest import (
    NAME,
    Listed,
    Manifest,
    make_manifest,
    manifest_from,
    manifest_text,
)
from kitumaija.server.archive.signing import Signer
from kitumaija.server.checking import Finding, Verdict, archive_findings
from kitumaija.v1 import tournament_pb2 as v1
from tests.support.organizer import Organizer, organized

NAMES = {"ann": "=HYPERLINK(1)", "bob": "../../b\u202eob", "cid": "<b>c\nid"}
STRANGER = Signer(bytes([7] * 32))
"""A key that is not the server's."""


@dataclass(frozen=True, slots=True)
class Export:
    """The bytes of an export, and the fingerprint that the server told before."""

    data: bytes
    key: bytes


async def exported(organizer: Organizer, tournament_id: str = "cup") -> bytes:
    """Return the export of a tournament, called for by nobody in particular."""
    request = v1.ExportTournamentRequest(tournament_id=tournament_id)
    pieces = organizer.stream(organizer.tournaments.ExportTournament, request, token=None)
    return b"".join([piece.chunk async for piece in pieces])


def make_export(data: Path) -> Export:
    """Play a tournament with an absentee, a withdrawal and hostile names, and export it."""
    return asyncio.run(_played(data))


async def _played(data: Path) -> Export:
    async with organized(data) as organizer:
        for bot, name in NAMES.items():
            await organizer.register(bot, display_name=name, owner=f"{name}'s")
        await organizer.begin(
            "ann",
            "bob",
            "cid",
            absent=("eve",),
            table_sizes=[2, 3],
            faults=v1.FaultPolicy(no_shows_to_withdraw=1),
        )
        key = (await organizer.get()).signing_key_fingerprint
        for attempts in itertools.count(1):
            await organizer.miss(attempts, "eve")
            if (await organizer.get()).entrants[-1].state == v1.ENTRANT_STATE_WITHDRAWN:
                break
        await organizer.finished()
        return Export(await exported(organizer), key)


def contents(data: bytes) -> dict[str, bytes]:
    """Return the files of an export by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return an export with these files, laid out as a server does it."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(entry(name), content)
    return data.getvalue()


def listed_anew(files: Mapping[str, bytes], signer: Signer | None = None) -> dict[str, bytes]:
    """Return the files with a manifest that lists them as they are.

    Without a `signer` it has the signature that it had.
    """
    before = manifest_from(files[NAME])
    made = make_manifest(before.tournament_id, _listed(files), signer or STRANGER)
    if signer is None:
        made = Manifest(made.tournament_id, made.files, before.public_key, before.signature)
    return {**files, NAME: manifest_text(made).encode()}


def verified(where: Path, data: bytes, key: bytes | None = None) -> tuple[list[Finding], Verdict]:
    """Return what is said of an export, which is written to `where`."""
    where.write_bytes(data)
    verdict = Verdict()
    return list(archive_findings(where, verdict, key=key)), verdict


def _listed(files: Mapping[str, bytes]) -> list[Listed]:
    return [
        Listed(name, len(content), hashlib.sha256(content).digest())
        for name, content in files.items()
        if name != NAME
    ]


def sentences(found: list[Finding]) -> list[str]:
    """Return the sentences of findings."""
    return [finding.sentence for finding in found]
