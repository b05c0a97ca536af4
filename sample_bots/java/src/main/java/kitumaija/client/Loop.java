package kitumaija.client;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The one thread that everything of the client belongs to. What happens elsewhere is handed to it,
 * so nothing is locked.
 */
final class Loop implements Executor {
  private final LongSupplier clock;
  private final LinkedBlockingQueue<Runnable> calls = new LinkedBlockingQueue<>();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>((one, other) -> Long.compare(one.due - other.due, 0));

  /** A call in the future. */
  final class Timer {
    private final long due;
    private final Runnable call;

    private Timer(long due, Runnable call) {
      this.due = due;
      this.call = call;
    }

    /** Takes the call back, if it was not made yet. */
    void cancel() {
      timers.remove(this);
    }
  }

  /** Measures time by a monotonic clock in nanoseconds. */
  Loop(LongSupplier clock) {
    this.clock = clock;
  }

  LongSupplier clock() {
    return clock;
  }

  long now() {
    return clock.getAsLong();
  }

  /** Makes a call on the loop's thread; to be used from any other. */
  @Override
  public void execute(Runnable call) {
    calls.add(call);
  }

  /** Makes a call on the loop's thread after a time. */
  Timer after(Duration wait, Runnable call) {
    Timer timer = new Timer(now() + wait.toNanos(), call);
    timers.add(timer);
    return timer;
  }

  /** Makes this thread the loop's until {@code done}; {@code then} runs after every call. */
  void runUntil(BooleanSupplier done, Runnable then) throws InterruptedException {
    while (!done.getAsBoolean()) {
      next().run();
      then.run();
    }
  }

  /** What was heard comes before what is due: this process may have stood still. */
  private Runnable next() throws InterruptedException {
    while (true) {
      Runnable call = calls.poll();
      if (call == null && timers.isEmpty()) {
        call = calls.take();
      }
      if (call == null) {
        long wait = timers.element().due - now();
        call = wait <= 0 ? timers.remove().call : calls.poll(wait, TimeUnit.NANOSECONDS);
      }
      if (call != null) {
        return call;
      }
    }
  }
}
