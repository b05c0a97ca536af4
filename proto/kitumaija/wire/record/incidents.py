"""What was seen of a seat as a message."""

from __future__ import annotations

from collections.abc import Iterable

from kitumaija.engine import Seat
from kitumaija.v1 import record_pb2
from kitumaija.wire.codec import action_from_message, action_to_message
from kitumaija.wire.codec.enums import EnumTable
from kitumaija.wire.record.faults import fault_from_message, fault_to_message
from kitumaija.wire.record.times import timing_from_message, timing_to_message
from kitumaija.wire.record.values import Incident, IncidentKind

_KINDS = EnumTable(IncidentKind, "INCIDENT_KIND", record_pb2.IncidentKind.Value)


def incident_to_message(incident: Incident) -> record_pb2.Incident:
    """Return the message of an incident."""
    return record_pb2.Incident(
        seat=incident.seat,
        kind=_KINDS.to_message(incident.kind),
        at_us=incident.at_us,
        decisions_before=incident.decisions,
        decision_id=incident.decision_id,
        timing=None if incident.timing is None else timing_to_message(incident.timing),
        answer=None if incident.answer is None else action_to_message(incident.answer),
        detail=incident.detail,
        fault=fault_to_message(incident.fault),
    )


def incidents_from_messages(messages: Iterable[record_pb2.Incident]) -> tuple[Incident, ...]:
    """Return the incidents of messages.

    One of a kind that is not known here is passed over: it is a newer server's, and nothing is
    replayed from it. Raises `ValueError` for an answer or a fault that is none.
    """
    read = ((message, _KINDS.known(message.kind)) for message in messages)
    return tuple(_from_message(message, kind) for message, kind in read if kind is not None)


def _from_message(message: record_pb2.Incident, kind: IncidentKind) -> Incident:
    return Incident(
        seat=Seat(message.seat),
        kind=kind,
        at_us=message.at_us,
        decisions=message.decisions_before,
        decision_id=message.decision_id,
        timing=timing_from_message(message.timing) if message.HasField("timing") else None,
        answer=action_from_message(message.answer) if message.HasField("answer") else None,
        detail=message.detail,
        fault=fault_from_message(message.fault),
    )
