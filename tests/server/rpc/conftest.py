"""A server for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.arena import Arena, running_arena


@pytest.fixture
async def arena(tmp_path: Path) -> AsyncIterator[Arena]:
    """A running server whose clock stands still until the test moves it."""
    async with running_arena(tmp_path / "data") as running:
        yield running
