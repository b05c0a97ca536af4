"""A thousand single bytes of an export, changed at random: each is found, or means nothing.

`python -m tests.server.soak_tamper` plays a tournament, exports it, and verifies changed copies of
it. It ends with 1 if a change was not found that means something.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.support.exports import make_export
from tests.support.tampering import report, tamper


def main() -> int:
    """Run it; say what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=1000, help="how many bytes are changed")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same changes")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as where:
        export = make_export(Path(where) / "data")
    counted, wrong = report(tamper(export, given.seed, given.changes))
    say = sys.stdout.write
    for what, count in sorted(counted.items()):
        say(f"{what}: {count}\n")
    for change in wrong:
        say(f"WRONG, {change.way}, {change.what}: {change.wrong}\n")
    say(f"{given.changes} changes, of which {len(wrong)} were neither found nor meaningless\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
