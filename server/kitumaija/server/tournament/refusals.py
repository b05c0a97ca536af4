"""The refusals of the tournament room, each built in one place."""

from __future__ import annotations

from collections.abc import Sequence

from kitumaija.console.text import counted
from kitumaija.server.choices import LOOKED_AT_MAX, Format
from kitumaija.server.errors import (
    AlreadyExists,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
)
from kitumaija.server.schedule.plan import BudgetTooSmall
from kitumaija.server.store.rows import EntrantState, MatchState, TournamentState
from kitumaija.server.tournament.lifecycle import WrongState
from kitumaija.server.tournament.settings import SettingsFault, WrongSettings
from kitumaija.wire.status import ErrorReason


def no_tournament(tournament_id: str) -> NotFound:
    """There is no such tournament."""
    return NotFound(
        ErrorReason.NOT_FOUND_TOURNAMENT,
        f"there is no tournament {tournament_id!r}; list the tournaments to see which there are",
        {"tournament_id": tournament_id},
    )


def tournament_exists(tournament_id: str) -> AlreadyExists:
    """The id is taken."""
    return AlreadyExists(
        ErrorReason.ALREADY_EXISTS_TOURNAMENT,
        f"there is a tournament {tournament_id!r} already, and ids are never given twice; "
        "choose another id",
        {"tournament_id": tournament_id},
    )


def wrong_state(tournament_id: str, error: WrongState) -> FailedPrecondition:
    """The command does not fit the tournament's state."""
    return FailedPrecondition(
        ErrorReason.TOURNAMENT_STATE,
        f"tournament {tournament_id!r}: {error}",
        {
            "tournament_id": tournament_id,
            "state": error.state.value,
            "wanted": ",".join(state.value for state in error.wanted),
        },
    )


def not_over(tournament_id: str, state: TournamentState) -> FailedPrecondition:
    """What was asked for is to be had when the tournament is over."""
    return FailedPrecondition(
        ErrorReason.TOURNAMENT_NOT_OVER,
        f"tournament {tournament_id!r} is {state}; this is to be had when it is finished or "
        "cancelled",
        {"tournament_id": tournament_id, "state": state.value},
    )


def no_bot(bot_id: str) -> NotFound:
    """There is no such bot."""
    return NotFound(
        ErrorReason.NOT_FOUND_BOT,
        f"there is no bot {bot_id!r}; register it first",
        {"bot_id": bot_id},
    )


def bot_disabled(bot_id: str) -> FailedPrecondition:
    """The bot is shut out and cannot be entered."""
    return FailedPrecondition(
        ErrorReason.ENTRANT_ABSENT,
        f"bot {bot_id!r} is shut out by the organizer and cannot connect, so it cannot be entered",
        {"bot_ids": bot_id},
    )


def no_match(match_id: str) -> NotFound:
    """There is no such match in the tournament."""
    return NotFound(
        ErrorReason.NOT_FOUND_MATCH,
        f"there is no match {match_id!r}; list the tournament's matches to see which there are",
        {"match_id": match_id},
    )


def match_not_played(match_id: str, state: MatchState) -> FailedPrecondition:
    """The match has no result that could be taken back."""
    return FailedPrecondition(
        ErrorReason.MATCH_NOT_OVER,
        f"match {match_id!r} is {state}; only a match that is finished, and so counts, can be "
        "declared void",
        {"match_id": match_id, "state": state.value},
    )


def no_entrant(tournament_id: str, bot_id: str) -> NotFound:
    """The bot is not in the tournament."""
    return NotFound(
        ErrorReason.NOT_FOUND_ENTRANT,
        f"bot {bot_id!r} is not entered in tournament {tournament_id!r}",
        {"tournament_id": tournament_id, "bot_id": bot_id},
    )


def entrant_exists(tournament_id: str, bot_id: str) -> AlreadyExists:
    """The bot has entered before."""
    return AlreadyExists(
        ErrorReason.ALREADY_EXISTS_ENTRANT,
        f"bot {bot_id!r} has entered tournament {tournament_id!r} before; one that left cannot "
        "come back to it",
        {"tournament_id": tournament_id, "bot_id": bot_id},
    )


def entrant_left(tournament_id: str, bot_id: str, state: EntrantState) -> FailedPrecondition:
    """The entrant is not in the tournament any more."""
    return FailedPrecondition(
        ErrorReason.ENTRANT_LEFT,
        f"bot {bot_id!r} was {state} from tournament {tournament_id!r} before",
        {"tournament_id": tournament_id, "bot_id": bot_id, "state": state.value},
    )


def entrant_state(
    tournament_id: str, bot_id: str, state: EntrantState, wanted: EntrantState
) -> FailedPrecondition:
    """The entrant is on the bench already, or is to come back from where it is not."""
    return FailedPrecondition(
        ErrorReason.ENTRANT_STATE,
        f"bot {bot_id!r} is {state} in tournament {tournament_id!r}; this is for one that is "
        f"{wanted}",
        {
            "tournament_id": tournament_id,
            "bot_id": bot_id,
            "state": state.value,
            "wanted": wanted.value,
        },
    )


def owner_limit(tournament_id: str, owner: str, limit: int) -> FailedPrecondition:
    """The owner has all the entrants it may have."""
    return FailedPrecondition(
        ErrorReason.OWNER_LIMIT,
        f"{owner!r} has {limit} in tournament {tournament_id!r}, which is as many entrants as an "
        "owner may have there (entries_per_owner)",
        {"tournament_id": tournament_id, "owner": owner, "limit": str(limit)},
    )


def too_few(tournament_id: str, entrants: Sequence[str], wanted: int) -> FailedPrecondition:
    """There are fewer entrants than seats at the largest table."""
    names = ", ".join(entrants) or "nobody"
    return FailedPrecondition(
        ErrorReason.TOO_FEW_ENTRANTS,
        f"tournament {tournament_id!r} has {counted(len(entrants), 'entrant')} ({names}); its "
        "largest table "
        f"has {wanted} seats, so it needs at least {wanted}",
        {"tournament_id": tournament_id, "entrants": str(len(entrants)), "wanted": str(wanted)},
    )


def no_challenger(tournament_id: str, missing: Sequence[str]) -> FailedPrecondition:
    """Bots that are to run a gauntlet are not entered."""
    names = ", ".join(missing)
    return FailedPrecondition(
        ErrorReason.TOO_FEW_ENTRANTS,
        f"tournament {tournament_id!r} is a gauntlet of challengers of whom these are not entered: "
        f"{names}; it cannot start without them: make another one, with whoever is there",
        {"tournament_id": tournament_id, "missing": ",".join(missing)},
    )


def field_too_small(tournament_id: str, field: Sequence[str], wanted: int) -> FailedPrecondition:
    """Too few are there whom the challengers of a gauntlet could meet."""
    names = ", ".join(field) or "nobody"
    return FailedPrecondition(
        ErrorReason.TOO_FEW_ENTRANTS,
        f"tournament {tournament_id!r} is a gauntlet, and its field is {names}; a table has one "
        f"challenger and {wanted} of the field, so it needs at least {wanted} beside the "
        "challengers",
        {"tournament_id": tournament_id, "entrants": str(len(field)), "wanted": str(wanted)},
    )


def no_late_entry(
    tournament_id: str, state: TournamentState, played_as: Format
) -> FailedPrecondition:
    """The schedule is under way and takes nobody in any more."""
    return FailedPrecondition(
        ErrorReason.TOURNAMENT_STATE,
        f"tournament {tournament_id!r} is {state}, and a {played_as.words} takes no more entrants "
        f"once it has started; only a {Format.LADDER} does, at its foot",
        {"tournament_id": tournament_id, "state": state.value, "wanted": TournamentState.OPEN},
    )


def round_over(tournament_id: str, match_id: str, round_number: int) -> FailedPrecondition:
    """Others follow already from the result that is to be taken back."""
    return FailedPrecondition(
        ErrorReason.ROUND_OVER,
        f"match {match_id!r} is of round {round_number}, which is over: who met whom afterwards "
        "follows from its results, so that none of them can be taken back any more; disqualify who "
        "is to blame, or cancel the tournament. Only a match of the round that is being played can "
        "be declared void: pause the tournament before that is over",
        {
            "tournament_id": tournament_id,
            "match_id": match_id,
            "round": str(round_number),
        },
    )


def budget_too_small(tournament_id: str, error: BudgetTooSmall) -> FailedPrecondition:
    """No schedule of so few matches is even."""
    return FailedPrecondition(
        ErrorReason.MATCH_BUDGET,
        f"tournament {tournament_id!r} cannot start with its match_budget: {error}",
        {"tournament_id": tournament_id, "needed": str(error.needed)},
    )


def goal_too_wide(tournament_id: str, until: str, entrants: int) -> FailedPrecondition:
    """All who play would be among the best, so that there is nothing to be found out."""
    return FailedPrecondition(
        ErrorReason.TOO_FEW_ENTRANTS,
        f"tournament {tournament_id!r} is to find out {until!r} and has "
        f"{counted(entrants, 'entrant')}: it takes more entrants than are looked for",
        {"tournament_id": tournament_id, "entrants": str(entrants), "until": until},
    )


def too_long_to_look_at(tournament_id: str, matches: int) -> FailedPrecondition:
    """There are more matches than can be looked at while others are played."""
    return FailedPrecondition(
        ErrorReason.MATCH_BUDGET,
        f"tournament {tournament_id!r} is to be looked at while it runs (until), and has {matches} "
        f"matches at one table size; wanted at most {LOOKED_AT_MAX}: make another one with a "
        "match_budget of so many for each table size, or without until",
        {"tournament_id": tournament_id, "most": str(LOOKED_AT_MAX)},
    )


def goal_reached(tournament_id: str, match_id: str) -> FailedPrecondition:
    """The tournament ends, since its goal is reached by the results."""
    return FailedPrecondition(
        ErrorReason.TOURNAMENT_STATE,
        f"tournament {tournament_id!r} has found out what it was to find out, and ends: match "
        f"{match_id!r} cannot be declared void any more",
        {"tournament_id": tournament_id, "match_id": match_id},
    )


def absent(tournament_id: str, bot_ids: Sequence[str]) -> FailedPrecondition:
    """Entrants are not connected."""
    names = ", ".join(bot_ids)
    return FailedPrecondition(
        ErrorReason.ENTRANT_ABSENT,
        f"tournament {tournament_id!r} cannot start while entrants are not connected: {names}; "
        "have them connect, withdraw them, or start with allow_absent",
        {"tournament_id": tournament_id, "bot_ids": ",".join(bot_ids)},
    )


def version_frozen(tournament_id: str, frozen: str, got: str) -> FailedPrecondition:
    """The bot came back as another version in the middle of a tournament."""
    return FailedPrecondition(
        ErrorReason.BOT_VERSION_FROZEN,
        f"tournament {tournament_id!r} is under way and this bot plays it as version {frozen!r}; "
        f"it came as {got!r}: come back as {frozen!r}, or have the bot withdrawn",
        {"tournament_id": tournament_id, "frozen": frozen, "got": got},
    )


def wrong_settings(error: WrongSettings) -> InvalidArgument:
    """Settings that no tournament can have."""
    reason = {
        SettingsFault.FIELD: ErrorReason.INVALID_ARGUMENT_FIELD,
        SettingsFault.ENDLESS_GAME: ErrorReason.INVALID_ARGUMENT_ENDLESS_GAME,
        SettingsFault.MATCH_CAP: ErrorReason.INVALID_ARGUMENT_MATCH_CAP,
    }[error.fault]
    return InvalidArgument(reason, str(error), error.metadata)
