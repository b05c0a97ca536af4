"""Every setting of a tournament: its key, what it means, what it may be, and its default.

The keys are the paths of the fields of `kitumaija.v1.TournamentSettings`. The options of the
command line, the file of a tournament, its explanation, and the bounds that a server keeps are all
made of this table. The defaults and bounds of the rules and of the clock are the engine's and the
wire's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Generic, TypeVar

from kitumaija.engine import FreeFromStock, GameOptions, HandSizes, PickUp, Stopped
from kitumaija.server.choices import (
    LOOKED_AT_MAX,
    MATCH_BUDGET_MAX,
    ROUNDS_MAX,
    SEATS_MAX,
    SEATS_MIN,
    TABLES_PER_ROUND_MAX,
    Format,
    HandsVisible,
    IllegalActions,
    rounds_default,
)
from kitumaija.server.settable.kinds import (
    Aim,
    Duration,
    Flag,
    Identifier,
    Kind,
    Several,
    Text,
    Whole,
    Word,
)
from kitumaija.wire.limits import TITLE_CHARS_MAX, UNSAFE_SEED_CHARS_MAX
from kitumaija.wire.times import MORE_THAN_ZERO, Limits

T_co = TypeVar("T_co", covariant=True)

_RULES: Final = GameOptions()
_CLOCK: Final = Limits()


@dataclass(frozen=True, slots=True)
class Setting(Generic[T_co]):
    """One setting."""

    path: str
    """Its key: its name, behind the name of its table and a dot where it is in one."""
    meaning: str
    """What it does, a sentence or two."""
    kind: Kind[T_co]
    default: T_co
    """What it is if it is left out; None where that follows from something else."""
    otherwise: str = ""
    """What it is if it is left out, in words, where `default` does not say it."""

    @property
    def name(self) -> str:
        """Its name without that of its table."""
        return self.path.rpartition(".")[2]

    @property
    def group(self) -> str:
        """The table that it is in; empty for those above all tables."""
        return self.path.rpartition(".")[0]

    @property
    def left_out(self) -> str:
        """What it is if it is left out, as a file would say it or in words."""
        return self.otherwise or self.kind.written(self.default)


##### Above all tables #####

TABLE_SIZES: Final = Setting(
    "table_sizes",
    "How many sit at a table. More than one size: a round robin is played at each, and each has "
    "its own standings; the other formats have one.",
    Several(Whole(SEATS_MIN, SEATS_MAX, "seats"), least=1),
    (2,),
)
FORMAT: Final = Setting(
    "format",
    "Who meets whom: all tables or a balanced choice of them (round_robin), challengers a field "
    "(gauntlet), those with about as many points (swiss), whoever went on (knockout), "
    "neighbours on a ladder (ladder), or those who keep what until asks for from being known "
    "(adaptive).",
    Word(Format),
    Format.ROUND_ROBIN,
)
CHALLENGERS: Final = Setting(
    "challengers",
    "The ids of the bots that run a gauntlet; all others that enter are its field. Only "
    'format = "gauntlet" has any, and it has to have one.',
    Several(Identifier()),
    (),
    otherwise="nobody",
)
ROUNDS: Final = Setting(
    "rounds",
    "How often a round robin is played; of a swiss and a ladder, how many rounds there are. The "
    "others have as many as they need, and take no other number than 1.",
    Whole(1, ROUNDS_MAX, "rounds"),
    rounds_default(Format.ROUND_ROBIN),
    otherwise="1, and of a swiss and a ladder 10",
)
MATCH_BUDGET: Final = Setting(
    "match_budget",
    "How many matches the schedules of all table sizes may have together. Where all tables are "
    "more, a choice of them is played with which everybody plays equally often in every seat and "
    f"meets everybody about equally often. An adaptive tournament has to say it, at most "
    f"{LOOKED_AT_MAX}.",
    Whole(1, MATCH_BUDGET_MAX, "matches"),
    MATCH_BUDGET_MAX,
)
UNTIL: Final = Setting(
    "until",
    "What the tournament is to find out. When it is known at every table size, nothing more is "
    "begun, and what runs is played out; it is looked at 20 times, evenly spread over the "
    "schedule. A swiss, a knockout and a ladder have none; an adaptive tournament has to have it.",
    Aim(),
    "",
    otherwise="nothing: all is played",
)
TABLES_PER_ROUND: Final = Setting(
    "tables_per_round",
    "How many tables an adaptive tournament chooses at a time, all from the same results: fewer "
    "are chosen better, more are played sooner. 0: as many as all who are there fill.",
    Whole(0, TABLES_PER_ROUND_MAX, "tables"),
    0,
)
MAX_RUNNING_MATCHES: Final = Setting(
    "max_running_matches", "How many matches may run at once.", Whole(1, 10_000, "matches"), 256
)
ENTRIES_PER_OWNER: Final = Setting(
    "entries_per_owner", "How many entrants an owner may have.", Whole(1, 1_000, "entrants"), 1
)
HANDS_VISIBLE: Final = Setting(
    "hands_visible",
    "When everybody may read the hidden cards of stored games.",
    Word(HandsVisible),
    HandsVisible.AFTER_TOURNAMENT,
)
ALLOW_VERSION_CHANGES: Final = Setting(
    "allow_version_changes",
    "Whether a bot may come back as another version; the standings mark it. Otherwise it is sent "
    "away.",
    Flag(),
    False,
)
BLIND: Final = Setting(
    "blind",
    "Whether nobody is told who sits in a match, its bots included, before its end.",
    Flag(),
    False,
)
UNSAFE_SEED: Final = Setting(
    "unsafe_seed",
    "UNSAFE: a text to make all deals from, for rehearsals. Whoever knows it knows every card, and "
    "the standings say so. Empty: a secret seed is drawn.",
    Text(UNSAFE_SEED_CHARS_MAX, one_line=False),
    "",
    otherwise="none",
)

BENCH_WAIT: Final = Setting(
    "bench_wait",
    "How long a tournament that has nothing else left to play waits for entrants on the bench, "
    "before they are withdrawn. 0s: until the organizer decides.",
    Duration(),
    timedelta(hours=1),
)

##### Faults #####

ILLEGAL_ACTIONS: Final = Setting(
    "faults.illegal_actions",
    "What an illegal answer leads to: it is refused and may be given again while the clock runs, "
    "the default is played for it, or its seat is forfeited.",
    Word(IllegalActions),
    IllegalActions.RETRY,
)
ILLEGAL_RETRIES: Final = Setting(
    "faults.illegal_retries",
    "How many illegal answers to one decision are refused before the default is played. Only "
    'illegal_actions = "retry" has any: with the others it is 0.',
    Whole(0, 1_000, "answers"),
    2,
)
FAULTS_TO_FORFEIT: Final = Setting(
    "faults.faults_to_forfeit",
    "How many faults in one match forfeit the seat; 0: no number of them does.",
    Whole(0, 1_000, "faults"),
    5,
)
NO_SHOWS_TO_WITHDRAW: Final = Setting(
    "faults.no_shows_to_withdraw",
    "How many no shows withdraw an entrant.",
    Whole(1, 1_000, "no shows"),
    3,
)


def _limit(name: str, meaning: str) -> Setting[timedelta]:
    default: timedelta = getattr(_CLOCK, name)
    return Setting(f"limits.{name}", meaning, Duration(name in MORE_THAN_ZERO), default)


SETTINGS: Final[tuple[Setting[Any], ...]] = (
    FORMAT,
    TABLE_SIZES,
    ROUNDS,
    CHALLENGERS,
    MATCH_BUDGET,
    UNTIL,
    TABLES_PER_ROUND,
    MAX_RUNNING_MATCHES,
    ENTRIES_PER_OWNER,
    HANDS_VISIBLE,
    ALLOW_VERSION_CHANGES,
    BLIND,
    UNSAFE_SEED,
    BENCH_WAIT,
    _limit("startup", "From the offer of a match to the bot's Ready; charged to nobody's clock."),
    _limit("per_decision", "The time for one decision."),
    _limit("bank", "The reserve of a whole match, spent only above per_decision."),
    _limit("increment", "Added to the bank after each answered decision."),
    _limit(
        "margin",
        "What is forgiven a decision for the network's sake; bots are not told it as time left.",
    ),
    _limit("grace", "How long a bot may be away in a match before its seat is forfeited."),
    Setting(
        "limits.match_cap",
        "The longest that a match may take, reached only by trouble of the server. At least what "
        "the other limits and the turn cap add up to.",
        Duration("match_cap" in MORE_THAN_ZERO),
        _CLOCK.match_cap,
        otherwise="what the other limits and the turn cap add up to",
    ),
    Setting(
        "options.free_from_stock",
        "When the free card may be turned from the stock (rule D5).",
        Word(FreeFromStock),
        _RULES.free_from_stock,
    ),
    Setting(
        "options.pickup",
        "Who may pick up three cards at once: who is unable to do anything else, or everybody "
        "(rule D7).",
        Word(PickUp),
        _RULES.pickup,
    ),
    Setting(
        "options.repetition",
        "The occurrence of one full position that stops the game; 0 switches the rule off "
        "(rule G4).",
        Whole(0, 1_000_000, "occurrences", besides=(1,)),
        _RULES.repetition,
    ),
    Setting(
        "options.turns_per_player",
        "The cap on turns, times the number of players (rule G4).",
        Whole(1, 1_000_000, "turns"),
        _RULES.turns_per_player,
    ),
    Setting(
        "options.stopped",
        "How those who still hold cards are placed in a stopped game (rule G5).",
        Word(Stopped),
        _RULES.stopped,
    ),
    Setting(
        "options.hand_sizes",
        "When a view tells how many cards the other players hold (rule H4).",
        Word(HandSizes),
        _RULES.hand_sizes,
    ),
    ILLEGAL_ACTIONS,
    ILLEGAL_RETRIES,
    FAULTS_TO_FORFEIT,
    NO_SHOWS_TO_WITHDRAW,
)
"""In the order in which they are told."""

##### What a file says beside the settings #####

ID: Final = Setting(
    "id",
    "The tournament's id.",
    Identifier(),
    None,
    otherwise="what the command line says, which has to say it then",
)
TITLE: Final = Setting(
    "title", "The title, for people.", Text(TITLE_CHARS_MAX), "", otherwise="the id"
)
ENTRANTS: Final = Setting(
    "entrants",
    "The ids of the bots to enter, which are registered already. More can be entered until the "
    "entries are closed.",
    Several(Identifier(), most=10_000),
    (),
    otherwise="nobody yet",
)

OF_A_FILE: Final[tuple[Setting[Any], ...]] = (ID, TITLE, ENTRANTS)
"""What a tournament's file says beside its settings."""

GROUPS: Final = {
    "limits": "The limits of time of every match.",
    "options": "The options of the rules.",
    "faults": "What becomes of a bot that misbehaves.",
}
"""The tables of the file, in their order."""

BY_PATH: Final = {setting.path: setting for setting in (*OF_A_FILE, *SETTINGS)}
"""Every key of a file."""
