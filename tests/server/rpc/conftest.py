"""A server for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.arena import Arena, running_arena
from tests.support.organizer import Organizer, organized


@pytest.fixture
async def arena(tmp_path: Path) -> AsyncIterator[Arena]:
    """A running server whose clock stands still until the test moves it."""
    async with running_arena(tmp_path / "data") as running:
        yield running


@pytest.fixture
async def organizer(tmp_path: Path) -> AsyncIterator[Organizer]:
    """An organizer with a running server that plays tournaments; its clock stands still too."""
    async with organized(tmp_path / "data") as running:
        yield running
