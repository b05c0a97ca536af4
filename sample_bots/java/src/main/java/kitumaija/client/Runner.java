package kitumaija.client;

import io.grpc.ManagedChannel;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Dials, plays, and dials again, until it is asked to leave or playing on is of no use. */
final class Runner {
  private static final Logger LOG = System.getLogger("kitumaija");

  private final Settings settings;
  private final Loop loop;
  private final BackOff waits;
  private final Client client;
  private final ExecutorService threads;
  private Line line; // null while there is none
  private boolean leaving;

  Runner(Supplier<Bot> newBot, Settings settings, Loop loop, BackOff waits) {
    this.settings = settings;
    this.loop = loop;
    this.waits = waits;
    this.threads = Executors.newCachedThreadPool(Runner::daemon);
    this.client = new Client(settings, newBot, loop, threads);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "bot");
    thread.setDaemon(true);
    return thread;
  }

  /** Asks it to leave; from any thread, at any time. */
  void leave() {
    loop.execute(
        () -> {
          if (!leaving && line != null) {
            line.leave();
          }
          leaving = true;
        });
  }

  /** Plays on this thread. What bots still think about at the end is lost. */
  Outcome run() throws InterruptedException {
    try {
      return dialing();
    } catch (SettingException wrong) {
      return new Outcome.BadSetting(wrong.getMessage());
    } finally {
      threads.shutdownNow();
    }
  }

  private Outcome dialing() throws SettingException, InterruptedException {
    long heard = loop.now();
    while (!leaving) {
      long began = loop.now();
      Optional<Ended> end = play();
      if (leaving) {
        break;
      }
      if (end.isPresent() && !end.get().again()) {
        return new Outcome.Refused(end.get());
      }
      long now = loop.now();
      if (client.welcomed()) {
        heard = now;
        if (now - began > BackOff.LONGEST.toNanos()) {
          waits.reset();
        }
      }
      String why = end.map(Ended::toString).orElse("the stream ended");
      if (now - heard >= settings.patience().toNanos()) {
        return new Outcome.Unreachable(settings.address(), settings.patience(), why);
      }
      pause(waits.next(end.map(Ended::retryAfter).orElse(Duration.ZERO)), why);
    }
    return new Outcome.Left();
  }

  private Optional<Ended> play() throws SettingException, InterruptedException {
    ManagedChannel channel = settings.channel();
    line = new Line(client, loop);
    try {
      return line.play(channel, settings.token());
    } finally {
      line = null;
      channel.shutdownNow();
    }
  }

  private void pause(Duration wait, String why) throws InterruptedException {
    LOG.log(Level.WARNING, "dialing again in %d ms: %s".formatted(wait.toMillis(), why));
    long until = loop.now() + wait.toNanos();
    Loop.Timer timer = loop.after(wait, () -> {});
    loop.runUntil(() -> leaving || loop.now() - until >= 0, () -> {});
    timer.cancel();
  }
}
