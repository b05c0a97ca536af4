"""What a seeded fault is: a bot with one thing wrong, and how the checker must find it."""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.faulty.hand_written import HandWritten


@dataclass(frozen=True)
class Fault:
    """One fault. Its name is that of its bot's class in lower case, joined by `-`."""

    kind: type[HandWritten]
    step: str
    """The step that must fail, first of all."""
    says: str
    """What is in `wanted X; got Y` of the failure."""

    @property
    def name(self) -> str:
        words = "".join(f"-{c.lower()}" if c.isupper() else c for c in self.kind.__name__)
        return words.removeprefix("-")
