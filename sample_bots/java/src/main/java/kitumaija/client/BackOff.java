package kitumaija.client;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * The waits between two dials: they double, and each is drawn at random from its upper half, so
 * that the bots of a restarted server do not come all at once.
 */
final class BackOff {
  /** The longest wait that is drawn. */
  static final Duration LONGEST = Duration.ofSeconds(5);

  private static final Duration FIRST = Duration.ofMillis(200);

  private final Duration first;
  private final DoubleSupplier random;
  private Duration next;

  /** Begins with {@code first}, and draws by {@code random}, which gives numbers from 0 up to 1. */
  BackOff(Duration first, DoubleSupplier random) {
    this.first = first;
    this.next = first;
    this.random = random;
  }

  /** As the guide has it. */
  static BackOff drawnBy(DoubleSupplier random) {
    return new BackOff(FIRST, random);
  }

  /** The next wait, never less than {@code atLeast}. */
  Duration next(Duration atLeast) {
    long half = next.toNanos() / 2;
    Duration wait = Duration.ofNanos(half + (long) (random.getAsDouble() * half));
    Duration doubled = next.multipliedBy(2);
    next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    return wait.compareTo(atLeast) < 0 ? atLeast : wait;
  }

  /** Begins anew, after a stream that was good. */
  void reset() {
    next = first;
  }
}
