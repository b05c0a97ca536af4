"""What a tournament is to find out, such as `top 3 settled at 95 %`, and when it is looked at.

Apart from what computes the answer (`rating/fit/settling.py`), which takes long to load, so that
settings and commands can name a goal without it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from kitumaija.console.text import counted

LOOKS = 20
"""How often it is looked at, at the most."""

GOAL_CHARS_MAX = 100
"""How long the text of a goal may be."""

WANTED = "such as 'top 3 settled at 95 %' or 'order of top 3 settled at 95 %'"

_GOAL = re.compile(r"(order of )?top (\d{1,6}) settled at (\d{1,2}(?:\.\d{1,6})?) ?%")


@dataclass(frozen=True, slots=True)
class Goal:
    """To know the `first` best bots, with the error rate 1 − level; `in_order`, and their order."""

    first: int
    level: float
    in_order: bool = False

    @classmethod
    def of(cls, text: str) -> Goal:
        """Read `top 3 settled at 95 %` or `order of top 3 settled at 95 %`; raises ValueError."""
        found = _GOAL.fullmatch(normal(text))
        if found is None:
            raise ValueError(f"got the goal {text[:GOAL_CHARS_MAX]!r}; wanted {WANTED}")
        first, level = int(found[2]), float(found[3]) / 100
        if first < 1 or not 0.5 <= level < 1:
            raise ValueError(
                f"got the goal {text!r}; wanted {WANTED}, of the top 1 or more, at 50 % to under "
                "100 %"
            )
        return cls(first, level, in_order=found[1] is not None)

    @property
    def words(self) -> str:
        """What is to be known, in words."""
        return f"the {'order of the ' if self.in_order else ''}top {self.first}"

    @property
    def percent(self) -> str:
        """How sure one is to be, such as `95 %`."""
        return f"{100 * self.level:.6g} %"


def normal(text: str) -> str:
    """Return the text of a goal with one space wherever there is any."""
    return " ".join(text.split())


def looks(planned: int) -> tuple[int, ...]:
    """After how many numbers of a schedule of `planned` to look, each after more than the last."""
    return tuple(sorted({math.ceil(planned * look / LOOKS) for look in range(1, LOOKS + 1)} - {0}))


@dataclass(frozen=True, slots=True)
class Settled:
    """The goal was reached at look number `look`, from 1, after `matches` numbers of the schedule.

    `best` are the bots, the strongest first; in the order of their ids where the order is not
    settled.
    """

    look: int
    matches: int
    best: tuple[str, ...]


def verdict(goal: Goal, settled: Settled | None, *, rated: int) -> str:
    """Say what is settled by so many rated matches."""
    matches = counted(rated if settled is None else settled.matches, "match", "matches")
    if settled is None:
        return f"{goal.words} is not settled at {goal.percent} by {matches}"
    best = ", ".join(settled.best)
    return f"{goal.words} is settled at {goal.percent}, after {matches}: {best}"
