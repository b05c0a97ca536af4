"""Inputs that nobody sends, at every door, for as long as one likes.

`python -m tests.fuzz.soak_fuzz --seconds 600 --seed 1 --jobs 2` tries each door for ten minutes,
two side by side, and prints how many inputs it tried and what broke, with the inputs. It ends with
1 if anything did. Each door has a process of its own, so that one that dies or hangs is found too.
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.decoding import DECODED
from tests.fuzz.doors import DOORS
from tests.fuzz.figures import Figures
from tests.fuzz.guided import available
from tests.fuzz.one_door import REPORT

ENDS_WITHIN_SECONDS = 120
"""How long a door may take beyond its time before it counts as one that hangs."""
_SHOWN_LINES = 30


async def try_door(name: str, seconds: float, seed: int) -> Figures:
    """Try a door in a process of its own and return the figures."""
    with tempfile.TemporaryDirectory(prefix="kitumaija-fuzz-") as folder:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.fuzz.one_door", name, str(seconds), str(seed), folder),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            async with asyncio.timeout(seconds + ENDS_WITHIN_SECONDS):
                said, _ = await child.communicate()
        except TimeoutError:
            said = b"it hangs"
        finally:
            if child.returncode is None:
                child.kill()
        report = Path(folder) / REPORT
        if child.returncode == 0 and report.exists():
            return Figures.from_json(report.read_text(encoding="utf-8"))
        return _died(Path(folder), child.returncode, said.decode("utf-8", "replace"))


def _died(folder: Path, code: int | None, said: str) -> Figures:
    """Return the figures of a door whose process ended before its time."""
    figures = Figures()
    kept = [
        path for path in folder.iterdir() if path.name.startswith(("crash-", "timeout-", "oom-"))
    ]
    lines = [line for line in said.splitlines() if not line.startswith("INFO: ")]
    told = "\n    ".join([f"the process ended with {code}", *lines[-_SHOWN_LINES:]])
    figures.broke([path.read_bytes() for path in kept], told)
    return figures


async def try_doors(names: Sequence[str], seconds: float, seed: int, jobs: int) -> int:
    """Try doors, so many side by side, and print the figures of each; return all crashes."""
    places = asyncio.Semaphore(jobs)

    async def one(name: str) -> int:
        async with places:
            figures = await try_door(name, seconds, seed)
        sys.stdout.write(f"{name}: {figures}\n")
        for crash in figures.crashes.values():
            sys.stdout.write(f"  {crash}\n")
        sys.stdout.flush()
        return figures.outcomes["CRASH"]

    return sum(await asyncio.gather(*map(one, names)))


def main() -> int:
    """Try the doors that were asked for; return the exit status."""
    parser = argparse.ArgumentParser(description="inputs that nobody sends, at every door")
    parser.add_argument("--seconds", type=float, default=600, help="for each door (default: 600)")
    parser.add_argument("--seed", type=int, default=1, help="of chance (default: 1)")
    parser.add_argument("--jobs", type=int, default=2, help="doors at a time (default: 2)")
    parser.add_argument("doors", nargs="*", help=f"of {', '.join(DOORS)} (default: all)")
    given = parser.parse_args()
    names = given.doors or list(DOORS)
    if unknown := [name for name in names if name not in DOORS]:
        parser.error(f"no door {', '.join(unknown)}; wanted some of {', '.join(DOORS)}")
    alone = [name for name in names if name in DECODED]
    if alone and not available():
        sys.stdout.write(
            f"atheris is not installed, and does not come ready-made for every Python (this is "
            f"{platform.python_version()} on {platform.system()} {platform.machine()}): coverage "
            f"guides nothing, and {', '.join(alone)} are tried by chance alone\n"
        )
    return 1 if asyncio.run(try_doors(names, given.seconds, given.seed, given.jobs)) else 0


if __name__ == "__main__":
    sys.exit(main())
