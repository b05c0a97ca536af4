"""Structured logs: one line an event, with match and bot ids, as text for people or as JSON.

No card of a running match belongs in any log. So what is logged of a match are ids, faults and
times, and an exception beside one is logged by its place, not by its text.
"""

from __future__ import annotations

import logging
import sys
import traceback
from typing import TextIO

import structlog

from kitumaija.server.choices import LogFormat, LogLevel

# Without the values of local variables: among them are seeds and hands, and to write them all out
# takes seconds, in which the server stands still.
_JSON_TRACEBACKS = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
)


def set_up(level: LogLevel, form: LogFormat, to: TextIO | None = None) -> None:
    """Send log lines of `level` and above to `to`, which is stderr if nothing is given.

    What libraries say by `logging` goes the same way. Meant for a process that is a server; tests
    and embedding programs may set up structlog themselves.
    """
    stream = to or sys.stderr
    number = logging.getLevelNamesMapping()[level.value.upper()]
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    renderers: list[structlog.typing.Processor]
    if form is LogFormat.JSON:
        renderers = [_JSON_TRACEBACKS, structlog.processors.JSONRenderer()]
    else:
        renderers = [
            structlog.dev.ConsoleRenderer(
                colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback
            )
        ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *renderers,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(number)
    # It tells of every step of a migration, twice.
    logging.getLogger("alembic").setLevel(max(number, logging.WARNING))


def place_of(error: BaseException) -> dict[str, str]:
    """Return an exception's type and where it was raised, without its text."""
    frames = traceback.extract_tb(error.__traceback__)
    return {
        "error": type(error).__name__,
        "raised_at": " > ".join(f"{frame.filename}:{frame.lineno}" for frame in frames[-4:]),
    }
