"""What an organizer chooses by a word, within which bounds, and where a server listens.

Apart from what acts on it, so that a command can name the choices without loading the server.
"""

from __future__ import annotations

from enum import StrEnum

DEFAULT_PORT = 4800
"""Where a server listens if nothing else is said."""

SEATS_MIN = 2
SEATS_MAX = 10

ROUNDS_MAX = 10_000
"""How often, at the most, a tournament plays its round robin, or how many rounds it has."""

MATCH_BUDGET_MAX = 10_000_000
"""How many matches the schedules of a tournament may have together at the most."""

LOOKED_AT_MAX = 100_000
"""How many matches of a table size there may be at the most where it is looked at what they show:
an adaptive tournament's, and that of one with a goal."""

TABLES_PER_ROUND_MAX = 1_000
"""How many tables an adaptive tournament chooses at a time at the most."""


class Format(StrEnum):
    """Who meets whom in a tournament, and when that is known."""

    ROUND_ROBIN = "round_robin"
    """All tables, or a balanced choice of them."""
    GAUNTLET = "gauntlet"
    """Challengers each play the same field, and never each other."""
    SWISS = "swiss"
    """Everybody plays every round, against those who stand where he stands."""
    KNOCKOUT = "knockout"
    """Of each table the better half goes on, until one is left."""
    LADDER = "ladder"
    """Neighbours meet, and who is better stands higher; new entries begin at the foot."""
    ADAPTIVE = "adaptive"
    """Those meet who keep what is asked from being known, until it is."""

    @property
    def words(self) -> str:
        """What sentences call it."""
        return self.value.replace("_", " ")

    @property
    def is_drawn(self) -> bool:
        """Whether its rounds are drawn one after the other, each by the results of those before."""
        return self not in {Format.ROUND_ROBIN, Format.GAUNTLET}

    @property
    def is_rated(self) -> bool:
        """Whether TrueSkill decides its places, and not points, rounds or rungs."""
        return self in {Format.ROUND_ROBIN, Format.GAUNTLET, Format.ADAPTIVE}

    @property
    def has_rounds(self) -> bool:
        """Whether somebody chooses its number of rounds; of the others it is 1."""
        return self in {Format.ROUND_ROBIN, Format.SWISS, Format.LADDER}


def rounds_default(played_as: Format) -> int:
    """Return how many rounds there are where nothing is said."""
    return 10 if played_as in {Format.SWISS, Format.LADDER} else 1


class Durability(StrEnum):
    """What an acknowledged write outlives.

    FULL: a crash of the machine. NORMAL: a crash of the server, while a crash of the machine may
    take the last moments; several times as fast on slow disks.
    """

    FULL = "full"
    NORMAL = "normal"


class IllegalActions(StrEnum):
    """What an illegal answer leads to."""

    RETRY = "retry"
    """It is refused, and the bot may answer again while its clock runs on."""
    DEFAULT_AT_ONCE = "default_at_once"
    """The default is played for the decision."""
    FORFEIT_AT_ONCE = "forfeit_at_once"
    """The seat is forfeited."""


class HandsVisible(StrEnum):
    """When everybody may read the hidden cards of stored games."""

    AFTER_TOURNAMENT = "after_tournament"
    AFTER_MATCH = "after_match"


class LogFormat(StrEnum):
    """How log lines look."""

    CONSOLE = "console"
    JSON = "json"


class LogLevel(StrEnum):
    """From which level on lines are logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
