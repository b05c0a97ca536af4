package kitumaija.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.Map;

/**
 * The error that ended a stream, of the server or of the line.
 *
 * @param code the status
 * @param reason one of the guide's list; empty where gRPC itself made the error
 * @param message a sentence
 * @param metadata what goes with the reason
 */
public record Ended(Status.Code code, String reason, String message, Map<String, String> metadata) {
  /** For each reason that can end a stream, whether a new stream may succeed. */
  private static final Map<String, Boolean> AGAIN =
      Map.ofEntries(
          Map.entry("UNAUTHENTICATED_NO_TOKEN", false),
          Map.entry("UNAUTHENTICATED_TOKEN", false),
          Map.entry("PERMISSION_DENIED", false),
          Map.entry("BOT_DISABLED", false),
          Map.entry("INVALID_ARGUMENT_FIELD", false),
          Map.entry("BOT_VERSION_FROZEN", false),
          Map.entry("REPLACED", false),
          Map.entry("PROTOCOL_VIOLATION", false),
          Map.entry("FRAME_TOO_LARGE", false),
          Map.entry("FLOODING", false),
          Map.entry("TOO_MANY_REPLACEMENTS", true),
          Map.entry("HELLO_LATE", true),
          Map.entry("NOT_READING", true),
          Map.entry("SILENT", true),
          Map.entry("DRAINING", true),
          Map.entry("RESOURCE_EXHAUSTED", true),
          Map.entry("STORE_FAILED", true),
          Map.entry("INTERNAL", true));

  /** An error of the line, which has no reason. */
  static Ended ofTheLine(Status.Code code, String message) {
    return new Ended(code, "", message, Map.of());
  }

  /** Reads what gRPC ended a stream with. */
  static Ended of(Throwable error) {
    Status status = Status.fromThrowable(error);
    String message = status.getDescription() == null ? "" : status.getDescription();
    if (status.getCause() != null) {
      message += " (" + status.getCause().getMessage() + ")";
    }
    com.google.rpc.Status details = StatusProto.fromThrowable(error);
    if (details != null) {
      for (Any detail : details.getDetailsList()) {
        ErrorInfo info = errorInfo(detail);
        if (info.getDomain().equals("kitumaija")) {
          return new Ended(
              status.getCode(), info.getReason(), message, Map.copyOf(info.getMetadataMap()));
        }
      }
    }
    return ofTheLine(status.getCode(), message);
  }

  private static ErrorInfo errorInfo(Any detail) {
    try {
      return detail.is(ErrorInfo.class)
          ? detail.unpack(ErrorInfo.class)
          : ErrorInfo.getDefaultInstance();
    } catch (InvalidProtocolBufferException broken) {
      return ErrorInfo.getDefaultInstance();
    }
  }

  /** Whether a new stream may succeed. Without a reason that is known the status decides. */
  public boolean again() {
    return AGAIN.getOrDefault(
        reason,
        switch (code) {
          case UNAUTHENTICATED,
              PERMISSION_DENIED,
              INVALID_ARGUMENT,
              FAILED_PRECONDITION,
              UNIMPLEMENTED ->
              false;
          default -> true;
        });
  }

  /** How long the server wants to be left alone. */
  public Duration retryAfter() {
    try {
      double seconds = Double.parseDouble(metadata.getOrDefault("retry_seconds", "0"));
      return Duration.ofMillis((long) Math.ceil(Math.max(0, seconds) * 1000));
    } catch (NumberFormatException unknown) {
      return Duration.ZERO;
    }
  }

  @Override
  public String toString() {
    return (reason.isEmpty() ? code.toString() : reason) + ": " + message;
  }
}
