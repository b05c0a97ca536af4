"""Who may import whom."""

from __future__ import annotations

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
KITUMAIJA_FOR_BOTS = "kitumaija.sdk"


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


def test_a_sample_bot_sees_of_kitumaija_only_the_sdk() -> None:
    surplus = {
        f"{path} imports {name}"
        for path in source_modules("sample_bots")
        for name in imported_modules(path)
        if name.partition(".")[0] == "kitumaija" and not name.startswith(KITUMAIJA_FOR_BOTS)
    }

    assert surplus == set()
