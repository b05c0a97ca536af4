"""How many files and sockets the process may have open: each connected bot takes one."""

from __future__ import annotations

ENOUGH = 8_192
"""For some thousands of bots, the store, and what else is open."""


def raise_limit() -> str | None:
    """Raise the soft limit of open files to the hard one.

    Returns a sentence for the operator where even that is low, None where all is well or the system
    has no such limit.
    """
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (OSError, ValueError):
            hard = soft  # some systems take no limit that they call unlimited
    if hard == resource.RLIM_INFINITY or hard >= ENOUGH:
        return None
    return (
        f"this process may open {hard} files, and every bot takes one: raise the limit "
        "(`ulimit -Hn`, LimitNOFILE of systemd) to serve more"
    )
