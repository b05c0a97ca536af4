"""What the calls of `WorldService` answer: made from the request, and from nothing else.

It knows no server, no store and no match. So there is nothing in it that it could give away.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from kitumaija.engine import (
    Contradiction,
    Event,
    GameOptions,
    IllegalAction,
    InformationSet,
    SamplingLimit,
    State,
    apply,
    legal_actions,
    text_seed,
    view,
)
from kitumaija.v1 import game_pb2, world_pb2
from kitumaija.wire.codec import (
    CodecError,
    action_from_message,
    event_from_message,
    events_to_message,
    legal_to_message,
    options_from_message,
    view_to_message,
    world_from_message,
    world_to_message,
)
from kitumaija.wire.limits import ACTIONS_MAX, LINES_MAX, WORLDS_MAX

SENTENCE_MAX: Final = 500
"""How much is said of what was got, and of what was wanted, in characters: what repeats a request
could be as long as it, and a status travels in metadata, of which gRPC takes a few KiB."""


class Unanswerable(ValueError):
    """A field of a request is wrong: what was got in it, and what was wanted."""

    def __init__(self, field: str, got: str, wanted: str) -> None:
        super().__init__(f"{field}: got {got}, wanted {wanted}")
        self.field = field
        self.got = _shortened(got)
        self.wanted = _shortened(wanted)


def sample_worlds(request: world_pb2.SampleWorldsRequest) -> world_pb2.SampleWorldsResponse:
    """Draw worlds that agree with the request's events. Raises `Unanswerable`."""
    count = request.count or 1
    if count > WORLDS_MAX:
        raise Unanswerable("count", str(count), f"at most {WORLDS_MAX}; ask on with `first`")
    options = _options(request.options)
    try:
        known = InformationSet(_events(request.events), options)
    except Contradiction as error:
        raise Unanswerable(
            f"events[{error.event}]",
            _named(request.events, error.event),
            f"what a game by these options can bring about: {error.why}",
        ) from None
    except SamplingLimit as error:
        raise Unanswerable("events", "too many cases", f"fewer: {error}") from None
    worlds = islice(known.worlds(text_seed(request.seed), request.first), count)
    return world_pb2.SampleWorldsResponse(
        worlds=[world_to_message(world.state) for world in worlds], size=str(known.size)
    )


def apply_actions(request: world_pb2.ApplyActionsRequest) -> world_pb2.ApplyActionsResponse:
    """Play the lines of the request. Raises `Unanswerable`."""
    if len(request.lines) > LINES_MAX:
        raise Unanswerable("lines", f"{len(request.lines)} of them", f"at most {LINES_MAX}")
    actions = sum(len(line.actions) for line in request.lines)
    if actions > ACTIONS_MAX:
        raise Unanswerable("actions", f"{actions} of them in all", f"at most {ACTIONS_MAX}")
    options = _options(request.options)
    return world_pb2.ApplyActionsResponse(
        played=[
            _played(line, options, f"lines[{index}]") for index, line in enumerate(request.lines)
        ]
    )


def _played(line: world_pb2.ActionLine, options: GameOptions, where: str) -> world_pb2.PlayedLine:
    try:
        state = world_from_message(line.world, options)
    except CodecError as error:
        raise Unanswerable(
            f"{where}.world", f"what cannot be: {error}", "a state that a game could have"
        ) from None
    events: list[Event] = []
    for index, message in enumerate(line.actions):
        here = f"{where}.actions[{index}]"
        try:
            state, brought = apply(state, action_from_message(message))
        except CodecError as error:
            raise Unanswerable(here, "no action", str(error)) from None
        except IllegalAction as error:
            raise Unanswerable(
                here, error.action, f"a legal action: {error.reason.sentence}"
            ) from None
        events += brought
    return _after(state, events)


def _after(state: State, events: Iterable[Event]) -> world_pb2.PlayedLine:
    return world_pb2.PlayedLine(
        world=world_to_message(state),
        legal=legal_to_message(legal_actions(state)),
        events=events_to_message(events),
        view=None if state.over else view_to_message(view(state, state.mover)),
    )


def _shortened(text: str) -> str:
    return text if len(text) <= SENTENCE_MAX else f"{text[: SENTENCE_MAX - 1]}…"


def _options(message: game_pb2.GameOptions) -> GameOptions:
    try:
        return options_from_message(message)
    except CodecError as error:
        raise Unanswerable("options", "options that there are not", str(error)) from None


def _events(messages: Iterable[game_pb2.Event]) -> list[Event]:
    events: list[Event] = []
    for index, message in enumerate(messages):
        try:
            event = event_from_message(message)
        except CodecError as error:
            raise Unanswerable(f"events[{index}]", "no event", str(error)) from None
        if event is None:
            raise Unanswerable(
                f"events[{index}]", f"kind {message.kind}", "a kind of event that is known here"
            )
        events.append(event)
    return events


def _named(events: Iterable[game_pb2.Event], index: int) -> str:
    """Return an event's kind, or that there is none: it may be the next one that is missing."""
    event = next(islice(events, index, None), None)
    return "no more events" if event is None else game_pb2.EventKind.Name(event.kind)
