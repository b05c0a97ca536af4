"""A server for each test, as fixtures: a `conftest.py` imports those that its folder wants."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.arena import Arena, running_arena
from tests.support.organizer import Organizer, organized


@pytest.fixture
async def arena(tmp_path: Path) -> AsyncIterator[Arena]:
    """A running server on which the test opens the matches; its clock stands still."""
    async with running_arena(tmp_path / "data") as running:
        yield running


@pytest.fixture
async def organizer(tmp_path: Path) -> AsyncIterator[Organizer]:
    """A running server that plays tournaments, and its organizer; its clock stands still too."""
    async with organized(tmp_path / "data") as running:
        yield running
