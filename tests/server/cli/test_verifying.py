"""`kitumaija tournament verify`: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kitumaija.server.__main__ import commands
from kitumaija.wire.exits import ExitCode
from tests.support.exports import Export, contents, make_export, packed


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Export:
    """An export and the key told before."""
    return make_export(tmp_path_factory.mktemp("exported") / "data")


def verify(*words: str) -> Result:
    return CliRunner().invoke(commands(), ["tournament", "verify", *words])


def test_what_is_consistent_is_said_with_whose_it_is(export: Export, tmp_path: Path) -> None:
    path = tmp_path / "cup.zip"
    path.write_bytes(export.data)
    groups = ":".join(export.key.hex()[at : at + 8].upper() for at in range(0, 64, 8))

    proved, unproved = verify(str(path), "--key", groups), verify(str(path))

    assert proved.exit_code == unproved.exit_code == ExitCode.OK
    assert " matches, 9 records" in proved.stdout
    assert f"consistent, and signed by the key {export.key.hex()}" in proved.stdout
    assert "consistent, origin not proved" in unproved.stdout


def test_what_does_not_agree_is_named_and_nothing_in_it_reaches_the_terminal(
    export: Export, tmp_path: Path
) -> None:
    path = tmp_path / "cup.zip"
    path.write_bytes(packed({**contents(export.data), "standings.md": b"\x1b[2J"}))

    done = verify(str(path))
    told = json.loads(verify(str(path), "--json").stdout)

    assert done.exit_code == ExitCode.FAILED
    assert r"standings.md, line 1: got \x1b[2J, wanted # cup" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stdout.endswith("2 findings\n")
    assert (told["consistent"], told["tournament_id"]) == (False, "cup")
    assert [(finding["check"], finding["file"]) for finding in told["findings"]] == [
        ("manifest", "standings.md"),
        ("derived", "standings.md"),
    ]


def test_a_file_that_is_no_export_does_not_hold_and_one_that_is_not_there_is_a_mistake(
    tmp_path: Path,
) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear sir,", encoding="utf-8")

    letter, nowhere = verify(str(path)), verify(str(tmp_path / "nowhere.zip"))

    assert letter.exit_code == ExitCode.FAILED
    assert "got a file that begins with b'Dear sir,'" in letter.stdout
    assert "wanted the ZIP file that `kitumaija tournament export` wrote" in letter.stdout
    assert nowhere.exit_code == ExitCode.USAGE


def test_a_mistake_in_the_command_is_no_finding(export: Export, tmp_path: Path) -> None:
    nowhere, short = verify(str(tmp_path / "nowhere.zip")), verify("cup.zip", "--key", "abc")

    assert nowhere.exit_code == short.exit_code == ExitCode.USAGE
    assert "cannot be read" in nowhere.stderr
    assert "64 hexadecimal digits" in short.stderr
