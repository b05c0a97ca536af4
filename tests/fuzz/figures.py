"""What a fuzzer did: how many inputs it tried, what became of them, what broke."""

from __future__ import annotations

import json
import traceback
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

_CRASHES_KEPT = 10


@dataclass
class Figures:
    """The figures of one door. A crash is kept with its input, so that it can become a test; of
    those that come from the same place, the first."""

    inputs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    crashes: dict[str, str] = field(default_factory=dict)
    """What broke, by where it broke."""
    remark: str = ""
    """How the inputs were made, where that is not always the same."""

    def came_to(self, outcome: str) -> None:
        """Count an input that ended as it may."""
        self.inputs += 1
        self.outcomes[outcome] += 1

    def broke(self, given: object, how: BaseException | str) -> None:
        """Count an input that ended as none may."""
        self.inputs += 1
        self.outcomes["CRASH"] += 1
        if isinstance(how, str):
            where = said = how
        else:
            where = f"{type(how).__name__} at {_raised_at(how)}"
            said = "".join(traceback.format_exception(how)[-3:])
        if len(self.crashes) < _CRASHES_KEPT:
            self.crashes.setdefault(where, f"{given!r:.2000}\n    {said}")

    def to_json(self) -> str:
        """Return all of it as a line."""
        return json.dumps(vars(self))

    @classmethod
    def from_json(cls, text: str) -> Figures:
        """Return the figures of such a line."""
        plain = json.loads(text)
        return cls(**{**plain, "outcomes": Counter(plain["outcomes"])})

    def __str__(self) -> str:
        ends = ", ".join(f"{name} {count}" for name, count in self.outcomes.most_common(12))
        remark = f"{self.remark}: " if self.remark else ""
        return f"{remark}{self.inputs} inputs, {self.outcomes['CRASH']} crashes ({ends})"


def _raised_at(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "nowhere"


GoesOn: TypeAlias = Callable[[int], bool]
"""Whether to try another input, after so many."""

Fuzzer: TypeAlias = Callable[[Random, GoesOn], Coroutine[Any, Any, Figures]]
