"""Messages of the size that matches have, for echoes."""

from __future__ import annotations

from functools import cache

from kitumaija.engine import Seat, event_for, legal_actions, new_game, text_seed, view
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import decision_message

MATCH_ID = "a" * 26
"""An id of the length that they have."""


@cache
def told(decisions: int) -> arena_pb2.PlayResponse:
    """Return a frame as a server sends it: each of so many answers is accepted, and a next asked.

    The decisions are those of a game that has just begun, at a table of two.
    """
    step = new_game(text_seed("bench"), 2)
    mover = step.state.mover
    seen = [event_for(event, Seat(mover)) for event in step.events[-3:]]
    frame = arena_pb2.PlayResponse()
    for number in range(1, decisions + 1):
        frame.messages.add().accepted.MergeFrom(
            arena_pb2.Accepted(match_id=MATCH_ID, decision_id=number)
        )
        frame.messages.append(
            decision_message(
                match_id=MATCH_ID,
                decision_id=number + 1,
                view=view(step.state, mover),
                legal=legal_actions(step.state),
                first_event=7,
                events=seen,
                time_left_us=11_000_000,
                bank_us=10_000_000,
                last_used_us=1_830,
                round_trip_us=740,
            )
        )
    return frame


def answer(decision: arena_pb2.Decision) -> arena_pb2.BotMessage:
    """Return the answer of a bot that thinks about nothing: the first of what is legal (I4)."""
    message = arena_pb2.BotMessage()
    said = message.answer
    said.match_id = decision.match_id
    said.decision_id = decision.decision_id
    legal = decision.legal
    if legal.play:
        said.action.play = legal.play[0]
    elif legal.turn:
        said.action.turn.SetInParent()
    elif legal.take:
        said.action.take = legal.take[0]
    else:
        said.action.pass_lead.SetInParent()
    return message


@cache
def answers(count: int) -> arena_pb2.PlayRequest:
    """Return a frame with so many answers to what `told` asks."""
    asked = told(count).messages[1].decision
    return arena_pb2.PlayRequest(messages=[answer(asked)] * count)
