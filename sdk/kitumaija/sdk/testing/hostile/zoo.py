"""The list of the misbehaving bots: their names, what they are, and the faults that they must get.

The list is data and no registry: nothing is added to it from outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from kitumaija.sdk.bot import Bot
from kitumaija.sdk.errors import LoadError
from kitumaija.sdk.loading import HOSTILE
from kitumaija.sdk.testing.hostile import breaking, deciding, leaving
from kitumaija.sdk.testing.hostile.animal import Animal

Kind: TypeAlias = type[Bot] | type[Animal]

ABSENT: Final = frozenset({"no_show", "startup_timeout"})
"""What a bot gets for the matches that are offered when it has gone."""


@dataclass(frozen=True, slots=True)
class Species:
    """One kind of misbehaving bot. Faults are named as `faults.md` and the standings name them."""

    name: str
    kind: Kind
    """A `Bot`, which plays anywhere, or an `Animal`, which needs a server."""
    fault: str | None
    """The fault that it must get; None where what it does is allowed."""
    also: frozenset[str] = frozenset()
    """The faults that may come with it, by what the server happened to do just then."""
    dials_in: bool = True
    """Whether the server ever sees it as connected."""

    @property
    def source(self) -> str:
        """Its name where a bot is named."""
        return HOSTILE + self.name

    @property
    def what(self) -> str:
        """What it does, in a sentence."""
        words = (self.kind.__doc__ or "").partition("\n")[0]
        return words.partition(":")[0].strip()

    @property
    def local(self) -> bool:
        """Whether it plays without a server."""
        return issubclass(self.kind, Bot)

    def as_dict(self) -> dict[str, object]:
        """Return it as plain values, for JSON."""
        return {
            "name": self.source,
            "what": self.what,
            "fault": self.fault,
            "also": sorted(self.also),
            "dials_in": self.dials_in,
            "local": self.local,
        }


ZOO: Final[tuple[Species, ...]] = (
    Species("slow", deciding.Slow, "decision_timeout"),
    Species("illegal", deciding.Illegal, "illegal_action"),
    Species("crashing", leaving.Crashing, "disconnected", ABSENT),
    Species("never-ready", deciding.NeverReady, "startup_timeout"),
    Species("flooding", breaking.Flooding, "flooding", ABSENT),
    Species("half-open", breaking.HalfOpen, "decision_timeout", ABSENT | {"disconnected"}),
    Species("reconnecting", leaving.Reconnecting, None),
    Species("silent", deciding.Silent, "decision_timeout"),
    Species("mute", breaking.Mute, "no_show", dials_in=False),
    Species("double", leaving.Double, None),
    Species("lying", leaving.Lying, "disconnected", ABSENT),
    Species("huge", breaking.Huge, "disconnected", ABSENT),
    Species("repeating", deciding.Repeating, "illegal_action"),
    Species("stale", deciding.Stale, "decision_timeout"),
    Species("wandering", leaving.Wandering, "disconnected"),
    Species("leaving", leaving.Leaving, "disconnected", ABSENT),
    Species("violating", breaking.Violating, "protocol_violation", ABSENT),
    Species("garbage", breaking.Garbage, "disconnected", ABSENT),
    Species("unread", breaking.Unread, "decision_timeout", ABSENT | {"disconnected"}),
    Species("stuttering", deciding.Stuttering, None),
)
"""All of them, those first with which a short rehearsal is best played."""


def species_named(source: str) -> Species:
    """Return the species that a name such as ``hostile:slow`` means.

    Raises `LoadError`, naming those that there are.
    """
    for species in ZOO:
        if species.source == source:
            return species
    names = ", ".join(species.name for species in ZOO)
    raise LoadError(f"{source}: there is no such misbehaving bot; there are {names}")
