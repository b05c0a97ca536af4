"""The command `kitumaija`.

Its root and the bot authors' commands are here; the organizers' are added to them where the package
behind them is installed (`kitumaija.sdk.cli.extensions`). typer and rich, which draw all of it, are
the extra `kitumaija[cli]`: a bot needs neither.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from kitumaija.console.garbage import search_rarely
from kitumaija.console.quiet import silence_grpc
from kitumaija.sdk.errors import SdkError
from kitumaija.sdk.online import end_with
from kitumaija.wire.exits import ExitCode


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with `arguments`, by default the process's own, and end the process."""
    if any(find_spec(name) is None for name in ("rich", "typer")):
        sys.stderr.write("the command kitumaija needs more: pip install 'kitumaija[cli]'\n")
        sys.exit(ExitCode.USAGE)
    search_rarely()
    silence_grpc()
    from kitumaija.sdk.cli.root import build

    try:
        build()(args=None if arguments is None else list(arguments), prog_name="kitumaija")
    except SdkError as error:
        end_with(error)
