"""Write server/docs/balance.md: how even a round robin is, for up to 40 entrants and 10 seats.

`make balance` runs it; it takes some minutes, for every choice of tables is searched for.
"""

from __future__ import annotations

from pathlib import Path

from kitumaija.server.schedule.balance import Balance, balance

BUDGETS = (1_000, 10_000, 100_000)
ENTRANTS_MAX, SEATS_MAX = 40, 10
DOCUMENT = Path(__file__).parents[1] / "server" / "docs" / "balance.md"

HEAD = """# How even a round robin is

Made by `make balance`; a test makes some of its rows again. One round of 3 to 40 entrants at tables
of 2 to 10, with a `match_budget` of 1,000, 10,000 and 100,000 matches.
[tournaments.md](tournaments.md) says what is played when.

- **all**: all tables, each in all rotations; **sets**: a choice of them, each in all rotations;
  **single**: a choice, without rotations.
- *games*: of each entrant, the same for everybody; in each seat as many: games / k.
- *meet*: at how many tables two entrants meet, the least and the most of all pairs. In the
  rotations of one table they meet once.

"""


def cell(found: Balance) -> str:
    """Return the columns of one budget."""
    meet = f"{found.fewest}" if found.spread == 0 else f"{found.fewest}–{found.most}"
    return f"{found.plan.short} | {found.plan.matches:,} | {found.plan.games:,} | {meet}"


def rows(entrants: int) -> list[str]:
    """Return the lines of so many entrants."""
    return [
        f"| {entrants} | {size} | "
        + " | ".join(cell(balance(entrants, size, rounds=1, budget=budget)) for budget in BUDGETS)
        + " |"
        for size in range(2, min(entrants, SEATS_MAX) + 1)
    ]


def main() -> None:
    lines = ["| n | k |" + "".join(f" {budget:,} | matches | games | meet |" for budget in BUDGETS)]
    lines.append("|---:|---:|" + "---|---:|---:|---:|" * len(BUDGETS))
    for entrants in range(3, ENTRANTS_MAX + 1):
        lines += rows(entrants)
        print(f"{entrants} of {ENTRANTS_MAX} entrants")
    DOCUMENT.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
