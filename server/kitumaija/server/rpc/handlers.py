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


def behaviour_of(handler: Any) -> Any:
    """Return what a handler does, whatever kind of method it is of."""
    if handler.request_streaming:
        return handler.stream_stream or handler.stream_unary
    return handler.unary_stream or handler.unary_unary


def read_by_hand(handler: Any, behaviour: Any) -> Handler:
    """Return a handler for the same method that reads and writes its messages itself.

    To a caller that is the same: on the wire a single message is a stream of one. `behaviour` is a
    coroutine; `context.read()` gives it the bytes of a single request, and the messages of a method
    whose requests are a stream.
    """
    made: Handler = grpc.stream_stream_rpc_method_handler(
        behaviour,
        request_deserializer=handler.request_deserializer if handler.request_streaming else None,
        response_serializer=handler.response_serializer,
    )
    return made
