"""The session machine: every cell of its tables through both ends, and what it is there for."""

from __future__ import annotations

from itertools import product

import pytest

from kitumaija.v1 import arena_pb2
from kitumaija.wire.session import (
    ENDED_KEPT,
    MATCH_TABLE,
    STREAM_TABLE,
    Kind,
    LocalProtocolError,
    MatchEvent,
    MatchState,
    RemoteProtocolError,
    Role,
    Session,
    StreamEvent,
    StreamState,
    Violation,
)
from tests.support.conversation import MATCH, Message, Pair, bot_says, server_says

HELLO, WELCOME = bot_says(Kind.HELLO), server_says(Kind.WELCOME)
GOODBYE, DRAIN = bot_says(Kind.GOODBYE), server_says(Kind.DRAIN)
START, READY = server_says(Kind.MATCH_START), bot_says(Kind.READY)
SEATING, SYNC = server_says(Kind.SEATING), server_says(Kind.MATCH_SYNC)
DECISION, ANSWER = server_says(Kind.DECISION), bot_says(Kind.ANSWER)
ACCEPTED, END = server_says(Kind.ACCEPTED), server_says(Kind.MATCH_END)
REFUSED_OPEN = server_says(Kind.REFUSAL, leaves_open=True)
REFUSED_CLOSED = server_says(Kind.REFUSAL)

TO_STREAM: dict[StreamState, tuple[Message, ...]] = {
    StreamState.OPENING: (),
    StreamState.GREETED: (HELLO,),
    StreamState.OPEN: (HELLO, WELCOME),
    StreamState.DRAINING: (HELLO, WELCOME, DRAIN),
    StreamState.LEAVING: (HELLO, WELCOME, GOODBYE),
    StreamState.CLOSED: (HELLO, WELCOME),
}

STREAM_SAYINGS: dict[StreamEvent, tuple[Message, ...]] = {
    StreamEvent.HELLO: (HELLO,),
    StreamEvent.GOODBYE: (GOODBYE,),
    StreamEvent.WELCOME: (WELCOME,),
    StreamEvent.DRAIN: (DRAIN,),
    StreamEvent.BOT_SPEAKS: (
        ANSWER,
        bot_says(Kind.PONG),
        bot_says(Kind.RESYNC),
        bot_says(Kind.UNKNOWN),
    ),
    StreamEvent.SERVER_SPEAKS: (
        START,
        SYNC,
        DECISION,
        ACCEPTED,
        REFUSED_CLOSED,
        END,
        server_says(Kind.PING),
        server_says(Kind.ENTROPY_REQUEST),
        server_says(Kind.UNKNOWN),
    ),
}

TO_MATCH: dict[MatchState, tuple[Message, ...]] = {
    MatchState.UNKNOWN: (),
    MatchState.OFFERED: (START,),
    MatchState.READY: (START, READY),
    MatchState.SEATED: (START, READY, SEATING),
    MatchState.ASKED: (START, READY, SEATING, DECISION),
    MatchState.ANSWERED: (START, READY, SEATING, DECISION, ANSWER),
    MatchState.ENDED: (START, READY, SEATING, END),
}

MATCH_SAYINGS: dict[MatchEvent, Message] = {
    MatchEvent.START: START,
    MatchEvent.READY: READY,
    MatchEvent.SEATING: SEATING,
    MatchEvent.SYNC: SYNC,
    MatchEvent.DECISION: DECISION,
    MatchEvent.ANSWER: ANSWER,
    MatchEvent.ACCEPTED: ACCEPTED,
    MatchEvent.REFUSED_OPEN: REFUSED_OPEN,
    MatchEvent.REFUSED_CLOSED: REFUSED_CLOSED,
    MatchEvent.END: END,
}


def _in_stream_state(state: StreamState) -> Pair:
    pair = Pair()
    pair.say(*TO_STREAM[state])
    if state is StreamState.CLOSED:
        pair.bot.closed()
        pair.server.closed()
    return pair


def _in_match_state(state: MatchState) -> Pair:
    pair = Pair.opened()
    pair.say(*TO_MATCH[state])
    return pair


def _check_refused(pair: Pair, message: Message, violation: Violation) -> None:
    """Check that the one end does not say it, and that the other does not take it."""
    speaker, hearer = pair.ends(message)
    before = (speaker.state, speaker.match(MATCH), hearer.match(MATCH))
    with pytest.raises(LocalProtocolError) as ours:
        speaker.sent(message)
    with pytest.raises(RemoteProtocolError) as theirs:
        hearer.received(message)
    assert (ours.value.reason, theirs.value.reason) == (violation, violation)
    assert (speaker.state, speaker.match(MATCH), hearer.match(MATCH)) == before
    assert hearer.state is StreamState.CLOSED


@pytest.mark.parametrize(
    ("state", "event"), list(product(StreamState, StreamEvent)), ids=lambda member: member.name
)
def test_both_ends_of_a_stream_follow_each_cell_of_the_table(
    state: StreamState, event: StreamEvent
) -> None:
    expected = STREAM_TABLE[state, event]
    for message in STREAM_SAYINGS[event]:
        pair = _in_stream_state(state)
        assert (pair.bot.state, pair.server.state) == (state, state)
        if isinstance(expected, Violation):
            _check_refused(pair, message, expected)
        else:
            pair.say(message)
            assert (pair.bot.state, pair.server.state) == (expected, expected)


@pytest.mark.parametrize(
    ("state", "event"), list(product(MatchState, MatchEvent)), ids=lambda member: member.name
)
def test_both_ends_of_a_match_follow_each_cell_of_the_table(
    state: MatchState, event: MatchEvent
) -> None:
    # A match that was never asked knows no decision that an answer could be about.
    asked = state in {MatchState.ASKED, MatchState.ANSWERED}
    about_a_decision = event in {
        MatchEvent.ANSWER,
        MatchEvent.ACCEPTED,
        MatchEvent.REFUSED_OPEN,
        MatchEvent.REFUSED_CLOSED,
    }
    expected = state if about_a_decision and not asked else MATCH_TABLE[state, event]
    assert expected == MATCH_TABLE[state, event]
    pair = _in_match_state(state)
    assert (pair.bot.match(MATCH), pair.server.match(MATCH)) == (state, state)
    message = MATCH_SAYINGS[event]
    if isinstance(expected, Violation):
        _check_refused(pair, message, expected)
    else:
        pair.say(message)
        assert (pair.bot.match(MATCH), pair.server.match(MATCH)) == (expected, expected)


def test_the_tables_have_a_cell_for_every_state_and_event_and_every_violation_a_use() -> None:
    assert set(STREAM_TABLE) == set(product(StreamState, StreamEvent))
    assert set(MATCH_TABLE) == set(product(MatchState, MatchEvent))
    cells = [*STREAM_TABLE.values(), *MATCH_TABLE.values()]
    used = {cell for cell in cells if isinstance(cell, Violation)}
    assert set(Violation) - used == {Violation.MISSIZED, Violation.EMPTY_FRAME}


def test_a_match_goes_its_course_from_offer_to_end() -> None:
    pair = Pair.opened()
    course: list[tuple[Message, MatchState]] = [
        (START, MatchState.OFFERED),
        (READY, MatchState.READY),
        (SEATING, MatchState.SEATED),
        (DECISION, MatchState.ASKED),
        (ANSWER, MatchState.ANSWERED),
        (REFUSED_OPEN, MatchState.ASKED),
        (ANSWER, MatchState.ANSWERED),
        (ACCEPTED, MatchState.SEATED),
        (END, MatchState.ENDED),
    ]
    for message, state in course:
        pair.say(message)
        assert (pair.bot.match(MATCH), pair.server.match(MATCH)) == (state, state)


@pytest.mark.parametrize(
    "first", [READY, ANSWER, GOODBYE, bot_says(Kind.PONG), bot_says(Kind.UNKNOWN)]
)
def test_nothing_opens_a_stream_but_hello(first: arena_pb2.BotMessage) -> None:
    _check_refused(Pair(), first, Violation.HELLO_NOT_FIRST)


def test_a_bot_that_comes_back_hears_of_matches_that_this_stream_never_offered() -> None:
    for first in (SEATING, SYNC, DECISION, END):
        Pair.opened().say(first)
    synced = Pair.opened()
    synced.say(SYNC, DECISION, ANSWER, ACCEPTED, END)


def test_a_bot_that_comes_back_may_send_its_answer_again_even_before_welcome() -> None:
    pair = Pair()
    pair.say(HELLO, ANSWER, WELCOME, ACCEPTED, SYNC)
    assert pair.server.match(MATCH) is MatchState.SEATED


@pytest.mark.parametrize("state", MatchState)
def test_an_answer_to_any_decision_of_any_match_is_no_violation(state: MatchState) -> None:
    pair = _in_match_state(state)
    pair.say(bot_says(Kind.ANSWER, MATCH, 77), bot_says(Kind.ANSWER, "no-such-match", 1))
    pair.say(server_says(Kind.REFUSAL, "no-such-match", 1), server_says(Kind.ACCEPTED, MATCH, 77))
    assert pair.bot.match(MATCH) is pair.server.match(MATCH) is state
    assert pair.server.match("no-such-match") is MatchState.UNKNOWN


def test_what_is_about_an_earlier_decision_does_not_touch_the_open_one() -> None:
    pair = _in_match_state(MatchState.ANSWERED)
    pair.say(server_says(Kind.DECISION, decision_id=2))
    pair.say(ACCEPTED)
    assert pair.bot.match(MATCH) is MatchState.ASKED
    pair.say(bot_says(Kind.ANSWER, decision_id=2), REFUSED_CLOSED)
    assert pair.bot.match(MATCH) is MatchState.ANSWERED


def test_ready_that_crosses_the_end_of_its_match_is_taken() -> None:
    pair = Pair.opened()
    pair.say(START)
    pair.bot.sent(READY)
    pair.say(END)
    pair.server.received(READY)
    assert pair.server.match(MATCH) is MatchState.ENDED


def test_what_the_server_had_under_way_is_heard_after_goodbye() -> None:
    pair = _in_match_state(MatchState.ASKED)
    pair.say(GOODBYE, server_says(Kind.PING), END, DRAIN)
    assert pair.bot.match(MATCH) is MatchState.ENDED


def test_matches_of_one_stream_stand_apart() -> None:
    pair = _in_match_state(MatchState.ASKED)
    pair.say(server_says(Kind.MATCH_START, "another"))
    assert pair.bot.match("another") is MatchState.OFFERED
    _check_refused(pair, bot_says(Kind.READY, "a third"), Violation.READY_NOT_OFFERED)


def test_a_session_forgets_matches_that_ended_long_ago() -> None:
    pair = Pair.opened()
    for number in range(ENDED_KEPT + 1):
        pair.say(
            server_says(Kind.MATCH_START, f"m{number}"), server_says(Kind.MATCH_END, f"m{number}")
        )
    assert pair.server.match("m0") is MatchState.UNKNOWN
    assert pair.server.match("m1") is MatchState.ENDED
    assert pair.server.match(f"m{ENDED_KEPT}") is MatchState.ENDED


def test_a_missized_message_is_neither_sent_nor_taken() -> None:
    long = arena_pb2.BotMessage(hello=arena_pb2.Hello(bot_version="9" * 41))
    _check_refused(Pair(), long, Violation.MISSIZED)
    short = arena_pb2.BotMessage(
        entropy=arena_pb2.Entropy(value=bytes(31), step=arena_pb2.ENTROPY_STEP_COMMIT)
    )
    _check_refused(Pair.opened(), short, Violation.MISSIZED)


def test_a_frame_is_heard_message_by_message_without_those_of_a_newer_peer() -> None:
    session = Session(Role.SERVER)
    frame = arena_pb2.PlayRequest(messages=[HELLO, bot_says(Kind.UNKNOWN), ANSWER])
    assert list(session.received_frame(frame)) == [(Kind.HELLO, HELLO), (Kind.ANSWER, ANSWER)]


def test_what_precedes_a_violation_in_its_frame_is_heard() -> None:
    session = Session(Role.SERVER)
    heard = session.received_frame(arena_pb2.PlayRequest(messages=[HELLO, HELLO]))
    assert next(heard) == (Kind.HELLO, HELLO)
    with pytest.raises(RemoteProtocolError) as caught:
        next(heard)
    assert caught.value.reason is Violation.SECOND_HELLO
    assert session.state is StreamState.CLOSED


def test_a_frame_without_messages_is_a_violation() -> None:
    for session, frame in (
        (Session(Role.SERVER), arena_pb2.PlayRequest()),
        (Session(Role.BOT), arena_pb2.PlayResponse()),
    ):
        with pytest.raises(RemoteProtocolError) as caught:
            list(session.received_frame(frame))
        assert caught.value.reason is Violation.EMPTY_FRAME
        assert session.state is StreamState.CLOSED


def test_an_end_does_not_say_what_is_the_others_to_say() -> None:
    with pytest.raises(TypeError, match="a bot does not say a ServerMessage"):
        Session(Role.BOT).sent(WELCOME)
    with pytest.raises(TypeError, match="a bot does not say a ServerMessage"):
        Session(Role.SERVER).received(WELCOME)


def test_an_error_names_what_was_violated_by_which_message_and_where() -> None:
    pair = _in_match_state(MatchState.READY)
    with pytest.raises(LocalProtocolError) as caught:
        pair.server.sent(DECISION)
    assert str(caught.value) == (
        f"decision before seating: DECISION of match '{MATCH}', which is READY"
    )
