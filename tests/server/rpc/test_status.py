"""The seam between errors of ours and gRPC statuses."""

from __future__ import annotations

import grpc
import pytest

from kitumaija.server.errors import KitumaijaError
from kitumaija.server.rpc.status import fault, refusal, status_code
from kitumaija.server.store import (
    BadPageToken,
    NotStored,
    RequestIdReused,
    StoreClosed,
    StoreFailed,
)
from kitumaija.wire.status import ErrorReason, code_of


@pytest.mark.parametrize("reason", ErrorReason)
def test_every_reason_has_the_status_that_both_ends_agree_on(reason: ErrorReason) -> None:
    code = status_code(reason)

    assert code.value[0] == code_of(reason)
    assert code is not grpc.StatusCode.OK


def test_a_refusal_is_told_as_it_is() -> None:
    error = KitumaijaError(ErrorReason.NOT_FOUND_BOT, "there is no bot 'x'", {"bot_id": "x"})

    assert refusal(error) is error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (BadPageToken("a token"), ErrorReason.INVALID_ARGUMENT_PAGE_TOKEN),
        (RequestIdReused("an id"), ErrorReason.REQUEST_ID_CONFLICT),
        (StoreFailed("/data/kitumaija.sqlite3"), ErrorReason.STORE_FAILED),
        (StoreClosed("/data/kitumaija.sqlite3"), ErrorReason.STORE_FAILED),
    ],
)
def test_errors_of_the_store_that_a_caller_may_know_are_refusals(
    error: Exception, reason: ErrorReason
) -> None:
    told = refusal(error)

    assert told is not None
    assert told.reason is reason
    assert "/data" not in told.message


@pytest.mark.parametrize("error", [RuntimeError("QS"), KeyError("QS"), NotStored("QS")])
def test_any_other_error_is_a_fault_of_the_server(error: Exception) -> None:
    assert refusal(error) is None


def test_a_fault_tells_what_to_look_for_in_the_log() -> None:
    told = fault("abc")

    assert told.reason is ErrorReason.INTERNAL
    assert told.metadata == {"error_id": "abc"}
    assert "abc" in told.message
