"""The event loop that a server runs on."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run `main` on uvloop where it is installed, else on asyncio's own loop."""
    try:
        import uvloop  # noqa: PLC0415 - not there on every machine
    except ImportError:
        return asyncio.run(main)
    return uvloop.run(main)
