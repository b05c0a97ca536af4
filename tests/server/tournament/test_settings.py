"""The settings of a tournament: what they come to, and what they refuse."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitumaija.engine import FreeFromStock, GameOptions, HandSizes, PickUp, Stopped
from kitumaija.server.choices import Format, HandsVisible
from kitumaija.server.errors import InvalidArgument
from kitumaija.server.match import FaultPolicy, IllegalActions
from kitumaija.server.rpc.settings_messages import settings_from_message, settings_to_message
from kitumaija.server.tournament.settings import (
    SettingsFault,
    TournamentSettings,
    WrongSettings,
)
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.times import Limits

options = st.builds(
    GameOptions,
    free_from_stock=st.sampled_from(FreeFromStock),
    pickup=st.sampled_from(PickUp),
    repetition=st.sampled_from([0, 2, 3, 100]),
    turns_per_player=st.integers(1, 1000),
    stopped=st.sampled_from(Stopped),
    hand_sizes=st.sampled_from(HandSizes),
)
short = st.integers(1, 10_000_000).map(lambda us: timedelta(microseconds=us))
limits = st.builds(
    Limits,
    startup=short,
    per_decision=short,
    bank=short,
    increment=short,
    margin=short,
    grace=short,
    match_cap=st.sampled_from([None, timedelta(days=365)]),
)
settings = st.builds(
    TournamentSettings,
    table_sizes=st.sets(st.integers(2, 10), min_size=1).map(tuple),
    rounds=st.integers(1, 10_000),
    options=options,
    limits=limits,
    policy=st.builds(FaultPolicy, st.integers(0, 1000), st.integers(0, 1000))
    | st.builds(
        FaultPolicy,
        st.just(0),
        st.integers(0, 1000),
        st.sampled_from(IllegalActions),
    ),
    no_shows_to_withdraw=st.integers(1, 1000),
    entries_per_owner=st.integers(1, 1000),
    max_running_matches=st.integers(1, 10_000),
    hands_visible=st.sampled_from(HandsVisible),
    unsafe_seed=st.text(max_size=200),
    allow_version_changes=st.booleans(),
    match_budget=st.integers(1, 10_000_000),
    bench_wait=short,
)


@given(settings)
def test_settings_survive_the_store(chosen: TournamentSettings) -> None:
    assert TournamentSettings.from_dict(json.loads(json.dumps(chosen.as_dict()))) == chosen


def test_settings_stored_before_these_were_any_are_read_with_their_defaults() -> None:
    plain = TournamentSettings().as_dict()
    del plain["illegal_actions"], plain["allow_version_changes"], plain["match_budget"]
    assert TournamentSettings.from_dict(plain) == TournamentSettings()


def test_a_policy_without_retries_needs_none_said_and_refuses_any() -> None:
    policy = v1.FaultPolicy(illegal_actions=v1.ILLEGAL_ACTIONS_FORFEIT_AT_ONCE)
    read = settings_from_message(v1.TournamentSettings(faults=policy))
    assert read.policy == FaultPolicy(0, 5, IllegalActions.FORFEIT_AT_ONCE)
    policy.illegal_retries = 1
    with pytest.raises(InvalidArgument, match="only retry retries"):
        settings_from_message(v1.TournamentSettings(faults=policy))


@given(settings.filter(lambda chosen: "\ud800" not in chosen.unsafe_seed))
def test_settings_survive_the_wire_with_every_default_said(chosen: TournamentSettings) -> None:
    read = settings_from_message(settings_to_message(chosen))
    assert read.limits.match_cap == chosen.limits.match_cap or chosen.longest_match()
    assert settings_to_message(read) == settings_to_message(chosen)


def test_table_sizes_are_kept_ascending() -> None:
    assert TournamentSettings(table_sizes=(4, 2, 10)).table_sizes == (2, 4, 10)


@pytest.mark.parametrize("played_as", Format)
def test_the_format_survives_storing(played_as: Format) -> None:
    challengers = ("ann",) if played_as is Format.GAUNTLET else ()
    goal = {"until": "top 1 settled at 95 %", "match_budget": 100, "tables_per_round": 2}
    more: dict[str, Any] = goal if played_as is Format.ADAPTIVE else {}
    settings = TournamentSettings(format=played_as, challengers=challengers, **more)
    assert TournamentSettings.from_dict(settings.as_dict()) == settings


def test_settings_that_were_stored_before_there_were_formats_are_a_round_robin() -> None:
    plain = TournamentSettings().as_dict()
    del plain["format"], plain["challengers"], plain["until"], plain["tables_per_round"]
    assert TournamentSettings.from_dict(plain).format is Format.ROUND_ROBIN


def test_the_longest_match_is_that_of_the_largest_table() -> None:
    both = TournamentSettings(table_sizes=(2, 5)).longest_match()
    assert both == TournamentSettings(table_sizes=(5,)).longest_match()
    assert both > TournamentSettings(table_sizes=(2,)).longest_match()


@pytest.mark.parametrize("off", [-1, 0, 1])
def test_a_match_cap_is_judged_at_the_limit_and_on_both_sides_of_it(off: int) -> None:
    needed = TournamentSettings().longest_match()
    cap = Limits(match_cap=needed + timedelta(microseconds=off))
    if off >= 0:
        assert TournamentSettings(limits=cap).limits.match_cap == cap.match_cap
        return
    with pytest.raises(WrongSettings) as refused:
        TournamentSettings(limits=cap)
    assert refused.value.fault is SettingsFault.MATCH_CAP
    assert int(refused.value.metadata["needed_seconds"]) >= needed.total_seconds()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"table_sizes": ()}, "got none"),
        ({"table_sizes": (2, 11)}, "got 11, wanted a whole number of seats from 2 to 10"),
        ({"table_sizes": (3, 3)}, "every size once; use rounds"),
        ({"rounds": 10_001}, "got 10001"),
        ({"no_shows_to_withdraw": 0}, "no_shows_to_withdraw: got 0"),
        ({"entries_per_owner": 1001}, "got 1001"),
        ({"max_running_matches": 10_001}, "got 10001"),
        ({"unsafe_seed": "x" * 201}, "got 201 characters"),
        ({"format": Format.SWISS, "table_sizes": (2, 3)}, "wanted one size: a swiss is played"),
        ({"format": Format.KNOCKOUT, "rounds": 2}, "got 2, wanted none: a knockout has as many"),
        ({"format": Format.GAUNTLET}, "got none, wanted the ids of the bots that run"),
        ({"format": Format.GAUNTLET, "challengers": ("ann", "ann")}, "every one of them once"),
        ({"format": Format.GAUNTLET, "challengers": ("ann", "B b")}, "wanted 1 to 63 of a-z"),
        ({"challengers": ("ann",)}, "only a gauntlet has challengers, and this is a round robin"),
        ({"until": "the best"}, 'until: got "the best", wanted a goal such as \'top 3 settled'),
        (
            {"format": Format.SWISS, "until": "top 1 settled at 95 %"},
            "the places of a swiss are decided by its rounds",
        ),
        ({"format": Format.ADAPTIVE, "match_budget": 100}, "until: got none, wanted a goal such"),
        (
            {"format": Format.ADAPTIVE, "until": "top 1 settled at 95 %"},
            "match_budget: got 10000000, wanted at most 100000",
        ),
        ({"tables_per_round": 3}, "only an adaptive tournament chooses its tables"),
        ({"options": GameOptions(turns_per_player=0)}, "could last for ever"),
        ({"limits": Limits(per_decision=timedelta(days=300))}, "more than 365 days"),
        (
            {
                "limits": Limits(per_decision=timedelta(days=300)),
                "options": GameOptions(turns_per_player=1_000_000),
            },
            "lower the limits or options.turns_per_player",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(WrongSettings, match=said):
        TournamentSettings(**fields)
