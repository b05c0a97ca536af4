package kitumaija.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** Makes the calls of one match's bot one after another, beside those of other matches. */
final class Lane {
  private final Executor threads;
  private final Deque<Call> waiting = new ArrayDeque<>();
  private boolean busy;

  Lane(Executor threads) {
    this.threads = threads;
  }

  /** A call that waits or runs. */
  static final class Call {
    private final Runnable work;
    private Thread thread;
    private boolean dropped;

    private Call(Runnable work) {
      this.work = work;
    }

    /** Interrupts the call if it runs. */
    synchronized void interrupt() {
      if (thread != null) {
        thread.interrupt();
      }
    }

    /** Interrupts the call if it runs, and makes it no more if it does not. */
    synchronized void drop() {
      dropped = true;
      interrupt();
    }

    private void make() {
      if (begin()) {
        try {
          work.run();
        } finally {
          end();
        }
      }
    }

    private synchronized boolean begin() {
      thread = Thread.currentThread();
      return !dropped;
    }

    private synchronized void end() {
      thread = null;
      // Nobody interrupts any more, and an interruption that came too late is for no other call.
      Thread.interrupted();
    }
  }

  /** Makes a call after all those before it. */
  synchronized Call then(Runnable work) {
    Call call = new Call(work);
    waiting.add(call);
    if (!busy) {
      busy = true;
      threads.execute(this::work);
    }
    return call;
  }

  private void work() {
    for (Call call = next(); call != null; call = next()) {
      call.make();
    }
  }

  private synchronized Call next() {
    busy = !waiting.isEmpty();
    return waiting.poll();
  }
}
