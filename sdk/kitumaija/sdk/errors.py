"""What goes wrong, in the words of somebody who writes a bot.

Every error that the SDK raises on purpose is an `SdkError`. Its text says what was got, what was
wanted and what to do; a traceback into the SDK is never part of the explanation.
"""

from __future__ import annotations

import traceback
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from kitumaija.wire.exits import ExitCode

if TYPE_CHECKING:
    from kitumaija.sdk.turn import Turn


class SdkError(Exception):
    """The base of all errors that the SDK raises on purpose.

    `exit_code` is what a process ends with that cannot go on because of it.
    """

    exit_code: ClassVar[ExitCode] = ExitCode.FAILED


class LoadError(SdkError):
    """A bot could not be loaded from the name that was given for it."""

    exit_code = ExitCode.USAGE


class UsageError(SdkError):
    """A call or a setting that cannot be meant so."""

    exit_code = ExitCode.USAGE


class BotError(SdkError):
    """A bot's own code went wrong: it raised, or what it answered is not legal.

    `bot` is the bot's name. `turn` is the turn that it was asked about; None where it failed
    outside `choose`. What the bot raised, if it raised, is the error's `__cause__`, with the
    author's own traceback.
    """

    def __init__(self, bot: str, problem: str, turn: Turn | None = None) -> None:
        super().__init__(f"{bot}: {problem}" if turn is None else f"{bot}: {problem}\n{turn}")
        self.bot = bot
        self.problem = problem
        self.turn = turn

    def __reduce__(self) -> tuple[object, ...]:
        """Let it travel to another process; its cause stays behind."""
        return type(self), (self.bot, self.problem, self.turn), vars(self)


class ConnectionFailed(SdkError):
    """The server could not be reached, or the stream to it broke."""

    exit_code = ExitCode.UNREACHABLE


class Refused(SdkError):
    """The server was reached and does not want this bot so: dialling again would not help."""

    exit_code = ExitCode.REFUSED


def author_traceback(error: BaseException) -> str:
    """Return the traceback of what an author's code raised, from the author's first line on.

    The frames before it are the SDK's and Python's own way to that line, which explain nothing.
    """
    frames = dropwhile(_is_machinery, traceback.extract_tb(error.__traceback__))
    lines = traceback.format_list(list(frames))
    return "".join(lines + traceback.format_exception_only(error)).rstrip()


_SDK = str(Path(__file__).resolve().parent)
_PYTHON = str(Path(traceback.__file__).resolve().parent)


def _is_machinery(frame: traceback.FrameSummary) -> bool:
    if frame.filename.startswith(("<frozen", _SDK)):
        return True
    # What is installed lies below Python's own folder too, and may well be the author's.
    return frame.filename.startswith(_PYTHON) and "site-packages" not in frame.filename
