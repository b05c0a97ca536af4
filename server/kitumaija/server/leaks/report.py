"""What was found and what was compared, and how two tellings are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from typing import Any

from google.protobuf.message import Message

from kitumaija.server.leaks.plan import Round
from kitumaija.server.leaks.said import Said, Source

_SHOWN = 120
_ASIDE = "entropy_request"
_END = "match_end"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that the watcher was told and that depends on what its seat may not know."""

    round: Round
    seat: int | None
    """The watcher's seat in the match; None for what is about no match."""
    source: Source
    kind: str
    field: str
    """The first field that differs, as a path; empty where that cannot be said."""
    what: str
    """What differs, or what should not be there."""

    @property
    def sentence(self) -> str:
        """The finding in a sentence that names seat, kind of message and field."""
        who = f"bot b{self.round.watcher}"
        if self.seat is not None:
            who = f"seat {self.seat} ({who})"
        where = f" in its field {self.field}" if self.field else ""
        return f"{self.round}: {self.source} {self.kind} to {who} leaks{where}: {self.what}"


@dataclass(slots=True)
class Report:
    """What a check came to."""

    rounds: int = 0
    pairs: Counter[str] = field(default_factory=Counter)
    """Matches that were played in two worlds, by the ending of their round."""
    alike: int = 0
    """Those of them in which no other world was found: they compare the server with itself."""
    moved: int = 0
    """Cards that lay elsewhere in the other world, over all pairs."""
    blind: int = 0
    """Matches of blind tournaments among the pairs."""
    swapped: int = 0
    """Seats behind which another bot sat in the other world, over all pairs."""
    messages: Counter[str] = field(default_factory=Counter)
    """What was compared, by source and kind."""
    bytes: int = 0
    here: list[int] = field(default_factory=list)
    there: list[int] = field(default_factory=list)
    """Nanoseconds from an answer to the watcher's next decision, in either world, in pairs."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def told_apart(self) -> float | None:
        """How often the longer of two times was that of the first world; None if none was taken.

        One half, give or take chance, is what times tell that depend on nothing.
        """
        if not self.here:
            return None
        won = sum(a > b for a, b in zip(self.here, self.there, strict=True))
        even = sum(a == b for a, b in zip(self.here, self.there, strict=True))
        return (won + even / 2) / len(self.here)

    def add(self, found: Report) -> None:
        """Add what another part came to."""
        self.rounds += found.rounds
        self.pairs += found.pairs
        self.alike += found.alike
        self.moved += found.moved
        self.blind += found.blind
        self.swapped += found.swapped
        self.messages += found.messages
        self.bytes += found.bytes
        self.here += found.here
        self.there += found.there
        self.findings += found.findings


def differences(
    played: Round, seats: Mapping[str, int], here: Sequence[Said], there: Sequence[Said]
) -> Iterator[Finding]:
    """Yield the first difference of each source: what follows on it may follow from it.

    `seats` holds the watcher's seat by match. Requests for entropy are held together by themselves:
    they come before any card is dealt, and when they come, and if again, is left to the machine.
    """
    for source in (None, *Source):
        ours, theirs = (_of(told, source) for told in (here, there))
        for one, other in zip_longest(ours, theirs):
            found = _difference(one, other)
            if found is not None:
                said, path, what = found
                seat = seats.get(said.match_id)
                yield Finding(played, seat, said.source, said.kind, path, what)
                break


def _of(told: Sequence[Said], source: Source | None) -> list[Said]:
    """Return what came from a source, in order; for None the requests for entropy, each once."""
    if source is None:
        asides = {one.data: one for one in told if one.kind == _ASIDE}
        return [asides[data] for data in sorted(asides)]
    found = [one for one in told if one.source is source and one.kind != _ASIDE]
    # Matches that end at the same instant are settled side by side: which of their ends is told
    # first is left to the machine.
    runs = groupby(found, key=lambda one: one.kind == _END)
    return [
        one
        for ends, run in runs
        for one in (sorted(run, key=lambda one: one.match_id) if ends else run)
    ]


def _difference(one: Said | None, other: Said | None) -> tuple[Said, str, str] | None:
    """Return what is told otherwise, in which field and how; None for what is told alike."""
    if one is None:
        return None if other is None else (other, "", "it is told in the other world only")
    if other is None:
        return one, "", "it is told in one world only"
    if (one.kind, one.match_id) != (other.kind, other.match_id):
        return one, "", f"in the other world there comes {other.kind} in its place"
    if one.data == other.data:
        return None
    if isinstance(one.said, Message) and isinstance(other.said, Message):
        path = first_field(one.said, other.said) or ""
        return one, path, f"{_short(one.said, path)} here, {_short(other.said, path)} there"
    return one, "", f"{str(one.said)[:_SHOWN]!r} here, {str(other.said)[:_SHOWN]!r} there"


def first_field(one: Message, other: Message) -> str | None:
    """Return the path of the first field that differs, such as `decision.view.hand[2]`."""
    for descriptor in one.DESCRIPTOR.fields:
        name = descriptor.name
        if descriptor.is_repeated:
            ours, theirs = list(getattr(one, name)), list(getattr(other, name))
            for index, (a, b) in enumerate(zip_longest(ours, theirs)):
                if a != b:
                    return f"{name}[{index}]{_within(a, b)}"
            continue
        a, b = getattr(one, name), getattr(other, name)
        is_there = (descriptor.has_presence and one.HasField(name), a)
        if is_there != (descriptor.has_presence and other.HasField(name), b):
            return f"{name}{_within(a, b)}"
    return None


def _within(one: object, other: object) -> str:
    if not (isinstance(one, Message) and isinstance(other, Message)):
        return ""
    deeper = first_field(one, other)
    return f".{deeper}" if deeper else ""


def _short(message: Message, path: str) -> str:
    """Return what stands at a path, on one line."""
    value: Any = message
    for part in path.split("."):
        name, _, index = part.partition("[")
        value = getattr(value, name, None)
        if index and value is not None:
            value = dict(enumerate(value)).get(int(index.removesuffix("]")))
    if value is None:
        return "nothing"
    return " ".join(str(value).split())[:_SHOWN] or "nothing"
