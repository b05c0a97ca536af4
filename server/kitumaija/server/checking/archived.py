"""Proofs that an archive is whole: everything in it is worked out again, from nothing but itself.

First every file against the manifest, and the manifest against its signature; then, whatever came
of that, the tournament and its seeds, every match with its record, and every text that follows from
these. So what does not agree is named where it lies, be the hashes made anew or not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from kitumaija.server.archive.derived import (
    account_of,
    derived_texts,
    plan_lines,
    schedules_of,
    starters_of,
)
from kitumaija.server.archive.facts import Facts, facts_from_json, facts_to_json
from kitumaija.server.archive.fields import ArchiveError, document, parsed
from kitumaija.server.archive.manifest import NAME as MANIFEST
from kitumaija.server.archive.manifest import Manifest, manifest_from
from kitumaija.server.archive.names import (
    MATCHES,
    PLAN,
    RECORD_LINES,
    TOURNAMENT,
    match_of_record,
)
from kitumaija.server.archive.reading import Bundle, open_bundle, pieces, whole
from kitumaija.server.archive.signing import fingerprint
from kitumaija.server.checking.archived_matches import UNREADABLE, MatchesCheck
from kitumaija.server.checking.roots import root_findings, trees_of
from kitumaija.server.checking.seeds import commitment_findings, schedule_seed_findings
from kitumaija.server.checking.texts import lines_of, text_finding
from kitumaija.server.checking.values import Check, Finding, Subject
from kitumaija.server.tournament.settings import TournamentSettings


class Origin(StrEnum):
    """Whether an archive is the server's whose key is known."""

    PROVED = "proved"
    NOT_PROVED = "not_proved"
    """It is signed, and nobody said by whom it is to be."""
    FALSE = "false"
    """Its signature is none, or another's."""


@dataclass(slots=True)
class Verdict:
    """What was looked at, and who signed; grows while the findings are read."""

    tournament_id: str = ""
    signed_by: bytes = b""
    """The fingerprint of the key that the archive names."""
    origin: Origin = Origin.FALSE
    files: int = 0
    matches: int = 0
    records: int = 0
    decisions: int = 0


def archive_findings(
    path: Path,
    verdict: Verdict,
    *,
    key: bytes | None = None,
    looked_at: Callable[[], None] = lambda: None,
) -> Iterator[Finding]:
    """Yield everything that is wrong with an archive; nothing, if all is well.

    `path` is its ZIP file, or the folder that it was unpacked to. `key` is the fingerprint of the
    server's key as it was told before; without it nobody can say whose the archive is. `looked_at`
    is called after each match. Raises `OSError` where there is nothing to be read.
    """
    try:
        with open_bundle(path) as bundle:
            yield from _findings(bundle, verdict, key, looked_at)
    except ArchiveError as error:
        yield Finding(Check.ARCHIVE, f"the archive: {error}")


def _findings(
    bundle: Bundle, verdict: Verdict, key: bytes | None, looked_at: Callable[[], None]
) -> Iterator[Finding]:
    for what in bundle.strange():
        yield Finding(Check.ARCHIVE, f"the archive is not laid out as a server does it: {what}")
    manifest: Manifest | None = None
    try:
        manifest = manifest_from(whole(bundle, MANIFEST))
    except ArchiveError as error:
        yield Finding(Check.MANIFEST, f"the manifest: {error}", file=MANIFEST)
    if manifest is not None:
        verdict.signed_by = fingerprint(manifest.public_key)
        yield from _origin(manifest, verdict, key)
        yield from _files(bundle, manifest, verdict)
    try:
        facts = _facts(bundle)
        settings = TournamentSettings.from_dict(dict(facts.row.settings))
        schedules = schedules_of(facts)
        for schedule in schedules.values():
            len(schedule)  # Raises where it is beyond all counting.
        trees = trees_of(facts.row, settings, schedules, facts.roots)
    except UNREADABLE as error:
        yield Finding(Check.ARCHIVE, f"the tournament: {error}", file=TOURNAMENT)
        return
    verdict.tournament_id = facts.row.tournament_id
    subject = Subject(
        facts.row,
        settings,
        facts.entrants,
        schedules,
        starters_of(facts),
        facts.rounds,
        trees,
        facts.verdicts,
        facts.turns,
    )
    if manifest is not None and manifest.tournament_id != subject.row.tournament_id:
        yield Finding(
            Check.MANIFEST,
            f"{MANIFEST}: is of the tournament {manifest.tournament_id!r}, and the archive of "
            f"{subject.row.tournament_id!r}",
            file=MANIFEST,
        )
    try:
        yield from _content(bundle, subject, facts, verdict, looked_at)
    except UNREADABLE as error:
        yield Finding(Check.ARCHIVE, f"the archive cannot be read any further: {error}")


def _content(
    bundle: Bundle,
    subject: Subject,
    facts: Facts,
    verdict: Verdict,
    looked_at: Callable[[], None],
) -> Iterator[Finding]:
    yield from commitment_findings(subject)
    yield from schedule_seed_findings(subject, subject.starters)
    yield from root_findings(subject, facts.roots)
    check = MatchesCheck(bundle, subject, facts)

    def looked() -> None:
        verdict.matches, verdict.records = check.matches, check.records
        verdict.decisions = check.decisions
        looked_at()

    yield from check.findings(looked)
    planned = (planned.encode() for planned in plan_lines(facts))
    yield from text_finding(bundle, PLAN, planned)
    figures = check.figures
    known = {MANIFEST, TOURNAMENT, MATCHES, RECORD_LINES, PLAN}
    for name, text in derived_texts(account_of(facts, check.tables, figures), figures):
        known.add(name)
        yield from text_finding(bundle, name, lines_of(text))
    for name in sorted(set(bundle.names) - known):
        if match_of_record(name) is None:
            yield Finding(Check.ARCHIVE, f"{name}: no export has such a file", file=name)


def _origin(manifest: Manifest, verdict: Verdict, key: bytes | None) -> Iterator[Finding]:
    if not manifest.signed:
        yield Finding(
            Check.ORIGIN,
            f"{MANIFEST}: its signature is not that of its key over these files",
            file=MANIFEST,
        )
    elif key is None:
        verdict.origin = Origin.NOT_PROVED
    elif key != verdict.signed_by:
        yield Finding(
            Check.ORIGIN,
            f"{MANIFEST}: it is signed by the key {verdict.signed_by.hex()}, wanted {key.hex()}",
            file=MANIFEST,
        )
    else:
        verdict.origin = Origin.PROVED


def _files(bundle: Bundle, manifest: Manifest, verdict: Verdict) -> Iterator[Finding]:
    listed = {one.name: one for one in manifest.files}
    for name in sorted(set(bundle.names) - listed.keys() - {MANIFEST}):
        yield Finding(Check.MANIFEST, f"{name}: the manifest does not list it", file=name)
    for one in manifest.files:
        verdict.files += 1
        if one.name not in bundle.names:
            yield Finding(Check.MANIFEST, f"{one.name}: it is missing", file=one.name)
            continue
        hashed, size = hashlib.sha256(), 0
        try:
            for piece in pieces(bundle, one.name):
                hashed.update(piece)
                size += len(piece)
                if size > one.size:
                    break
        except ArchiveError as error:
            yield Finding(Check.ARCHIVE, str(error), file=one.name)
            continue
        if size != one.size or hashed.digest() != one.sha256:
            yield Finding(
                Check.MANIFEST, f"{one.name}: it is not the file that was listed", file=one.name
            )


def _facts(bundle: Bundle) -> Facts:
    text = whole(bundle, TOURNAMENT)
    facts = facts_from_json(parsed(text))
    if document(facts_to_json(facts)).encode() != text:
        raise ArchiveError("it is not in the form that a server writes")
    return facts
