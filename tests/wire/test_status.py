"""Error reasons in the trailing metadata of a call."""

from __future__ import annotations

import grpc
import grpc.aio
import pytest
from google.rpc import (  # pyright: ignore[reportMissingTypeStubs]
    error_details_pb2,
    status_pb2,
)

from kitumaija.wire.status import (
    DETAILS_KEY,
    PASSING,
    ErrorReason,
    code_of,
    error_details,
    reason_of,
)

Trailing = tuple[tuple[str, str | bytes], ...]


class Failed:
    """A call that failed, as far as it matters here: grpc's own error may have no metadata."""

    def __init__(self, trailing: Trailing | None) -> None:
        self._trailing = trailing

    def trailing_metadata(self) -> Trailing | None:
        return self._trailing


@pytest.mark.parametrize("reason", ErrorReason)
def test_every_reason_comes_back_with_its_metadata(reason: ErrorReason) -> None:
    metadata = {"field": "title", "got": "ä" * 70}
    details = error_details(reason, metadata, message="no")
    assert reason_of(details) == (reason, metadata)
    assert reason_of(Failed((("x-other", "1"), *details))) == (reason, metadata)
    raised = grpc.aio.AioRpcError(
        grpc.StatusCode.UNKNOWN, grpc.aio.Metadata(), grpc.aio.Metadata(*details)
    )
    assert reason_of(raised) == (reason, metadata)


@pytest.mark.parametrize("reason", ErrorReason)
def test_every_reason_is_of_a_status_that_grpc_knows_and_that_is_an_error(
    reason: ErrorReason,
) -> None:
    codes = {code.value[0]: code for code in grpc.StatusCode}
    assert codes[code_of(reason)] not in {grpc.StatusCode.OK, grpc.StatusCode.CANCELLED}


@pytest.mark.parametrize("reason", ErrorReason)
def test_a_reasons_name_is_written_as_aip_193_wants_it(reason: ErrorReason) -> None:
    assert reason.value == reason.name
    assert reason.name.isupper()
    assert len(reason.name) <= 63


def test_the_details_are_a_status_with_the_code_and_the_text_of_the_call() -> None:
    ((key, data),) = error_details(ErrorReason.REPLACED, {"a": "b"}, message="a newer stream")
    status = status_pb2.Status.FromString(data)
    info = error_details_pb2.ErrorInfo()
    assert key == "grpc-status-details-bin"
    assert (status.code, status.message) == (grpc.StatusCode.ABORTED.value[0], "a newer stream")
    assert status.details[0].Unpack(info)
    assert (info.reason, info.domain, dict(info.metadata)) == ("REPLACED", "kitumaija", {"a": "b"})


def _details(info: error_details_pb2.ErrorInfo) -> Trailing:
    status = status_pb2.Status(code=9)
    status.details.add().Pack(info)
    return ((DETAILS_KEY, status.SerializeToString()),)


@pytest.mark.parametrize(
    "trailing",
    [
        (),
        (("x-other", "1"),),
        ((DETAILS_KEY, b"\xff\xff"),),
        ((DETAILS_KEY, b""),),
        _details(error_details_pb2.ErrorInfo(reason="REPLACED", domain="elsewhere.example")),
        _details(error_details_pb2.ErrorInfo(reason="OF_NEXT_YEAR", domain="kitumaija")),
    ],
    ids=["none", "others", "damaged", "empty", "another domain", "a newer reason"],
)
def test_details_that_say_nothing_to_us_give_no_reason(trailing: Trailing) -> None:
    assert reason_of(trailing) is None
    assert reason_of(Failed(trailing)) is None


def test_an_error_without_metadata_has_no_reason() -> None:
    assert reason_of(Failed(None)) is None


def test_a_bot_that_was_replaced_or_shut_out_has_no_hope_in_dialling_again() -> None:
    hopeless = {
        ErrorReason.REPLACED,
        ErrorReason.BOT_DISABLED,
        ErrorReason.UNAUTHENTICATED_TOKEN,
        ErrorReason.PROTOCOL_VIOLATION,
        ErrorReason.FLOODING,
    }
    assert not hopeless & PASSING
    assert ErrorReason.DRAINING in PASSING
