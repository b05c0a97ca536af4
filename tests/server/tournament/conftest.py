"""A server with a director for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.organizer import Organizer, organized


@pytest.fixture
async def organizer(tmp_path: Path) -> AsyncIterator[Organizer]:
    """An organizer with a running server, whose clock stands still until the test moves it."""
    async with organized(tmp_path / "data") as running:
        yield running
