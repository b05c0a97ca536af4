"""Where things are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.checkout import (
    ROOT,
    SOURCE_ROOTS,
    is_generated,
    kept_files,
    source_modules,
)

AT_THE_TOP = {
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "engine",
    "proto",
    "pyproject.toml",
    "sample_bots",
    "sdk",
    "server",
    "tests",
}
LINES_OF_A_MODULE = 400


def test_the_top_level_holds_only_what_was_agreed() -> None:
    names = {path.parts[0] for path in kept_files()}

    assert {name for name in names if not name.startswith(".")} <= AT_THE_TOP


@pytest.mark.parametrize("root", [*SOURCE_ROOTS, "sample_bots/python"])
def test_kitumaija_is_a_namespace_that_no_folder_owns(root: str) -> None:
    assert not (ROOT / root / "kitumaija" / "__init__.py").exists()


def test_no_name_is_a_module_in_two_folders() -> None:
    """The four folders fall together into one package, where one would hide the other."""
    places: dict[Path, list[str]] = {}
    for path in source_modules(*SOURCE_ROOTS):
        places.setdefault(Path(*path.parts[1:]), []).append(path.parts[0])

    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_beside_the_stubs_there_is_nothing_written_by_hand() -> None:
    here = [path for path in kept_files() if path.is_relative_to("proto/kitumaija/v1")]
    python = [path for path in here if path.suffix in {".py", ".pyi"}]

    assert [path for path in python if not is_generated(path)] == []


def test_a_long_module_gives_its_reason_in_the_readme_of_its_room() -> None:
    unexplained = []
    for path in source_modules(*SOURCE_ROOTS, "sample_bots"):
        lines = len((ROOT / path).read_text(encoding="utf-8").splitlines())
        if lines > LINES_OF_A_MODULE and not _named_by_a_readme(path):
            unexplained.append(f"{path}: {lines} lines")

    assert unexplained == []


def _named_by_a_readme(path: Path) -> bool:
    readmes = [ROOT / room / "README.md" for room in path.parents if room != Path()]
    return any(
        path.name in readme.read_text(encoding="utf-8") for readme in readmes if readme.is_file()
    )
