"""Ids for bots that were named by where their code lies."""

import re
from collections.abc import Iterable

from kitumaija.console.commands import CommandError, is_command, parse_command

_LONGEST = 63
_NAMELESS = "bot"


def bot_ids(sources: Iterable[str]) -> dict[str, str]:
    """Return the sources by a valid id each, in the order given.

    An id is made of what an author would call the bot: a class's name, a file's name without its
    folders and its ending, a sample's name, what a command that starts one is called by. Where two
    are alike, the later ones are numbered.
    """
    ids: dict[str, str] = {}
    for source in sources:
        base = _id(source)
        bot_id, number = base, 1
        while bot_id in ids:
            number += 1
            bot_id = f"{base[: _LONGEST - len(str(number)) - 1]}-{number}"
        ids[bot_id] = source
    return ids


def _id(source: str) -> str:
    last = re.split(r"[:/\\]", _called(source))[-1].removesuffix(".py").lower()
    word = re.sub(r"[^a-z0-9]+", "-", last).strip("-")
    if not word[:1].isalpha():
        word = f"{_NAMELESS}-{word}".rstrip("-")
    return word[:_LONGEST].rstrip("-")


def _called(source: str) -> str:
    """What a bot's source calls it; of a command that cannot be started, its text."""
    try:
        return parse_command(source).name if is_command(source) else source
    except CommandError:
        return source
