"""What no committed file says: where it was written, and where packages come from."""

from __future__ import annotations

import re

import pytest

from tests.architecture.checkout import ROOT, kept_files

# Put together here, so that this file passes its own test.
REGISTRY_HOSTS = [
    ".".join(parts)
    for parts in [
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("yarnpkg", "com"),
        ("crates", "io"),
        ("golang", "org/dl"),
        ("proxy", "golang", "org"),
        ("maven", "org"),
        ("deb", "debian", "org"),
    ]
]
LOCK_FILE = re.compile(r".*-lock\.json|.*\.lock|go\.sum")
MACHINE_PATH = re.compile(r"(?<![\w.<{$~-])/(?:work|root|home/\w+|Users/\w+)/\w")


def test_no_file_names_the_host_of_a_package_registry() -> None:
    assert _files_with(re.compile("|".join(map(re.escape, REGISTRY_HOSTS)))) == []


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    assert _files_with(MACHINE_PATH) == []


def test_no_lock_file_carries_an_address() -> None:
    assert _files_with(re.compile("://"), named=LOCK_FILE) == []


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("/ho" + "me/ada/kitumaija", True),
        ("see /wo" + "rk/main.", True),
        ("/ro" + "ot/.config", False),
        ("server/work/queue", False),
        ("https://example.test/work/1", False),
        ("~/work/mine", False),
    ],
)
def test_a_path_of_a_machine_is_told_from_others(text: str, *, is_one: bool) -> None:
    assert (MACHINE_PATH.search(text) is not None) is is_one


def _files_with(pattern: re.Pattern[str], *, named: re.Pattern[str] | None = None) -> list[str]:
    found = []
    for path in kept_files():
        if named is not None and not named.fullmatch(path.name):
            continue
        # A binary file may hold a path as well.
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), start=1):
            if pattern.search(line):
                found.append(f"{path}:{number}: {line.strip()}")
    return found
