package kitumaija.client;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When an answer must leave here to be in time, by this machine's monotonic clock, which no change
 * of the time of day moves.
 */
public final class Deadline {
  private final LongSupplier clock;
  private volatile long nanos;

  /** A moment of a clock in nanoseconds. */
  Deadline(long nanos, LongSupplier clock) {
    this.nanos = nanos;
    this.clock = clock;
  }

  /** How long it is until then; below zero when it is past. */
  public Duration remaining() {
    return Duration.ofNanos(nanos - clock.getAsLong());
  }

  /** The server has told anew how much time is left. */
  void move(long nanos) {
    this.nanos = nanos;
  }
}
