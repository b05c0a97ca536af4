"""How long the checker waits for what."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from kitumaija.wire.limits import SILENCE_MAX
from kitumaija.wire.times import Limits


@dataclass(frozen=True, slots=True)
class Times:
    """In seconds. The defaults suit a process on a machine that has other things to do as well."""

    dial: float = 60.0
    """From the start of a bot to its first stream: it may be compiled, or load a model, first."""
    startup: float = 30.0
    """From the offer of a match to Ready."""
    patience: float = 3.0
    """For what should come at once."""
    quiet: float = 0.25
    """How long is listened where nothing should come."""
    back: float = 12.0
    """For a bot to be back after its stream broke: the longest back-off, and a dial."""
    gone: float = 6.0
    """How long is watched whether a bot dials that should not: more than the longest back-off."""
    silence: float = SILENCE_MAX.total_seconds()
    """After how long without a word of the server a bot is to leave a stream."""
    pace: float = 1.0
    """By how much the bot's own waits are to be taken longer: below 1 for one that is quicker."""
    leave: float = 5.0
    """How long a bot may take to end once it is told to."""
    limits: Limits = Limits(  # noqa: RUF009 - a frozen value
        per_decision=timedelta(seconds=1), bank=timedelta(seconds=4)
    )
    """Those of the matches that are played."""
    quick: Limits = Limits(  # noqa: RUF009 - a frozen value
        per_decision=timedelta(milliseconds=20), bank=timedelta(seconds=10)
    )
    """Those of matches of many decisions: a bot that uses its time is through with them soon."""


IN_FULL: Final = Times()
"""For a bot that is checked."""
