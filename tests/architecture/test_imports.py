"""Who may import whom."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.architecture.checkout import ROOT, imported_modules, source_modules

LINT_IMPORTS = """
import sys
from importlinter.cli import lint_imports
sys.exit(lint_imports(no_cache=True, no_logo=True))
"""
# All that the rules need of the standard library. Whatever could tell the time, draw a chance, wait
# or write is missing here on purpose.
ENGINE_MAY_IMPORT = {
    "__future__",
    "abc",
    "bisect",
    "collections",
    "collections.abc",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "hmac",
    "itertools",
    "json",
    "math",
    "operator",
    "re",
    "struct",
    "types",
    "typing",
}
# What the packages that pyproject.toml requires are imported as, by what requires them.
FOR_BOTS = {"google", "grpc"}
FOR_COMMANDS = {"rich", "typer"}
FOR_THE_SERVER = {
    "alembic",
    "cryptography",
    "grpc_health",
    "grpc_reflection",
    "mpmath",
    "numpy",
    "prometheus_client",
    "pydantic",
    "pydantic_settings",
    "sqlalchemy",
    "structlog",
    "trueskill",
    "uvloop",
}


def test_the_import_contracts_are_kept() -> None:
    # As a process of its own: it sets up logging anew, to the surprise of the tests after it.
    linted = subprocess.run(
        [sys.executable, "-c", LINT_IMPORTS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_the_engine_imports_itself_and_a_few_pure_modules() -> None:
    surplus = {
        f"{path} imports {name}"
        for path in source_modules("engine")
        for name in imported_modules(path)
        if name not in ENGINE_MAY_IMPORT and not name.startswith("kitumaija.engine")
    }

    assert surplus == set()


@pytest.mark.parametrize(
    ("folder", "required"),
    [
        ("engine", set[str]()),
        ("proto", FOR_BOTS),
        ("sdk", FOR_BOTS | FOR_COMMANDS),
        ("server", FOR_BOTS | FOR_COMMANDS | FOR_THE_SERVER),
        ("sample_bots", set[str]()),
    ],
)
def test_nothing_is_imported_that_an_install_does_not_bring(
    folder: str, required: set[str]
) -> None:
    surplus = {
        f"{path} imports {name}"
        for path in source_modules(folder)
        for name in imported_modules(path)
        if name.partition(".")[0] not in {"kitumaija", *required, *sys.stdlib_module_names}
    }

    assert surplus == set()


def test_the_knowledge_oracle_shares_nothing_with_views_and_events() -> None:
    """What is held against views and events must not be made of them."""
    of_the_engine = {f"kitumaija.engine.{name}" for name in ("actions", "cards", "legal", "rules")}

    assert {
        name
        for name in imported_modules(ROOT / "tests" / "support" / "knowledge.py")
        if name.startswith(("kitumaija", "tests"))
    } == of_the_engine


def test_a_sample_bot_sees_of_kitumaija_only_the_sdk() -> None:
    surplus = {
        f"{path} imports {name}"
        for path in source_modules("sample_bots")
        for name in imported_modules(path)
        if name.partition(".")[0] == "kitumaija" and not name.startswith("kitumaija.sdk")
    }

    assert surplus == set()
