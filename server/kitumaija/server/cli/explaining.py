"""`kitumaija replay explain MATCH SEAT`: why a seat was charged with what it was."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Annotated

import typer

from kitumaija.console.text import counted, plain, plain_lines
from kitumaija.engine import Phase, View, format_action, format_card, format_cards
from kitumaija.server.cli.connection import connected, say
from kitumaija.server.cli.output import print_json
from kitumaija.server.cli.parameters import (
    DEFAULT_ADDRESS,
    DEFAULT_DATA,
    Address,
    AsJson,
    Data,
)
from kitumaija.v1 import fault_pb2, game_pb2, record_pb2, replay_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.codec import (
    CodecError,
    action_from_message,
    legal_from_message,
    view_from_message,
)
from kitumaija.wire.exits import ExitCode

WIDTH = 80
_LABEL = 12
"""Columns of what stands before a line: what it is about."""

_PHASES = {
    Phase.CATCH: "to catch",
    Phase.FREE: "to play a free card",
    Phase.PICKUP: "to pick up",
    Phase.LEAD: "to lead",
}


def explain(
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The match's id.")],
    seat: Annotated[int, typer.Argument(metavar="SEAT", help="The seat, from 0.", min=0)],
    decision: Annotated[
        int,
        typer.Option(
            "--decision", min=0, help="Only this decision of the seat; 0 for all at fault."
        ),
    ] = 0,
    address: Address = DEFAULT_ADDRESS,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            envvar=["KITUMAIJA_ORGANIZER_TOKEN", "KITUMAIJA_TOKEN"],
            help="The organizer's token, or that of the seat's bot. Without it, the file"
            " organizer.token of --data is read.",
            show_default=False,
        ),
    ] = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Explain a seat's faults: what it was asked and answered, its clock, what was legal.

    For a match that is over, on a running server. A bot's token explains that bot's own seat.
    """
    request = replay_pb2.ExplainSeatRequest(match_id=match, seat=seat, decision_id=decision)
    with connected(address, token, data) as server:
        found = server.call(server.replays.ExplainSeat, request)
    if as_json:
        print_json(found)
        return
    try:
        for line in lines(found):
            typer.echo(plain_lines(line))
    except CodecError as error:
        say(f"what the server says is no explanation: {error}")
        raise typer.Exit(ExitCode.FAILED) from error


def lines(found: replay_pb2.ExplainSeatResponse) -> Iterator[str]:
    """Yield the explanation as lines of at most 80 columns; ids and names may be longer."""
    name = f" ({plain(found.display_name)})" if found.display_name else ""
    yield f"match {found.match_id}"
    yield f"seat {found.seat}, {found.bot_id}{name}"
    yield from _labelled("match", _how_it_ended(found))
    yield from _labelled("limits", _limits(found))
    if found.fault:
        yield from _labelled("fault", f"{_fault(found.fault)}. {found.sentence}")
        yield from _labelled("leads to", found.consequence)
    if found.decisions_by_forfeit:
        share = f"{found.decisions_by_forfeit} of {counted(found.decisions_made, 'decision')}"
        yield from _labelled("by forfeit", f"{share} were made by default after that.")
    for each in found.decisions:
        yield ""
        yield from _decision(each)
    loose = [one for one in found.incidents if not one.decision_id]
    if loose:
        yield ""
        yield "seen beside its decisions"
        for incident in loose:
            yield from _labelled(_seconds(incident.at_us), _incident(incident))
    if not found.decisions and not found.fault and not loose:
        yield ""
        yield "Nothing was wrong with this seat."


def _decision(each: replay_pb2.ExplainedDecision) -> Iterator[str]:
    view = view_from_message(each.view)
    yield f"decision {each.decision_id}"
    yield from _labelled("asked", _asked(view))
    yield from _labelled("hand", format_cards(view.hand) or "no card")
    yield from _labelled("legal", " · ".join(map(format_action, legal_from_message(each.legal))))
    bank = f"of it {_seconds(each.bank_us)} bank" if each.bank_us else "no bank left"
    yield from _labelled("time left", f"{_seconds(each.time_left_us)}, {bank}")
    for incident in each.incidents:
        yield from _labelled(_seconds(incident.timing.used_us), _incident(incident))
    yield from _labelled("used", _times(each.timing))
    made = each.decision
    if each.HasField("decision"):
        by = record_pb2.DecidedBy.Name(made.by).removeprefix("DECIDED_BY_").lower()
        why = f" for {_fault(made.fault)}" if made.fault else ""
        yield from _labelled("done", f"{_action(made.action)}, by {by}{why}")
    else:
        yield from _labelled("done", "nothing; the match ended by this")
    if each.sentence:
        yield from _labelled("why", each.sentence)
        yield from _labelled("leads to", each.consequence)


def _how_it_ended(found: replay_pb2.ExplainSeatResponse) -> str:
    state = v1.MatchState.Name(found.state).removeprefix("MATCH_STATE_").lower()
    place = f", place {found.place}" if found.place else ""
    return f"{state}{place}{f': {plain(found.reason)}' if found.reason else ''}"


def _limits(found: replay_pb2.ExplainSeatResponse) -> str:
    limits, policy = found.limits, found.policy
    times = ", ".join(
        f"{name.replace('_', ' ')} {getattr(limits, name).ToTimedelta().total_seconds():g} s"
        for name in ("startup", "per_decision", "bank", "increment", "margin", "grace")
    )
    illegal = v1.IllegalActions.Name(policy.illegal_actions).removeprefix("ILLEGAL_ACTIONS_")
    words = illegal.lower().replace("_", " ")
    if policy.illegal_actions == v1.ILLEGAL_ACTIONS_RETRY:
        words = counted(policy.illegal_retries, "retry", "retries")
    faults = counted(policy.faults_to_forfeit, "fault costs", "faults cost") + " the seat"
    if not policy.faults_to_forfeit:
        faults = "no number of faults costs the seat"
    return f"{times}; an illegal answer: {words}; {faults}"


def _asked(view: View) -> str:
    top = f"{format_card(view.top)} lies on top" if view.top else "no card lies on the pile"
    sizes = " ".join("?" if size is None else str(size) for size in view.hand_sizes)
    phase = _PHASES[view.phase] if view.phase is not None else "nothing"
    return (
        f"{phase}; {top} of {view.pile_size}; {view.stock_size} in the stock; cards by seat {sizes}"
    )


def _times(timing: record_pb2.DecisionTiming) -> str:
    # The network's share is an estimate of its own, and may come out above a very short time.
    network = min(timing.network_us, timing.used_us)
    parts = [
        f"{_seconds(timing.used_us)} charged",
        f"about {_seconds(network)} of it the network's",
        f"{_seconds(timing.server_us)} the server's before it",
    ]
    if timing.retimed_us:
        parts.append(f"{_seconds(timing.retimed_us)} taken off for a stall of the server")
    if timing.HasField("think_time_us"):
        parts.append(f"{_seconds(timing.think_time_us)} thought by its own account")
    return ", ".join(parts)


def _incident(incident: record_pb2.Incident) -> str:
    kind = incident.kind
    if kind == record_pb2.INCIDENT_KIND_ILLEGAL_ANSWER:
        answer = _action(incident.answer) if incident.HasField("answer") else "what no one can read"
        return f"answered {answer}: {plain(incident.detail)}"
    if kind == record_pb2.INCIDENT_KIND_FORFEITED:
        return f"forfeited for {_fault(incident.fault)} {plain(incident.detail)}".rstrip()
    return {
        record_pb2.INCIDENT_KIND_LOST: "lost its stream",
        record_pb2.INCIDENT_KIND_LEFT: "said Goodbye",
        record_pb2.INCIDENT_KIND_BACK: "was back on a new stream",
    }.get(kind, "something that this version does not know")


def _action(action: game_pb2.Action) -> str:
    return format_action(action_from_message(action))


def _fault(fault: "fault_pb2.FaultKind.ValueType") -> str:
    return fault_pb2.FaultKind.Name(fault).removeprefix("FAULT_KIND_").lower().replace("_", " ")


def _seconds(microseconds: int) -> str:
    return f"{microseconds / 1e6:.3f} s"


def _labelled(label: str, text: str) -> Iterator[str]:
    """Yield a text in lines, the first behind what it is about."""
    head = f"  {label}".ljust(_LABEL) + " "
    yield from wrap(
        text,
        WIDTH,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_on_hyphens=False,
    )
