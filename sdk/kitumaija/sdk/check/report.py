"""What a check found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from kitumaija.sdk.check.step import Step


class Outcome(StrEnum):
    """How a step went."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Result:
    """What one step found."""

    step: Step
    outcome: Outcome
    seconds: float
    note: str = ""
    """Why it was skipped, or what is to be said of one that passed."""
    wanted: str = ""
    """What was to come, where it failed."""
    got: str = ""
    """What came instead."""
    exchange: tuple[str, ...] = ()
    """What was said last, both ways, line by line."""
    output: str = ""
    """The end of what the bot wrote."""

    def as_dict(self) -> dict[str, object]:
        """Return it as plain values, for JSON; what means nothing to its outcome is left out."""
        said: dict[str, object] = {
            "step": self.step.id,
            "sentence": self.step.sentence,
            "outcome": self.outcome.value,
            "seconds": round(self.seconds, 3),
        }
        if self.note:
            said["note"] = self.note
        if self.outcome is Outcome.FAILED:
            said |= {
                "wanted": self.wanted,
                "got": self.got,
                "hint": self.step.hint,
                "section": self.step.section,
                "exchange": list(self.exchange),
                "output": self.output,
            }
        return said


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found, step by step."""

    results: Sequence[Result]

    @property
    def ok(self) -> bool:
        """Whether nothing failed, and something was looked at."""
        counts = self.counts()
        return not counts[Outcome.FAILED] and counts[Outcome.PASSED] > 0

    @property
    def failures(self) -> tuple[Result, ...]:
        """The steps that failed."""
        return tuple(each for each in self.results if each.outcome is Outcome.FAILED)

    def counts(self) -> Counter[Outcome]:
        """Return how many steps went how."""
        return Counter(result.outcome for result in self.results)

    def as_dict(self) -> dict[str, object]:
        """Return it as plain values, for JSON."""
        counts = self.counts()
        return {
            "ok": self.ok,
            **{outcome.value: counts[outcome] for outcome in Outcome},
            "steps": [result.as_dict() for result in self.results],
        }
