"""The checkout as the architecture's tests see it: what git keeps, and the source in it."""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.support.syntax import tree_of

ROOT = Path(__file__).resolve().parents[2]
SOURCE_ROOTS = ("engine", "proto", "sdk", "server")


@cache
def kept_files() -> tuple[Path, ...]:
    """Every file that is committed or is neither committed nor ignored, from the root."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode != 0:
        pytest.skip("this is no git checkout, so what is committed cannot be told")
    names = sorted(name for name in listing.stdout.split("\0") if name)
    # One deleted and not yet committed is still listed.
    return tuple(Path(name) for name in names if (ROOT / name).is_file())


def is_generated(path: Path) -> bool:
    """Whether the file is one of the stubs."""
    return path.stem.endswith(("_pb2", "_pb2_grpc"))


def source_modules(*folders: str) -> list[Path]:
    """The hand-written modules under these top-level folders."""
    return [
        path
        for path in kept_files()
        if path.suffix == ".py" and path.parts[0] in folders and not is_generated(path)
    ]


def imported_modules(path: Path) -> set[str]:
    """The modules that a source file names in its imports, at whatever depth."""
    found: set[str] = set()
    for node in ast.walk(tree_of((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module)
    return found
