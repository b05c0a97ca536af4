"""gRPC's own notes are kept off the terminal, unless somebody asks for them."""

from __future__ import annotations

import os

import pytest

from kitumaija.console.quiet import silence_grpc


def test_grpc_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRPC_VERBOSITY", raising=False)

    silence_grpc()

    assert os.environ["GRPC_VERBOSITY"] == "NONE"


def test_who_asked_for_the_notes_sees_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRPC_VERBOSITY", "DEBUG")

    silence_grpc()

    assert os.environ["GRPC_VERBOSITY"] == "DEBUG"
