"""Bots that are named by the command that starts them: ``cmd:COMMAND LINE``.

The command line is parted into words as a shell parts them, and no shell runs it: nothing in it is
expanded, and the bot is started as exactly those words.
"""

from __future__ import annotations

import os
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

PREFIX = "cmd:"
"""What the name of such a bot begins with."""

FORM = "cmd:'COMMAND LINE' for a bot in any language"


class CommandError(ValueError):
    """A name that begins with ``cmd:`` and names nothing that can be started."""


@dataclass(frozen=True, slots=True)
class Command:
    """A bot that is a program."""

    name: str
    """What the bot is called."""
    words: tuple[str, ...]
    """The program and its arguments."""


def is_command(bot: str) -> bool:
    """Whether a bot's name says how to start it."""
    return bot.startswith(PREFIX)


def parse_command(bot: str) -> Command:
    """Return the command that a bot's name means.

    A program that is named by its path gives the bot its name: ``cmd:./my-bot weights.bin`` is
    ``my-bot``. One that is looked for on the PATH mostly runs somebody's file, and then that file
    does: ``cmd:java -jar my-bot.jar`` is ``my-bot``, too.

    Raises `CommandError` for no command, for quotes that do not end, for a program that is not
    there and for one that may not be executed.
    """
    text = bot.removeprefix(PREFIX)
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise CommandError(
            f"{bot}: the command cannot be parted into words: {str(error).lower()}"
        ) from None
    if not words or not words[0]:
        raise CommandError(
            f"{bot}: there is no command after {PREFIX}; wanted a program and its arguments, "
            "such as cmd:'./my-bot --fast'"
        )
    program = words[0]
    if os.sep in program:
        _check_file(bot, Path(program), text)
        return Command(_called(program), words)
    if shutil.which(program) is None:
        raise CommandError(f"{bot}: {_not_on_path(program, text)}")
    files = (word for word in words[1:] if Path(word).is_file())
    return Command(_called(next(files, program)), words)


def _called(path: str) -> str:
    """The name of a file without its folders and its ending; a whole name for `.hidden`."""
    return Path(path).stem


def _check_file(bot: str, program: Path, text: str) -> None:
    if program.is_dir():
        raise CommandError(f"{bot}: {program} is a folder, wanted a program")
    if not program.exists():
        raise CommandError(f"{bot}: there is no program {program} (seen from {Path.cwd()})")
    if not os.access(program, os.X_OK):
        raise CommandError(
            f"{bot}: {program} is not executable; make it so (chmod +x {shlex.quote(str(program))})"
            f", or name what runs it, such as cmd:'python3 {text}'"
        )


def _not_on_path(program: str, text: str) -> str:
    if "=" in program:
        return (
            f"there is no program {program} on the PATH; no shell runs the command, so to set a "
            f"variable for it write cmd:'env {text}'"
        )
    if Path(program).is_file():
        return (
            f"there is no program {program} on the PATH; "
            f"for the one in this folder write ./{program}"
        )
    return f"there is no program {program} on the PATH"
