"""A fixed set of games, digested: `python -m tests.support.seeded_games` prints the digest.

It needs nothing but the engine, so that any interpreter at hand can run it.
"""

from __future__ import annotations

import hashlib
import sys

from kitumaija.engine import (
    GameOptions,
    GameRecord,
    default_action,
    format_action,
    format_position,
    replay,
)
from tests.support.recording import random_player, record_game


def records() -> list[GameRecord]:
    """Return games of default players and of random ones at every number of players."""
    games: list[GameRecord] = []
    for seats in range(2, 11):
        options = GameOptions(turns_per_player=40)
        games.append(record_game(f"default {seats}", seats, default_action, options))
        name = f"random {seats}"
        games.append(record_game(name, seats, random_player(name), options))
    return games


def text_of(record: GameRecord) -> str:
    """Write down everything of a record, and every position it leads through."""
    lines = [
        f"{record.rules_version} {record.options.as_dict()} {record.seats}",
        f"{record.deal.deal_id} {record.deal.key.hex()} {record.deal.commitment.hex()}",
        f"{record.result}",
    ]
    lines += [
        f"{decision.seat} {format_action(decision.action)} {decision.by.value} {decision.fault}"
        for decision in record.decisions
    ]
    lines += [format_position(step.state) for step in replay(record).steps]
    return "\n".join(lines)


def digest() -> str:
    """Return the digest of all the games."""
    texts = [text_of(record) for record in records()]
    return hashlib.sha256("\n\n".join(texts).encode()).hexdigest()


if __name__ == "__main__":
    sys.stdout.write(f"{digest()}\n")
