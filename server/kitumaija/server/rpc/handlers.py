"""gRPC's handlers of methods, as interceptors make new ones of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import grpc

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


def with_behaviour(
    handler: Any, behaviour: Any, *, read: Callable[[bytes], Any] | None = None
) -> Handler:
    """Return the handler of the same kind of method with another behaviour.

    `read` makes a request of bytes; the handler's own does if it is left out.
    """
    make: Any = {
        (False, False): grpc.unary_unary_rpc_method_handler,
        (False, True): grpc.unary_stream_rpc_method_handler,
        (True, False): grpc.stream_unary_rpc_method_handler,
        (True, True): grpc.stream_stream_rpc_method_handler,
    }[handler.request_streaming, handler.response_streaming]
    made: Handler = make(
        behaviour,
        request_deserializer=read or handler.request_deserializer,
        response_serializer=handler.response_serializer,
    )
    return made
