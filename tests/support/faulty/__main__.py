"""A faulty bot as a process: ``python -m tests.support.faulty [--fault NAME]``, from the checkout.

Where to dial is in the environment, as for any bot. Without a fault it does all right.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import signal
import sys
from random import SystemRandom

from tests.support.faulty import zoo
from tests.support.faulty.hand_written import HandWritten


async def _play(kind: type[HandWritten]) -> int:
    bot = kind(
        os.environ["KITUMAIJA_ADDRESS"],
        os.environ["KITUMAIJA_TOKEN"],
        random=SystemRandom(),
        secret=secrets.token_bytes(32),
    )
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, bot.stop)
    code = await bot.run()
    sys.stderr.write("".join(f"{line}\n" for line in bot.written))
    return code


def main() -> int:
    """Play, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fault", choices=sorted(fault.name for fault in zoo.ALL))
    name = parser.parse_args().fault
    return asyncio.run(_play(HandWritten if name is None else zoo.named(name).kind))


if __name__ == "__main__":
    sys.exit(main())
