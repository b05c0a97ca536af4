"""gRPC: the bots' streams, the unary services, authentication, statuses."""
