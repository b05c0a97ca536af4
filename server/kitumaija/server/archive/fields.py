"""JSON that somebody else may have written, read field by field."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

T = TypeVar("T")
WordT = TypeVar("WordT", bound=StrEnum)


class ArchiveError(ValueError):
    """Something in an archive is not what an archive holds. The message says what and where."""


def parsed(text: bytes) -> Fields:
    """Return the JSON object in UTF-8 bytes; raises `ArchiveError`."""
    try:
        value = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"no JSON: {error}") from None
    return Fields("", value)


class Fields:
    """An object of JSON. Every reader raises `ArchiveError` naming the field, got and wanted."""

    __slots__ = ("_path", "_values")

    def __init__(self, path: str, value: object) -> None:
        if not isinstance(value, Mapping):
            raise ArchiveError(f"{path or 'the JSON'}: got {_shown(value)}, wanted an object")
        self._path = path
        self._values: Mapping[str, Any] = value

    def has(self, name: str) -> bool:
        """Return whether there is such a field."""
        return name in self._values

    def text(self, name: str) -> str:
        """Return a text."""
        return self._of(name, str, "a text")

    def text_or_none(self, name: str) -> str | None:
        """Return a text, or None for null."""
        return None if self._value(name) is None else self.text(name)

    def number(self, name: str) -> int:
        """Return a whole number that is not negative."""
        value = self._of(name, int, "a whole number")
        if isinstance(value, bool) or value < 0:
            raise self._wrong(name, value, "a whole number from 0 on")
        return value

    def number_or_zero(self, name: str) -> int:
        """Return a whole number that is not negative, or 0 for null."""
        return 0 if self._value(name) is None else self.number(name)

    def flag(self, name: str) -> bool:
        """Return true or false."""
        return self._of(name, bool, "true or false")

    def word(self, name: str, words: type[WordT]) -> WordT:
        """Return one of the words."""
        return self._made(name, words, f"one of {', '.join(words)}")

    def hexadecimal(self, name: str) -> bytes:
        """Return what is written in hexadecimal, in small letters."""
        return self._made(name, bytes.fromhex, "hexadecimal digits")

    def time(self, name: str) -> datetime:
        """Return a time in UTC."""
        found = self._made(name, datetime.fromisoformat, "a time in ISO 8601")
        if found.utcoffset() is None:
            raise self._wrong(name, found, "a time with its zone")
        return found.astimezone(UTC)

    def time_or_none(self, name: str) -> datetime | None:
        """Return a time in UTC, or None for null."""
        return None if self._value(name) is None else self.time(name)

    def as_object(self, name: str) -> Mapping[str, Any]:
        """Return an object as it is."""
        return self._of(name, dict, "an object")

    def counts(self, name: str) -> dict[str, int]:
        """Return an object of whole numbers."""
        fields = Fields(self._at(name), self._value(name))
        return {key: fields.number(key) for key in self.as_object(name)}

    def counts_or_none(self, name: str) -> dict[str, int] | None:
        """Return an object of whole numbers, or None for null."""
        return None if self._value(name) is None else self.counts(name)

    def objects(self, name: str) -> list[Fields]:
        """Return a list of objects."""
        values = self._of(name, list, "a list")
        return [Fields(f"{self._at(name)}[{at}]", value) for at, value in enumerate(values)]

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts."""
        values = self._of(name, list, "a list")
        if not all(isinstance(value, str) for value in values):
            raise self._wrong(name, values, "a list of texts")
        return tuple(values)

    def _made(self, name: str, make: Callable[[str], T], wanted: str) -> T:
        text = self.text(name)
        try:
            return make(text)
        except ValueError:
            raise self._wrong(name, text, wanted) from None

    def _of(self, name: str, kind: type[T], wanted: str) -> T:
        value = self._value(name)
        if not isinstance(value, kind):
            raise self._wrong(name, value, wanted)
        return value

    def _value(self, name: str) -> Any:
        if name not in self._values:
            raise ArchiveError(f"{self._at(name)}: it is not there")
        return self._values[name]

    def _wrong(self, name: str, value: object, wanted: str) -> ArchiveError:
        return ArchiveError(f"{self._at(name)}: got {_shown(value)}, wanted {wanted}")

    def _at(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name


def document(value: Any) -> str:
    """Return a JSON file's one form: indented, every text as it is."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def line(value: Any) -> str:
    """Return the one form of a line of a file of JSON lines."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."
