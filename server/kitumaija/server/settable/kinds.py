"""The kinds of values that settings have: how one is read, typed, written and bounded.

Apart from what acts on them, so that commands can name every setting without loading the server.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from itertools import islice
from typing import Any, Generic, TypeVar

from kitumaija.console.text import counted, plain
from kitumaija.server import goal
from kitumaija.wire.limits import ID_PATTERN
from kitumaija.wire.times import LONGEST, parse_duration

T_co = TypeVar("T_co", covariant=True)
WordT = TypeVar("WordT", bound=Enum)

SHOWN_CHARS = 60
"""How much of a wrong value an error repeats."""

_ID = re.compile(ID_PATTERN)
_MICROSECOND = timedelta(microseconds=1)
_UNITS = (("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1))


class WrongValue(ValueError):
    """A value that a setting cannot have: what was `got`, and what is `wanted`."""

    def __init__(self, got: str, wanted: str) -> None:
        super().__init__(f"got {got}, wanted {wanted}")
        self.got = got
        self.wanted = wanted


class Kind(ABC, Generic[T_co]):
    """A kind of value. What reads raises `WrongValue`."""

    @property
    @abstractmethod
    def wanted(self) -> str:
        """What is wanted, its unit and its bounds, in words."""

    @abstractmethod
    def read(self, value: object) -> T_co:
        """Return the value that a value of TOML stands for."""

    def typed(self, text: str) -> T_co:
        """Return the value that a text on the command line stands for."""
        return self.read(text)

    @abstractmethod
    def written(self, value: Any) -> str:
        """Return a value of this kind as TOML."""

    def shown(self, value: Any) -> str:
        """Return a value of this kind for people."""
        return self.written(value)

    def wrong(self, value: object) -> WrongValue:
        """Return the error for a value that is of another kind, or out of bounds."""
        return WrongValue(described(value), self.wanted)


@dataclass(frozen=True, slots=True)
class Whole(Kind[int]):
    """A whole number within bounds, both of which it may be."""

    least: int
    most: int
    unit: str = ""
    """What is counted, such as `matches`."""
    besides: tuple[int, ...] = ()
    """Numbers between the bounds that it may not be."""

    @property
    def wanted(self) -> str:
        """The bounds."""
        of = f" of {self.unit}" if self.unit else ""
        but = "".join(f", but not {one}" for one in self.besides)
        return f"a whole number{of} from {self.least} to {self.most}{but}"

    def read(self, value: object) -> int:
        """Return the number."""
        if type(value) is not int or not self.least <= value <= self.most or value in self.besides:
            raise self.wrong(value)
        return value

    def typed(self, text: str) -> int:
        """Return the number that was typed."""
        if not re.fullmatch(r"-?[0-9]{1,18}", text):
            raise self.wrong(text)
        return self.read(int(text))

    def written(self, value: Any) -> str:
        """Return its digits."""
        return str(value)


@dataclass(frozen=True, slots=True)
class Duration(Kind[timedelta]):
    """A time, typed as a number and a unit."""

    more_than_zero: bool = False

    @property
    def wanted(self) -> str:
        """How it is typed, and its bounds."""
        least = "more than 0s and up" if self.more_than_zero else "from 0s"
        return (
            'a time such as "1.5s" or "250ms" (a number and one of us, ms, s, m, h), '
            f"{least} to {LONGEST.days} days"
        )

    def read(self, value: object) -> timedelta:
        """Return the time."""
        if not isinstance(value, str):
            raise self.wrong(value)
        try:
            found = parse_duration(value)
        except ValueError:
            raise self.wrong(value) from None
        if found > LONGEST or (self.more_than_zero and not found):
            raise self.wrong(value)
        return found

    def written(self, value: Any) -> str:
        """Return it in quotes, in the largest unit of which it is a whole number."""
        return quoted(written_duration(value))

    def shown(self, value: Any) -> str:
        """Return it in seconds."""
        return f"{value.total_seconds():g} s"


@dataclass(frozen=True, slots=True)
class Word(Kind[WordT]):
    """One of the values of an enumeration, whose values are words."""

    words: type[WordT]

    @property
    def wanted(self) -> str:
        """The words."""
        return "one of " + ", ".join(quoted(str(each.value)) for each in self.words)

    def read(self, value: object) -> WordT:
        """Return the member of that word."""
        for each in self.words:
            if each.value == value:
                return each
        raise self.wrong(value)

    def written(self, value: Any) -> str:
        """Return the word in quotes."""
        return quoted(str(value.value))

    def shown(self, value: Any) -> str:
        """Return the word."""
        return str(value.value)


@dataclass(frozen=True, slots=True)
class Flag(Kind[bool]):
    """Yes or no."""

    @property
    def wanted(self) -> str:
        """The two values."""
        return "true or false"

    def read(self, value: object) -> bool:
        """Return the flag."""
        if not isinstance(value, bool):
            raise self.wrong(value)
        return value

    def written(self, value: Any) -> str:
        """Return `true` or `false`."""
        return str(value).lower()


@dataclass(frozen=True, slots=True)
class Text(Kind[str]):
    """A text of one line, for people, or one that only counts as itself."""

    most: int
    """How many characters it may have."""
    one_line: bool = True
    """Whether it is for people: without line breaks and without marks that turn text around."""

    @property
    def wanted(self) -> str:
        """Its length."""
        of = " of one line, without marks that cannot be seen," if self.one_line else ""
        return f"a text{of} of at most {self.most} characters"

    def read(self, value: object) -> str:
        """Return the text."""
        if not isinstance(value, str) or "\0" in value or _is_half(value):
            raise self.wrong(value)
        if len(value) > self.most:
            raise WrongValue(f"{len(value)} characters", self.wanted)
        if self.one_line and not value.isprintable():
            raise self.wrong(value)
        return value

    def written(self, value: Any) -> str:
        """Return it in quotes."""
        return quoted(value)


@dataclass(frozen=True, slots=True)
class Aim(Kind[str]):
    """What is to be found out, or nothing."""

    @property
    def wanted(self) -> str:
        """How it is said."""
        return f"a goal {goal.WANTED}, or nothing"

    def read(self, value: object) -> str:
        """Return its text, with one space between words."""
        if not isinstance(value, str):
            raise self.wrong(value)
        try:
            goal.Goal.of(value)
        except ValueError:
            if value.strip():
                raise self.wrong(value) from None
        return goal.normal(value)

    def written(self, value: Any) -> str:
        """Return it in quotes."""
        return quoted(value)


@dataclass(frozen=True, slots=True)
class Identifier(Kind[str]):
    """The id of a bot or a tournament."""

    @property
    def wanted(self) -> str:
        """What ids look like."""
        return "1 to 63 of a-z, 0-9 and `-`, beginning with a letter"

    def read(self, value: object) -> str:
        """Return the id."""
        if not isinstance(value, str) or not _ID.fullmatch(value):
            raise self.wrong(value)
        return value

    def written(self, value: Any) -> str:
        """Return it in quotes."""
        return quoted(value)


@dataclass(frozen=True, slots=True)
class Several(Kind[tuple[T_co, ...]]):
    """Several of a kind, each once."""

    each: Kind[T_co]
    least: int = 0
    most: int = 1_000

    @property
    def wanted(self) -> str:
        """How many, of what."""
        many = f"at least {self.least}, each once" if self.least else "each once"
        return f"a list, {many}, of: {self.each.wanted}"

    def read(self, value: object) -> tuple[T_co, ...]:
        """Return them in the order given."""
        if not isinstance(value, list | tuple):
            raise self.wrong(value)
        if not self.least <= len(value) <= self.most:
            raise WrongValue(f"{len(value)} of them", f"{self.least} to {self.most}")
        found = tuple(map(self.each.read, value))
        if len(set(found)) < len(found):
            raise WrongValue(f"{described(list(value))}", "every one of them once")
        return found

    def written(self, value: Any) -> str:
        """Return them in brackets."""
        return f"[{', '.join(map(self.each.written, value))}]"

    def shown(self, value: Any) -> str:
        """Return them with commas between."""
        return ", ".join(map(self.each.shown, value))


def quoted(text: str) -> str:
    """Return a text as a basic string of TOML; what cannot be printed is written as escapes."""

    def escaped(character: str) -> str:
        if character in '"\\':
            return f"\\{character}"
        if character.isprintable():
            return character
        code = ord(character)
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

    return f'"{"".join(map(escaped, text))}"'


def written_duration(value: timedelta) -> str:
    """Return a time as `parse_duration` reads it, in the largest unit that leaves no fraction."""
    microseconds = value // _MICROSECOND
    if not microseconds:
        return "0s"
    unit, size = next(
        (unit, size) for unit, size in _UNITS if not microseconds % size and microseconds >= size
    )
    return f"{microseconds // size}{unit}"


def described(value: object) -> str:
    """Return a value of TOML in few words, fit for a terminal."""
    kinds: tuple[tuple[type | tuple[type, ...], Callable[[Any], str]], ...] = (
        (bool, lambda flag: str(flag).lower()),
        (dict, lambda table: f"a table of {counted(len(table), 'key')}"),
        ((datetime, date, time), str),
        (int, lambda number: str(number) if abs(number) < 10**30 else "a number beyond all bounds"),
        (str, lambda text: quoted(text[: SHOWN_CHARS + 1])),
    )
    for kind, words in kinds:
        if isinstance(value, kind):
            return _cut(words(value))
    if isinstance(value, list | tuple):
        # No deeper: a file may hold lists in lists as deep as can be read at all.
        inner = ("a list" if isinstance(one, list) else described(one) for one in value)
        return _cut(f"[{', '.join(islice(inner, SHOWN_CHARS))}]")
    return _cut(plain(repr(value)))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"


def _is_half(text: str) -> bool:
    """Whether a text holds half a surrogate pair, as a shell hands over what is no UTF-8."""
    return any("\ud800" <= character <= "\udfff" for character in text)
