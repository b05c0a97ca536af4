"""Doors that are no more than a function of bytes: what is read, and what may come of it.

Such a door can be tried by chance alone, and guided by what code each input reaches (`guided.py`).
An input is one byte that says which of the door's readers it is for, and what that reads.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

from tests.fuzz.figures import Figures, GoesOn
from tests.fuzz.mutating import mutated

DECODED: Final = ("records", "texts", "frames", "requests")
"""The names of these doors. Each is a module beside this one, which is imported when it is known
how: whoever is guided by the code that an input reaches has to change that code as it is imported.
"""


@dataclass(frozen=True, slots=True)
class Reader:
    """One thing that foreign bytes are read as."""

    name: str
    read: Callable[[bytes], str]
    """Reads bytes and says in a word what they were; checks what has to hold of what was read."""
    refusals: tuple[type[Exception], ...]
    """How bytes may be refused: whatever else is raised is a crash."""
    honest: Sequence[bytes]
    """What is read in earnest: the inputs to begin with."""
    made: Callable[[Random], bytes] | None = None
    """Makes an input that is nearly right in a way of its own; left out, bytes are changed."""

    def another(self, chance: Random) -> bytes:
        """Return an input by chance."""
        if self.made is not None and chance.random() < 0.6:
            return self.made(chance)
        return mutated(chance, chance.choice(self.honest))


Readers: TypeAlias = Sequence[Reader]


def readers_of(name: str, folder: Path) -> Readers:
    """Return the readers of a door; they may write into the folder."""
    made: Readers = importlib.import_module(f"tests.fuzz.{name}").readers(folder)
    return made


def seeds(readers: Readers) -> Iterable[bytes]:
    """Yield the honest inputs of a door."""
    for number, reader in enumerate(readers):
        for data in reader.honest:
            yield bytes((number,)) + data


def another(chance: Random, readers: Readers) -> bytes:
    """Return an input of a door by chance."""
    number = chance.randrange(len(readers))
    return bytes((number,)) + readers[number].another(chance)


def try_one(figures: Figures, readers: Readers, data: bytes) -> None:
    """Let an input in, and count what became of it."""
    reader = readers[data[0] % len(readers)] if data else readers[0]
    try:
        outcome = reader.read(data[1:])
    except reader.refusals:
        outcome = "refused"
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        figures.broke((reader.name, data[1:]), error)
        return
    figures.came_to(f"{reader.name} {outcome}")


async def by_chance(name: str, chance: Random, goes_on: GoesOn) -> Figures:
    """Try a door by chance alone, beginning with what is honest."""
    figures = Figures()
    with tempfile.TemporaryDirectory(prefix="kitumaija-fuzz-") as folder:
        readers = readers_of(name, Path(folder))
        for data in seeds(readers):
            try_one(figures, readers, data)
        while goes_on(figures.inputs):
            try_one(figures, readers, another(chance, readers))
    return figures
