"""Who may import whom."""

from __future__ import annotations

import sys

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

from tests.architecture.checkout import ROOT, imported_modules, source_modules

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
    "grpc_health",
    "grpc_reflection",
    "mpmath",
    "pydantic",
    "pydantic_settings",
    "sqlalchemy",
    "structlog",
    "trueskill",
    "uvloop",
}


def test_the_import_contracts_are_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)

    status = lint_imports(no_cache=True, no_logo=True)

    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


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


def test_a_sample_bot_sees_of_kitumaija_only_the_sdk() -> None:
    surplus = {
        f"{path} imports {name}"
        for path in source_modules("sample_bots")
        for name in imported_modules(path)
        if name.partition(".")[0] == "kitumaija" and not name.startswith("kitumaija.sdk")
    }

    assert surplus == set()
