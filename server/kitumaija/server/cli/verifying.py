"""`kitumaija tournament verify`: whether an export is what it says, on any machine."""

import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kitumaija.console.text import counted
from kitumaija.server.cli.connection import say
from kitumaija.server.cli.output import print_findings
from kitumaija.server.cli.parameters import AsJson
from kitumaija.server.cli.progress import bar_of_matches
from kitumaija.wire.exits import ExitCode

if TYPE_CHECKING:
    from kitumaija.server.checking import Finding, Verdict

FINGERPRINT_DIGITS = 64
FINDINGS_MAX = 100
"""After so many findings no more is looked for: who reads that many knows enough."""


def verify(
    export: Annotated[
        Path,
        typer.Argument(metavar="EXPORT", help="The ZIP file, or the folder it was unpacked to."),
    ],
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            metavar="FINGERPRINT",
            help="The fingerprint of the server's key, as `kitumaija tournament show` has told it "
            "from the day the tournament was made. Without it the origin is not proved.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Work everything in an export out again: seeds, deals, every decision, results, ratings.

    Reads the export and nothing else. Exit code 0 if all of it agrees, 1 if anything does not or if
    it is no export, 2 if the file or the folder is not there or cannot be read.
    """
    from kitumaija.server.checking import Verdict

    wanted, verdict = _fingerprint(key), Verdict()
    try:
        found = _found(export, verdict, wanted)
    except OSError as error:
        say(f"{export} cannot be read: {error.strerror}")
        raise typer.Exit(ExitCode.USAGE) from error
    print_findings(
        [finding.sentence for finding in found],
        _as_json(export, verdict, found),
        f"{export}: {_looked_at(verdict)}; {_conclusion(verdict, found)}",
        as_json=as_json,
    )


def _found(export: Path, verdict: "Verdict", key: bytes | None) -> "list[Finding]":
    from kitumaija.server.checking import archive_findings

    with bar_of_matches(passing=True) as progress:
        bar = progress.add_task("verifying", total=None)
        findings = archive_findings(
            export, verdict, key=key, looked_at=lambda: progress.advance(bar)
        )
        return list(islice(findings, FINDINGS_MAX))


def _looked_at(verdict: "Verdict") -> str:
    return (
        f"{counted(verdict.files, 'file')}, {counted(verdict.matches, 'match', 'matches')}, "
        f"{counted(verdict.records, 'record')}, {counted(verdict.decisions, 'decision')}"
    )


def _conclusion(verdict: "Verdict", found: "list[Finding]") -> str:
    if found:
        if len(found) == FINDINGS_MAX:
            return f"{FINDINGS_MAX} or more findings"
        return counted(len(found), "finding")
    signer = verdict.signed_by.hex()
    if verdict.origin == "proved":
        return f"consistent, and signed by the key {signer}"
    return (
        f"consistent, origin not proved: it is signed by the key {signer}; give with --key the "
        "fingerprint that the server told when the tournament was made"
    )


def _as_json(export: Path, verdict: "Verdict", found: "list[Finding]") -> dict[str, object]:
    return {
        "export": str(export),
        "tournament_id": verdict.tournament_id,
        "consistent": not found,
        "origin": verdict.origin.value,
        "signed_by": verdict.signed_by.hex(),
        "checked": {
            "files": verdict.files,
            "matches": verdict.matches,
            "records": verdict.records,
            "decisions": verdict.decisions,
        },
        "findings": [
            {
                "check": finding.check.value,
                "file": finding.file,
                "match_id": finding.match_id,
                "sentence": finding.sentence,
            }
            for finding in found
        ],
    }


def _fingerprint(text: str | None) -> bytes | None:
    """Return the fingerprint that a person typed, be it in groups or not."""
    if text is None:
        return None
    digits = re.sub(r"[\s:]", "", text)
    if not re.fullmatch(rf"[0-9a-fA-F]{{{FINGERPRINT_DIGITS}}}", digits):
        raise typer.BadParameter(
            f"got {text!r}, wanted the {FINGERPRINT_DIGITS} hexadecimal digits of a fingerprint"
        )
    return bytes.fromhex(digits)
