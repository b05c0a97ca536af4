"""A tournament's file, written out: every setting with what it means, may be and is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final

from kitumaija.server.choices import Format, IllegalActions, rounds_default
from kitumaija.server.settable.table import (
    FORMAT,
    GROUPS,
    ILLEGAL_ACTIONS,
    ILLEGAL_RETRIES,
    OF_A_FILE,
    ROUNDS,
    SETTINGS,
    Setting,
)

WIDTH: Final = 100

HEAD: Final = (
    "A tournament: every setting, with its default or the value that was given. Change what you "
    "like, leave out what you do not care for, save it as cup.toml, and make a tournament of it: "
    "kitumaija tournament create --file cup.toml cup"
)


def written_file(values: Mapping[str, Any]) -> str:
    """Return the file of these values, by their keys; what is not among them has its default."""
    return "\n".join(_lines(values)) + "\n"


def _lines(values: Mapping[str, Any]) -> Iterator[str]:
    yield from _comment(HEAD)
    for setting in (*OF_A_FILE, *(one for one in SETTINGS if not one.group)):
        yield from _setting(setting, values)
    for group, meaning in GROUPS.items():
        yield ""
        yield from _comment(meaning)
        yield f"[{group}]"
        for setting in SETTINGS:
            if setting.group == group:
                yield from _setting(setting, values)


def _setting(setting: Setting[Any], values: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield from _comment(setting.meaning)
    yield from _comment(f"Wanted: {setting.kind.wanted}. Default: {setting.left_out}.")
    value = values.get(setting.path, _default(setting, values))
    if value is None:
        # TOML has no value that means nothing: what is left out is left out.
        yield f"# {setting.name} = …"
    else:
        yield f"{setting.name} = {setting.kind.written(value)}"


def _default(setting: Setting[Any], values: Mapping[str, Any]) -> Any:
    """The default of a setting beside these values."""
    if setting is ROUNDS:
        return rounds_default(values.get(FORMAT.path, Format.ROUND_ROBIN))
    retry = IllegalActions.RETRY
    if setting is ILLEGAL_RETRIES and values.get(ILLEGAL_ACTIONS.path, retry) is not retry:
        return 0
    return setting.default


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ")
