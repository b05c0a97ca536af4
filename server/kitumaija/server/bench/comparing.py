"""Two results side by side: what changed from one to the other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kitumaija.server.bench.results import FORMAT, Spread


class NoResult(ValueError):
    """A file is no result of a benchmark; the message says which and what was wanted."""


@dataclass(frozen=True, slots=True)
class Change:
    """One figure in both results; what only one of them has is left out."""

    scenario: str
    what: str
    before: Spread
    after: Spread

    @property
    def apart(self) -> bool:
        """Whether the spreads do not even touch."""
        return self.before.high < self.after.low or self.after.high < self.before.low


def load(file: Path) -> dict[str, Any]:
    """Read a result; raises `NoResult`."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise NoResult(f"{file}: {error.strerror}; name a file that `--out` has made") from error
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise NoResult(
            f"{file} is no result of a benchmark of version {FORMAT}; make one with --out"
        )
    return found


def changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[Change]:
    """Yield the ratios, then the sides' throughputs and latencies, that both results have.

    Ratios first: only they compare two runs, for they were measured within one.
    """
    for name, old in before["scenarios"].items():
        new = after["scenarios"].get(name)
        if new is None:
            continue
        for what, spread in _spreads(old).items():
            if what in (others := _spreads(new)):
                yield Change(name, what, spread, others[what])


def _spreads(scenario: dict[str, Any]) -> dict[str, Spread]:
    found = {
        f"{ratio['what']}: {ratio['of']} {'−' if ratio['difference'] else '/'} {ratio['to']}": ratio
        for ratio in scenario["ratios"]
    }
    for side, figures in scenario["sides"].items():
        found |= {f"{side} {figure}": spread for figure, spread in figures.items()}
    return {
        what: Spread(spread["median"], spread["low"], spread["high"])
        for what, spread in found.items()
    }
