"""A tournament's settings as a message, and what a message asks for as settings."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from google.protobuf.duration_pb2 import Duration

from kitumaija.server.choices import Format, HandsVisible, IllegalActions, rounds_default
from kitumaija.server.errors import InvalidArgument
from kitumaija.server.match.values import FaultPolicy
from kitumaija.server.tournament.refusals import wrong_settings
from kitumaija.server.tournament.settings import TournamentSettings, WrongSettings
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.codec import CodecError, options_from_message, options_to_message
from kitumaija.wire.status import ErrorReason
from kitumaija.wire.times import (
    duration_from_message,
    duration_to_message,
    limits_from_message,
    limits_to_message,
)

_HANDS_VISIBLE = {
    v1.HANDS_VISIBLE_UNSPECIFIED: HandsVisible.AFTER_TOURNAMENT,
    v1.HANDS_VISIBLE_AFTER_TOURNAMENT: HandsVisible.AFTER_TOURNAMENT,
    v1.HANDS_VISIBLE_AFTER_MATCH: HandsVisible.AFTER_MATCH,
}
_HANDS_VISIBLE_MESSAGE = {
    HandsVisible.AFTER_TOURNAMENT: v1.HANDS_VISIBLE_AFTER_TOURNAMENT,
    HandsVisible.AFTER_MATCH: v1.HANDS_VISIBLE_AFTER_MATCH,
}
_FORMAT_MESSAGE = {
    played_as: v1.TournamentFormat.Value(f"TOURNAMENT_FORMAT_{played_as.name}")
    for played_as in Format
}
_FORMAT = {
    v1.TOURNAMENT_FORMAT_UNSPECIFIED: Format.ROUND_ROBIN,
    **{value: played_as for played_as, value in _FORMAT_MESSAGE.items()},
}
_ILLEGAL_ACTIONS_MESSAGE = {
    policy: v1.IllegalActions.Value(f"ILLEGAL_ACTIONS_{policy.name}") for policy in IllegalActions
}
_ILLEGAL_ACTIONS = {
    v1.ILLEGAL_ACTIONS_UNSPECIFIED: IllegalActions.RETRY,
    **{value: policy for policy, value in _ILLEGAL_ACTIONS_MESSAGE.items()},
}


def settings_from_message(message: v1.TournamentSettings) -> TournamentSettings:
    """Return the settings; what is left out has its default.

    Raises `InvalidArgument`, naming the field, what was got and what is wanted.
    """
    given: dict[str, Any] = {
        name: getattr(message, name)
        for name in (
            "rounds",
            "entries_per_owner",
            "max_running_matches",
            "match_budget",
            "tables_per_round",
        )
        if message.HasField(name)
    }
    if message.faults.HasField("no_shows_to_withdraw"):
        given["no_shows_to_withdraw"] = message.faults.no_shows_to_withdraw
    if message.hands_visible not in _HANDS_VISIBLE:
        raise _wrong("hands_visible", f"hands_visible: got {message.hands_visible}, no known value")
    played_as = _FORMAT.get(message.format)
    if played_as is None:
        raise _wrong("format", f"format: got {message.format}, no known value")
    given.setdefault("rounds", rounds_default(played_as))
    try:
        options = options_from_message(message.options)
    except CodecError as error:
        raise _wrong("options", str(error)) from None
    try:
        limits = limits_from_message(message.limits)
    except ValueError as error:
        raise _wrong("limits", str(error)) from None
    if message.HasField("bench_wait"):
        given["bench_wait"] = _time("bench_wait", message.bench_wait)
    policy = _policy_from_message(message.faults)
    try:
        return TournamentSettings(
            table_sizes=tuple(message.table_sizes) or (2,),
            options=options,
            limits=limits,
            policy=policy,
            hands_visible=_HANDS_VISIBLE[message.hands_visible],
            unsafe_seed=message.unsafe_seed,
            allow_version_changes=message.allow_version_changes,
            blind=message.blind,
            format=played_as,
            challengers=tuple(message.challengers),
            until=message.until,
            **given,
        )
    except WrongSettings as error:
        raise wrong_settings(error) from None


def settings_to_message(settings: TournamentSettings) -> v1.TournamentSettings:
    """Return the message with every field set: a match cap that was left out, as it comes to."""
    limits = settings.limits
    if limits.match_cap is None:
        limits = replace(limits, match_cap=settings.longest_match())
    return v1.TournamentSettings(
        table_sizes=settings.table_sizes,
        rounds=settings.rounds,
        options=options_to_message(settings.options),
        limits=limits_to_message(limits),
        faults=v1.FaultPolicy(
            illegal_retries=settings.policy.illegal_retries,
            faults_to_forfeit=settings.policy.faults_to_forfeit,
            no_shows_to_withdraw=settings.no_shows_to_withdraw,
            illegal_actions=_ILLEGAL_ACTIONS_MESSAGE[settings.policy.illegal_actions],
        ),
        entries_per_owner=settings.entries_per_owner,
        max_running_matches=settings.max_running_matches,
        hands_visible=_HANDS_VISIBLE_MESSAGE[settings.hands_visible],
        unsafe_seed=settings.unsafe_seed,
        allow_version_changes=settings.allow_version_changes,
        blind=settings.blind,
        match_budget=settings.match_budget,
        bench_wait=duration_to_message(settings.bench_wait),
        format=_FORMAT_MESSAGE[settings.format],
        challengers=settings.challengers,
        until=settings.until,
        tables_per_round=settings.tables_per_round,
    )


def _time(field: str, message: Duration) -> timedelta:
    try:
        return duration_from_message(field, message)
    except ValueError as error:
        raise _wrong(field, str(error)) from None


def _policy_from_message(message: v1.FaultPolicy) -> FaultPolicy:
    illegal_actions = _ILLEGAL_ACTIONS.get(message.illegal_actions)
    if illegal_actions is None:
        raise _wrong("faults", f"illegal_actions: got {message.illegal_actions}, no known value")
    given = {
        name: getattr(message, name)
        for name in ("illegal_retries", "faults_to_forfeit")
        if message.HasField(name)
    }
    if illegal_actions is not IllegalActions.RETRY:
        given.setdefault("illegal_retries", 0)
    try:
        return FaultPolicy(**given, illegal_actions=illegal_actions)
    except ValueError as error:
        raise _wrong("faults", str(error)) from None


def _wrong(field: str, message: str) -> InvalidArgument:
    return InvalidArgument(ErrorReason.INVALID_ARGUMENT_FIELD, message, {"field": field})
