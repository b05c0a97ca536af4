"""What holds for every test."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# Deadlines measure the machine, not the code. CI plays the same examples every time, so that what
# fails there fails here; by hand each run looks at others.
settings.register_profile("kitumaija", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("kitumaija")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--games",
        type=int,
        default=100_000,
        metavar="N",
        help="random games that the tests of the rules play in all (`make soak-rules`: 1000000)",
    )


@pytest.fixture(scope="session")
def games(request: pytest.FixtureRequest) -> int:
    """How many random games the tests of the rules play in all."""
    number: int = request.config.getoption("--games")
    return number
