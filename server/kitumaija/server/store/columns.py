"""The column types of the schema: what Python sees is the same on every database."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, Boolean, DateTime, Dialect, Integer, LargeBinary, Text
from sqlalchemy.types import TypeDecorator

# An id sorts by its bytes everywhere, whatever the database's language.
ID = Text().with_variant(Text(collation="C"), "postgresql")
TEXT = Text()
BYTES = LargeBinary()
COUNT = Integer()
FLAG = Boolean()


class UtcTime(TypeDecorator[datetime]):
    """An aware datetime, stored and read as UTC; a naive one is refused."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn any time zone into UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"got {value!r}, a time without a zone: the store keeps UTC")
        return value.astimezone(UTC)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        """Give what SQLite keeps without a zone its UTC again."""
        if value is None:
            return None
        aware: datetime = value if value.tzinfo else value.replace(tzinfo=UTC)
        return aware.astimezone(UTC)


class Word(TypeDecorator[StrEnum]):
    """A closed set of words, stored as text."""

    impl = Text
    cache_ok = True

    def __init__(self, words: type[StrEnum]) -> None:
        super().__init__()
        self.words = words

    def process_bind_param(self, value: StrEnum | None, dialect: Dialect) -> str | None:
        """Refuse what is not of the set."""
        return None if value is None else self.words(value).value

    def process_result_value(self, value: Any | None, dialect: Dialect) -> StrEnum | None:
        """Make the word an enum again."""
        return None if value is None else self.words(value)


class Names(TypeDecorator[tuple[str, ...]]):
    """A tuple of names, stored as a JSON list."""

    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> Any:
        """Make it a list."""
        return None if value is None else list(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> tuple[str, ...]:
        """Make it a tuple."""
        return tuple(value or ())


class Groups(TypeDecorator[tuple[tuple[str, ...], ...]]):
    """A tuple of tuples of names, stored as a JSON list of lists."""

    impl = JSON
    cache_ok = True

    def process_bind_param(
        self, value: tuple[tuple[str, ...], ...] | None, dialect: Dialect
    ) -> Any:
        """Make them lists."""
        return None if value is None else [list(names) for names in value]

    def process_result_value(
        self, value: Any | None, dialect: Dialect
    ) -> tuple[tuple[str, ...], ...]:
        """Make them tuples."""
        return tuple(tuple(names) for names in value or ())


class Object(TypeDecorator[dict[str, Any]]):
    """A JSON object."""

    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: Any | None, dialect: Dialect) -> Any:
        """Take any mapping."""
        return None if value is None else dict(value)
