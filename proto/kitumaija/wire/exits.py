"""What the exit code of a `kitumaija` command means, whoever it is for: authors and organizers."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes."""

    OK = 0
    """What was asked for is done, or holds."""
    FAILED = 1
    """What was asked for did not come about, or does not hold.

    A check failed, or a tournament ended without its results.
    """
    USAGE = 2
    """The command was not understood, or names something that does not exist."""
    UNREACHABLE = 3
    """The server did not answer."""
    REFUSED = 4
    """The server answered and refused: a wrong token, a missing right, the wrong state for it."""
    INTERRUPTED = 130
    """Ended by the user, with Ctrl-C."""
