"""Numbers about the server for Prometheus: what is counted, and where it can be read."""

from __future__ import annotations

from kitumaija.server.metrics.exposing import Exposed, MetricsPortTaken, expose
from kitumaija.server.metrics.numbers import Metrics

__all__ = ["Exposed", "Metrics", "MetricsPortTaken", "expose"]
