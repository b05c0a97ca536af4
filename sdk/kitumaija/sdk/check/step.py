"""What a step is, and what it raises."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kitumaija.sdk.check.exam import Exam

STEP_SECONDS: Final = 45.0
"""How long one step may take, in seconds, unless it says otherwise: more than until Ready."""


class Failed(Exception):
    """The bot did not do what it was to do: what was wanted, and what came, in words."""

    def __init__(self, wanted: str, got: str) -> None:
        super().__init__(f"wanted {wanted}; got {got}")
        self.wanted = wanted
        self.got = got


class Absent(Failed):
    """The bot does not dial in."""


class Skipped(Exception):
    """The step cannot be carried out; the text says why, in a sentence."""


class Life(Enum):
    """What a step needs of the bot's life."""

    SHARED = "shared"
    """It goes on with the bot, and mostly on the stream, of the step before."""
    OWN = "own"
    """It takes long, or disturbs the stream: it gets a bot of its own where one can be started."""
    LAST = "last"
    """The bot is gone after it."""
    NONE = "none"
    """It needs no bot that dials in, and a machine that does nothing else."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is looked at."""

    id: str
    """Its name: lower case, words joined by `-`."""
    sentence: str
    """What a sound bot does, in plain words."""
    act: Callable[[Exam], Awaitable[str | None]]
    """Carries it out, and may return what is to be said of it. Raises `Failed` or `Skipped`."""
    section: str
    """Where proto/README.md tells of it."""
    hint: str
    """What to do about a failure."""
    life: Life = Life.SHARED
    seconds: float = STEP_SECONDS
    """How long it may take."""
