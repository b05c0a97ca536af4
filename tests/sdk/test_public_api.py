"""The front door: what it exports, and how little it loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

import kitumaija.sdk

PUBLIC = {
    "Action",
    "Bot",
    "Card",
    "Match",
    "Pass",
    "Phase",
    "PlayCard",
    "Rank",
    "Result",
    "SdkError",
    "Suit",
    "TakeCards",
    "Turn",
    "TurnCard",
    "play",
    "run",
}
TURN = {
    "asked_at",
    "bank",
    "can_pass",
    "can_turn",
    "clock",
    "decision_id",
    "events",
    "hand",
    "hand_sizes",
    "last_used",
    "legal",
    "luck",
    "maija_pending",
    "match",
    "next_seat",
    "out",
    "phase",
    "pile_size",
    "playable",
    "remaining",
    "round_trip",
    "seat",
    "seats",
    "stock_size",
    "takes",
    "time_left",
    "top",
    "turns",
    "view",
}
NEVER_FOR_A_BOT = {
    "alembic",
    "kitumaija.server",
    "pydantic",
    "rich",
    "sqlalchemy",
    "structlog",
    "trueskill",
    "typer",
}


def _modules_after(statement: str) -> set[str]:
    program = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_the_front_door_is_short() -> None:
    assert set(kitumaija.sdk.__all__) == PUBLIC
    assert all(hasattr(kitumaija.sdk, name) for name in PUBLIC)


def test_a_turn_has_what_the_guide_says_and_no_more() -> None:
    assert {name for name in dir(kitumaija.sdk.Turn) if not name.startswith("_")} == TURN


@pytest.mark.parametrize(
    "module",
    [
        "kitumaija.sdk",
        "kitumaija.sdk.arena",
        "kitumaija.sdk.client",
        "kitumaija.sdk.memory",
        "kitumaija.sdk.testing",
        "kitumaija.sdk.__main__",
    ],
)
def test_a_bot_loads_nothing_that_only_a_server_or_a_terminal_needs(module: str) -> None:
    assert _modules_after(f"import {module}") & NEVER_FOR_A_BOT == set()


def test_local_play_loads_no_network() -> None:
    assert "grpc" not in _modules_after("import kitumaija.sdk, kitumaija.sdk.arena")
