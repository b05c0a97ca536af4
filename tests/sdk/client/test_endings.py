"""Every way in which a server can end a stream, and what the client makes of it."""

from __future__ import annotations

import grpc
import grpc.aio
import pytest

from kitumaija.sdk.client.endings import ended_with
from kitumaija.sdk.errors import ConnectionFailed, Refused
from kitumaija.wire.status import PASSING, ErrorReason, code_of, error_details

CODES = {code.value[0]: code for code in grpc.StatusCode}


def _error(code: grpc.StatusCode, *details: tuple[str, bytes]) -> grpc.aio.AioRpcError:
    return grpc.aio.AioRpcError(
        code, grpc.aio.Metadata(), grpc.aio.Metadata(*details), details="said"
    )


@pytest.mark.parametrize("reason", ErrorReason)
def test_every_reason_either_passes_or_is_a_refusal(reason: ErrorReason) -> None:
    ended = ended_with(_error(CODES[code_of(reason)], *error_details(reason)))

    assert ended.passing is (reason in PASSING)
    assert isinstance(ended.error, ConnectionFailed if ended.passing else Refused)
    assert "said" in str(ended.error)


@pytest.mark.parametrize("code", grpc.StatusCode)
def test_an_error_without_details_is_dialled_again_unless_its_code_is_final(
    code: grpc.StatusCode,
) -> None:
    final = {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.FAILED_PRECONDITION,
    }

    assert ended_with(_error(code)).passing is (code not in final)


def test_the_wait_that_a_server_asks_for_is_kept() -> None:
    details = error_details(ErrorReason.TOO_MANY_REPLACEMENTS, {"retry_seconds": "60"})

    assert ended_with(_error(grpc.StatusCode.RESOURCE_EXHAUSTED, *details)).wait == 60
