"""A door that is a function of bytes, tried by what each input reaches of the code (atheris).

Atheris is libFuzzer for Python. It keeps every input that came somewhere new and goes on from
there, with its own changes and with ours. It lives in an environment of its own, `.venv-fuzz`, and
there is none for some versions of Python; those doors are then tried by chance alone.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import time
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from tests.fuzz.decoding import another, readers_of, seeds, try_one
from tests.fuzz.figures import Figures

HANGS_AFTER_SECONDS = 20
MEMORY_MIB = 2048
"""What one input may take; beyond it the process ends, which is a crash of the door."""


def available() -> bool:
    """Return whether there is an atheris to guide by."""
    return importlib.util.find_spec("atheris") is not None


def by_guidance(name: str, seconds: float, seed: int, folder: Path, report: Path) -> NoReturn:
    """Try a door, write the figures into `report` and end the process, as libFuzzer does.

    `folder` is for the inputs that are kept, and gets the one at which the process ends too early.
    Nothing of `kitumaija` may be imported before: what is to be followed is changed as it is
    imported.
    """
    # It is in no environment that is type-checked.
    atheris: Any = importlib.import_module("atheris")
    scratch, corpus = folder / "scratch", folder / "corpus"
    scratch.mkdir()
    corpus.mkdir()
    with atheris.instrument_imports(include=["kitumaija"]):
        readers = readers_of(name, scratch)
    for number, data in enumerate(seeds(readers)):
        (corpus / f"honest-{number}").write_bytes(data)
    figures = Figures(remark="guided")
    until = time.monotonic() + seconds

    def one(data: bytes) -> None:
        try_one(figures, readers, data)
        if time.monotonic() > until:
            report.write_text(figures.to_json(), encoding="utf-8")
            os._exit(0)

    def change(data: bytes, longest: int, number: int) -> bytes:
        chance = Random(number)
        if chance.random() < 0.2:
            return another(chance, readers)[:longest]
        changed: bytes = atheris.Mutate(data, longest)
        return changed

    options = (
        f"-seed={seed % 2**31 or 1}",
        f"-timeout={HANGS_AFTER_SECONDS}",
        f"-rss_limit_mb={MEMORY_MIB}",
        f"-artifact_prefix={folder}/",
        "-max_len=16384",
        "-verbosity=0",
    )
    atheris.Setup(["guided", str(corpus), *options], one, custom_mutator=change)
    atheris.Fuzz()
    raise RuntimeError("libFuzzer gave up before the time was over")
