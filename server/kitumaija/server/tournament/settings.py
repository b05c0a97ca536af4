"""The settings of a tournament as a value that is checked as a whole when it is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from math import ceil
from typing import Any

from kitumaija.engine import GameOptions
from kitumaija.server.choices import (
    LOOKED_AT_MAX,
    SEATS_MAX,
    SEATS_MIN,
    Format,
    HandsVisible,
    IllegalActions,
)
from kitumaija.server.goal import Goal, normal
from kitumaija.server.match.values import FaultPolicy, longest_game
from kitumaija.server.settable import table
from kitumaija.server.settable.kinds import WrongValue
from kitumaija.server.settable.table import Setting
from kitumaija.wire.limits import UNSAFE_SEED_CHARS_MAX
from kitumaija.wire.times import LONGEST, Limits


class SettingsFault(StrEnum):
    """What kind of thing is wrong with settings."""

    FIELD = "field"
    ENDLESS_GAME = "endless_game"
    MATCH_CAP = "match_cap"


class WrongSettings(ValueError):
    """Settings that no tournament can have. The message says what was got, wanted, and what to do.

    `metadata` says the same for programs.
    """

    def __init__(
        self, message: str, *, fault: SettingsFault = SettingsFault.FIELD, **metadata: str
    ) -> None:
        super().__init__(message)
        self.fault = fault
        self.metadata = metadata


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """Everything that an organizer chooses for a tournament; the defaults are those of the table.

    `table_sizes` is kept ascending. Raises `WrongSettings`.
    """

    table_sizes: tuple[int, ...] = table.TABLE_SIZES.default
    rounds: int = table.ROUNDS.default
    options: GameOptions = field(default_factory=GameOptions)
    limits: Limits = field(default_factory=Limits)
    policy: FaultPolicy = field(default_factory=FaultPolicy)
    no_shows_to_withdraw: int = table.NO_SHOWS_TO_WITHDRAW.default
    entries_per_owner: int = table.ENTRIES_PER_OWNER.default
    max_running_matches: int = table.MAX_RUNNING_MATCHES.default
    hands_visible: HandsVisible = table.HANDS_VISIBLE.default
    unsafe_seed: str = table.UNSAFE_SEED.default
    allow_version_changes: bool = table.ALLOW_VERSION_CHANGES.default
    blind: bool = table.BLIND.default
    match_budget: int = table.MATCH_BUDGET.default
    bench_wait: timedelta = table.BENCH_WAIT.default
    format: Format = table.FORMAT.default
    challengers: tuple[str, ...] = table.CHALLENGERS.default
    until: str = table.UNTIL.default
    tables_per_round: int = table.TABLES_PER_ROUND.default

    def __post_init__(self) -> None:
        object.__setattr__(self, "table_sizes", tuple(sorted(self.table_sizes)))
        object.__setattr__(self, "until", normal(self.until))
        if not self.table_sizes:
            raise WrongSettings(
                f"table_sizes: got none, wanted at least one size from {SEATS_MIN} to {SEATS_MAX}",
                field="table_sizes",
            )
        for size in self.table_sizes:
            _check(table.TABLE_SIZES, (size,))
        if len(set(self.table_sizes)) < len(self.table_sizes):
            raise WrongSettings(
                f"table_sizes: got {list(self.table_sizes)}, wanted every size once; "
                "use rounds to play the round robin more often",
                field="table_sizes",
            )
        _check(table.ROUNDS, self.rounds)
        _check(table.MATCH_BUDGET, self.match_budget)
        _check(table.ILLEGAL_RETRIES, self.policy.illegal_retries)
        _check(table.FAULTS_TO_FORFEIT, self.policy.faults_to_forfeit)
        _check(table.NO_SHOWS_TO_WITHDRAW, self.no_shows_to_withdraw)
        _check(table.ENTRIES_PER_OWNER, self.entries_per_owner)
        _check(table.MAX_RUNNING_MATCHES, self.max_running_matches)
        if not timedelta(0) <= self.bench_wait <= LONGEST:
            raise WrongSettings(
                f"bench_wait: got {self.bench_wait.total_seconds():g} s, wanted a duration of zero "
                f"or more and at most {LONGEST.days} days",
                field="bench_wait",
            )
        if len(self.unsafe_seed) > UNSAFE_SEED_CHARS_MAX:
            raise WrongSettings(
                f"unsafe_seed: got {len(self.unsafe_seed)} characters, "
                f"wanted at most {UNSAFE_SEED_CHARS_MAX}",
                field="unsafe_seed",
            )
        _check(table.UNTIL, self.until)
        _check(table.TABLES_PER_ROUND, self.tables_per_round)
        self._check_format()
        self._check_goal()
        self._check_that_matches_end()

    @property
    def goal(self) -> Goal | None:
        """What is to be found out; None where all is played, whatever it shows."""
        return Goal.of(self.until) if self.until else None

    @property
    def adaptive_matches(self) -> int:
        """How many matches an adaptive tournament has at the most: whole sets within the budget."""
        return self.match_budget - self.match_budget % self.table_sizes[0]

    def longest_match(self) -> timedelta:
        """Return the longest that one match may take by its limits and turn cap."""
        return longest_game(self.table_sizes[-1], self.options, self.limits)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as JSON values, every field named; durations in microseconds."""
        microsecond = timedelta(microseconds=1)
        limits = {
            name: None if value is None else value // microsecond
            for name in Limits.__dataclass_fields__
            for value in [getattr(self.limits, name)]
        }
        return {
            "table_sizes": list(self.table_sizes),
            "rounds": self.rounds,
            "options": self.options.as_dict(),
            "limits_us": limits,
            "illegal_retries": self.policy.illegal_retries,
            "faults_to_forfeit": self.policy.faults_to_forfeit,
            "illegal_actions": self.policy.illegal_actions.value,
            "no_shows_to_withdraw": self.no_shows_to_withdraw,
            "entries_per_owner": self.entries_per_owner,
            "max_running_matches": self.max_running_matches,
            "hands_visible": self.hands_visible.value,
            "unsafe_seed": self.unsafe_seed,
            "allow_version_changes": self.allow_version_changes,
            "blind": self.blind,
            "match_budget": self.match_budget,
            "bench_wait_us": self.bench_wait // microsecond,
            "format": self.format.value,
            "challengers": list(self.challengers),
            "until": self.until,
            "tables_per_round": self.tables_per_round,
        }

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> TournamentSettings:
        """Read what `as_dict` writes, and wrote when there were fewer settings."""
        values = dict(plain)
        limits: dict[str, Any] = {
            name: None if value is None else timedelta(microseconds=value)
            for name, value in values.pop("limits_us").items()
        }
        if "bench_wait_us" in values:
            values["bench_wait"] = timedelta(microseconds=values.pop("bench_wait_us"))
        return cls(
            table_sizes=tuple(values.pop("table_sizes")),
            options=GameOptions.from_dict(values.pop("options")),
            limits=Limits(**limits),
            policy=FaultPolicy(
                values.pop("illegal_retries"),
                values.pop("faults_to_forfeit"),
                IllegalActions(values.pop("illegal_actions", IllegalActions.RETRY)),
            ),
            hands_visible=HandsVisible(values.pop("hands_visible")),
            format=Format(values.pop("format", Format.ROUND_ROBIN)),
            challengers=tuple(values.pop("challengers", ())),
            **values,
        )

    def _check_format(self) -> None:
        """Refuse what the format has no use for: nothing that is set does nothing."""
        _check(table.CHALLENGERS, self.challengers)
        played_as, words = self.format, self.format.words
        if played_as is not Format.ROUND_ROBIN and len(self.table_sizes) > 1:
            raise WrongSettings(
                f"table_sizes: got {list(self.table_sizes)}, wanted one size: a {words} is "
                "played at tables of one size; make a tournament of each, or play a round robin",
                field="table_sizes",
            )
        if not played_as.has_rounds and self.rounds != 1:
            raise WrongSettings(
                f"rounds: got {self.rounds}, wanted none: a {words} has as many as it needs; "
                "leave rounds out",
                field="rounds",
            )
        if played_as is not Format.GAUNTLET and self.challengers:
            raise WrongSettings(
                f"challengers: got {', '.join(self.challengers)}, wanted none: only a gauntlet has "
                f"challengers, and this is a {words}; leave them out, or make it a gauntlet",
                field="challengers",
            )
        if played_as is Format.GAUNTLET and not self.challengers:
            raise WrongSettings(
                "challengers: got none, wanted the ids of the bots that run the gauntlet; all "
                "others that enter are its field",
                field="challengers",
            )

    def _check_goal(self) -> None:
        """Refuse a goal where none is acted on, and an adaptive tournament without one."""
        adaptive, words = self.format is Format.ADAPTIVE, self.format.words
        if self.until and not self.format.is_rated:
            raise WrongSettings(
                f"until: got {self.until!r}, wanted none: the places of a {words} are decided by "
                "its rounds, and all of them are played; leave until out, or play a round robin or "
                "an adaptive tournament",
                field="until",
            )
        if adaptive and not self.until:
            raise WrongSettings(
                f"until: got none, wanted {table.UNTIL.kind.wanted.removesuffix(', or nothing')}: "
                "an adaptive tournament chooses who meets by what it is to find out",
                field="until",
            )
        if adaptive and self.match_budget > LOOKED_AT_MAX:
            raise WrongSettings(
                f"match_budget: got {self.match_budget}, wanted at most {LOOKED_AT_MAX}: an "
                "adaptive tournament ends with its budget at the latest, and looks at what it "
                "shows at every twentieth of it; say how many matches it may have",
                field="match_budget",
            )
        if not adaptive and self.tables_per_round:
            raise WrongSettings(
                f"tables_per_round: got {self.tables_per_round}, wanted none: only an adaptive "
                f"tournament chooses its tables, and this is a {words}; leave it out",
                field="tables_per_round",
            )

    def _check_that_matches_end(self) -> None:
        if not self.options.always_ends:
            raise WrongSettings(
                "options.turns_per_player: got 0, so a game could last for ever; "
                "wanted a turn cap of at least 1 turn a player",
                fault=SettingsFault.ENDLESS_GAME,
                field="options.turns_per_player",
            )
        cap, needed = self.limits.match_cap, self._checked_longest()
        if cap is not None and cap < needed:
            seconds = ceil(needed.total_seconds())
            raise WrongSettings(
                f"limits.match_cap: got {cap.total_seconds():g} s, wanted at least {seconds} s, "
                "which is what the other limits and the turn cap allow a match to take; "
                "raise the cap, leave it out, or lower the other limits or the turn cap",
                fault=SettingsFault.MATCH_CAP,
                needed_seconds=str(seconds),
            )

    def _checked_longest(self) -> timedelta:
        try:
            longest = self.longest_match()
        except ValueError:  # more than can be counted
            longest = timedelta.max
        if longest > LONGEST:
            raise WrongSettings(
                f"limits: they and the turn cap allow a match to take more than {LONGEST.days} "
                "days; lower the limits or options.turns_per_player",
                field="limits",
            )
        return longest


def _check(setting: Setting[Any], value: object) -> None:
    try:
        setting.kind.read(value)
    except WrongValue as error:
        raise WrongSettings(
            f"{setting.path}: {error}", field=setting.path, got=error.got, wanted=error.wanted
        ) from None
