"""The short form of `make soak-fuzz`: a few inputs at every door, by a seed that stays."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import soak_fuzz
from tests.fuzz.decoding import DECODED, Reader, readers_of, try_one
from tests.fuzz.doors import DOORS
from tests.fuzz.figures import Figures
from tests.fuzz.guided import available

INPUTS = {
    "records": 800,
    "texts": 1_000,
    "frames": 4_000,
    "requests": 4_000,
    "calls": 300,
    "port": 200,
    "streams": 60,
    "names": 15,
}


@pytest.mark.parametrize("door", DOORS)
async def test_nothing_that_comes_through_a_door_breaks_what_is_behind_it(door: str) -> None:
    figures = await DOORS[door](Random(f"suite/{door}"), lambda tried: tried < INPUTS[door])

    assert figures.crashes == {}
    assert figures.inputs >= INPUTS[door]
    assert len(figures.outcomes) > 1, "all inputs came to the same, so nothing was tried"


@pytest.mark.parametrize("door", DECODED)
def test_what_is_honest_is_not_refused(door: str, tmp_path: Path) -> None:
    """So whatever is nearly right comes past the first look."""
    for reader in readers_of(door, tmp_path):
        for data in reader.honest:
            assert reader.read(data)


def test_what_breaks_is_counted_and_kept_with_its_input_once_a_place() -> None:
    def read(data: bytes) -> str:
        raise ValueError(f"no such thing: {data!r}")

    figures = Figures()
    for data in (b"\0bad", b"\0worse"):
        try_one(figures, [Reader("thing", read, (KeyError,), [])], data)
    figures.broke("a call", "no answer")

    assert (figures.inputs, figures.outcomes["CRASH"]) == (3, 3)
    first, second = figures.crashes.values()
    assert "('thing', b'bad')" in first
    assert "no such thing" in first
    assert "no answer" in second
    assert Figures.from_json(figures.to_json()) == figures


def soak(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["soak_fuzz", "--seconds", "0.1", *words])
    return soak_fuzz.main()


def test_a_run_tries_doors_side_by_side_and_says_whether_anything_guided_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = soak(monkeypatch, "requests", "texts", "--jobs", "2")

    said = capsys.readouterr().out
    assert code == 0, said
    guided = "guided" if available() else "unguided"
    for door in ("requests", "texts"):
        assert f"{door}: {guided}: " in said
    assert ("by chance alone" in said) is not available()


def test_a_door_that_there_is_not_is_an_error_that_names_those_that_there_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        soak(monkeypatch, "cellar")

    assert "no door cellar; wanted some of records" in capsys.readouterr().err
