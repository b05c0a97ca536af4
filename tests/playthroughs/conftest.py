from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        help="write the golden playthroughs anew instead of comparing with them",
    )


@pytest.fixture
def rewrite_golden(pytestconfig: pytest.Config) -> bool:
    # Known only where this folder is named on the command line; elsewhere nothing is written.
    return bool(pytestconfig.getoption("--rewrite-golden", default=False))
