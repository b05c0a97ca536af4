"""How often each sample bot beats the one before it, over local games, with its 95 % interval.

Fails where the interval does not lie above one half: each bot of the ladder is to be a lesson worth
learning.
"""

from __future__ import annotations

import os
import sys
from itertools import pairwise

from kitumaija.sdk.arena import Estimate, arena
from kitumaija.sdk.bot import name_of
from kitumaija.sdk.loading import load

LADDER = ["smallest", "gambler", "observer", "rememberer", "timekeeper"]
SEATS = [2, 4]
GAMES = 2_000
SEED = "sample-strength"


def beats(bot: str, before: str, seats: int) -> Estimate:
    """Return how often the bot has the better place of the two."""
    played = arena(
        [f"sample:{bot}", f"sample:{before}"],
        seats=seats,
        games=GAMES,
        seed=SEED,
        on_error="raise",
        jobs=os.cpu_count() or 1,
    )
    return played.beats(name_of(load(f"sample:{bot}")), name_of(load(f"sample:{before}")))


def main() -> int:
    """Print the table; return 1 if a bot is not stronger than the one before."""
    weak = False
    print(f"{'':32}{'seats':>5}{'games':>7}  P(beats the one before)")
    for before, bot in pairwise(LADDER):
        for seats in SEATS:
            found = beats(bot, before, seats)
            weak |= found.low <= 0.5
            print(
                f"{bot + ' against ' + before:32}{seats:5}{GAMES:7}"
                f"  {found.share:.3f}  [{found.low:.3f}, {found.high:.3f}]",
                flush=True,
            )
    return int(weak)


if __name__ == "__main__":
    sys.exit(main())
