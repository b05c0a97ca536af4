"""What is installed is pinned, and can be had from anywhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT

PINNED = sorted((ROOT / ".ci/requirements").glob("*.txt"))
REQUIREMENT = re.compile(r"^(?P<name>[a-z0-9-]+)(?:\[[a-z,]+\])?==(?P<version>[^ ;\\]+)")


def _requirements(name: str) -> dict[str, str]:
    """The pinned version of each package in a file."""
    text = (ROOT / ".ci/requirements" / name).read_text(encoding="utf-8")
    found = [REQUIREMENT.match(line) for line in text.splitlines()]
    return {match["name"]: match["version"] for match in found if match}


@pytest.mark.parametrize("path", PINNED, ids=lambda path: path.name)
def test_every_requirement_is_an_exact_version_with_its_hashes(path: Path) -> None:
    text = re.sub(r"^ *#.*\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    entries = text.replace("\\\n", " ").splitlines()

    assert entries
    assert [e for e in entries if not REQUIREMENT.match(e) or "--hash=sha256:" not in e] == []


@pytest.mark.parametrize("path", PINNED, ids=lambda path: path.name)
def test_no_requirement_says_where_it_comes_from(path: Path) -> None:
    assert not re.search(r"://|--(extra-)?index|--find-links", path.read_text(encoding="utf-8"))


def test_tests_run_on_the_versions_that_the_server_is_installed_with() -> None:
    server, dev = _requirements("server.txt"), _requirements("dev.txt")

    assert {name: dev.get(name) for name in server} == server


@pytest.mark.parametrize(("extra", "pins"), [("server", "server.txt"), ("dev", "dev.txt")])
def test_whatever_the_project_requires_is_pinned(extra: str, pins: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = [*project["dependencies"], *project["optional-dependencies"][extra]]
    names = {re.split(r"[\[<>=; ]", requirement)[0] for requirement in required}

    assert names - {"kitumaija"} <= set(_requirements(pins))


def test_the_base_requirements_allow_the_oldest_runtime_that_takes_the_stubs() -> None:
    """Stubs refuse a runtime that is older than their generator."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    generator = _requirements("stubs.txt")["grpcio-tools"]

    assert generator == "1.76.0"
    assert {"grpcio>=1.76", "protobuf>=6.31.1"} <= set(project["dependencies"])


def test_nothing_is_installed_that_is_not_pinned_by_its_hash() -> None:
    """What is installed without hashes is what was built here, and brings nothing along."""
    recipes = [ROOT / "Makefile", *filter(Path.is_file, (ROOT / ".ci").iterdir())]
    lines = [line for path in recipes for line in path.read_text(encoding="utf-8").splitlines()]
    installs = [
        line for line in lines if "$(PIP_INSTALL)" in line or re.search(r"\bpip install", line)
    ]
    safe = [line for line in installs if "--require-hashes" in line or "--no-deps" in line]

    assert len(safe) == 6
    # The other is the variable that they share.
    assert [line.split(" := ")[0] for line in installs if line not in safe] == ["PIP_INSTALL"]


def test_everything_that_is_pinned_is_audited_and_can_be_pinned_again() -> None:
    audit = (ROOT / ".ci/audit").read_text(encoding="utf-8")
    pins = (ROOT / ".ci/pins").read_text(encoding="utf-8")

    assert ".ci/requirements/*.txt" in audit
    assert {path.stem for path in PINNED} == set(re.findall(r"^compile (\w+)", pins, re.MULTILINE))
