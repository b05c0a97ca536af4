"""What a fuzzer did: how many inputs it tried, what became of them, what broke."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

_CRASHES_KEPT = 10


@dataclass
class Figures:
    """The figures of one door. A crash is kept with its input, so that it can become a test."""

    inputs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    crashes: list[str] = field(default_factory=list)

    def came_to(self, outcome: str) -> None:
        """Count an input that ended as it may."""
        self.inputs += 1
        self.outcomes[outcome] += 1

    def broke(self, given: object, how: BaseException | str) -> None:
        """Count an input that ended as none may."""
        self.inputs += 1
        self.outcomes["CRASH"] += 1
        if len(self.crashes) < _CRASHES_KEPT:
            said = how if isinstance(how, str) else "".join(traceback.format_exception(how)[-3:])
            self.crashes.append(f"{given!r:.2000}\n    {said}")

    def __str__(self) -> str:
        ends = ", ".join(f"{name} {count}" for name, count in self.outcomes.most_common(8))
        return f"{self.inputs} inputs, {self.outcomes['CRASH']} crashes ({ends})"


GoesOn: TypeAlias = Callable[[int], bool]
"""Whether to try another input, after so many."""

Fuzzer: TypeAlias = Callable[[Random, GoesOn], Awaitable[Figures]]
