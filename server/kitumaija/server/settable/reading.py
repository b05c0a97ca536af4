"""A tournament's file, TOML, read key by key: everything that is wrong with it is told at once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, Final

from kitumaija.console.text import counted, plain
from kitumaija.server.settable.kinds import SHOWN_CHARS, WrongValue, described
from kitumaija.server.settable.table import BY_PATH, GROUPS

FILE_BYTES_MAX: Final = 1 << 20
"""The largest file that is read: more than the ids of as many entrants as there may be."""

UNKNOWN_SHOWN: Final = 20
"""How many unknown keys are told one by one; wrong values are all told, being no more than keys."""


class WrongFile(ValueError):
    """A file that no tournament can be made of; `problems` are sentences, in the file's order."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def read_file(data: bytes) -> dict[str, Any]:
    """Return the values of a file by their keys, of those that are in it.

    Raises `WrongFile`.
    """
    if len(data) > FILE_BYTES_MAX:
        raise WrongFile((f"got more than {FILE_BYTES_MAX} bytes, wanted at most so many",))
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise WrongFile((f"byte {error.start}: not UTF-8; save the file as UTF-8",)) from None
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else plain(str(error))
        raise WrongFile((f"no TOML: {said}",)) from None
    values: dict[str, Any] = {}
    problems: list[str] = []
    unknown = 0
    for path, value in _keys(document):
        if path not in BY_PATH and path not in GROUPS:
            unknown += 1
            if unknown > UNKNOWN_SHOWN:
                continue
        problem = _read(path, value, values)
        if problem is not None:
            problems.append(f"{_shown(path)}: {problem}")
    if unknown > UNKNOWN_SHOWN:
        problems.append(f"{counted(unknown - UNKNOWN_SHOWN, 'more key')} that no setting has")
    if problems:
        raise WrongFile(tuple(problems))
    return values


def nearest(path: str) -> str:
    """Return the key, or table, that a key is nearest to, by its letters, or those of its name."""
    given = path[:SHOWN_CHARS].lower().replace("-", "_")
    name = given.rpartition(".")[2]

    def likeness(known: str) -> float:
        whole = SequenceMatcher(None, given, known).ratio()
        return max(whole, SequenceMatcher(None, name, known.rpartition(".")[2]).ratio())

    return max((*BY_PATH, *GROUPS), key=likeness)


def _keys(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the keys and values, those of the tables that there are with the names of these."""
    for key, value in document.items():
        if key in GROUPS and isinstance(value, dict):
            yield from ((f"{key}.{_bare(inner)}", under) for inner, under in value.items())
        else:
            yield _bare(key), value


def _bare(key: str) -> str:
    """Return a key as TOML has it: one with a dot in it is no key of a table."""
    return f'"{key}"' if "." in key else key


def _read(path: str, value: object, values: dict[str, Any]) -> str | None:
    """Put a value among the others; return what is wrong with it."""
    if path in GROUPS:
        return f"got {described(value)}, wanted a table: write [{path}], and its keys below"
    setting = BY_PATH.get(path)
    if setting is None:
        return f"there is no such key; the nearest is {nearest(path)}"
    try:
        values[path] = setting.kind.read(value)
    except WrongValue as error:
        return f"{error}; left out it is {setting.left_out}"
    return None


def _shown(path: str) -> str:
    shown = plain(path[:SHOWN_CHARS])
    return f"{shown}…" if len(path) > SHOWN_CHARS else shown
