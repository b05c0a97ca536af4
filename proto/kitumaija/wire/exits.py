"""What the exit code of a `kitumaija` command means: one list for the authors' and the organizers' commands."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes."""

    OK = 0
    """What was asked for is done, or holds."""
    FAILED = 1
    """What was asked for did not come about, or does not hold: a check failed, a tournament ended without its results."""
    USAGE = 2
    """The command was not understood, or names something that does not exist."""
    UNREACHABLE = 3
    """The server did not answer."""
    REFUSED = 4
    """The server answered and refused: a missing right, a wrong token, a state in which this cannot be done."""
    INTERRUPTED = 130
    """Ended by the user, with Ctrl-C."""
