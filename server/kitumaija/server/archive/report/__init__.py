"""A tournament as one page that needs nothing else: no other file, no network, no script."""

from __future__ import annotations

from kitumaija.server.archive.report.page import report

__all__ = ["report"]
