"""The times of a decision as a message."""

from __future__ import annotations

from kitumaija.v1 import record_pb2
from kitumaija.wire.record.values import DecisionTiming


def timing_to_message(timing: DecisionTiming) -> record_pb2.DecisionTiming:
    """Return the message of one decision's times."""
    return record_pb2.DecisionTiming(
        used_us=timing.used_us,
        network_us=timing.network_us,
        server_us=timing.server_us,
        retimed_us=timing.retimed_us,
        think_time_us=timing.think_time_us,
    )


def timing_from_message(message: record_pb2.DecisionTiming) -> DecisionTiming:
    """Return one decision's times."""
    return DecisionTiming(
        message.used_us,
        message.network_us,
        message.server_us,
        message.retimed_us,
        message.think_time_us if message.HasField("think_time_us") else None,
    )
