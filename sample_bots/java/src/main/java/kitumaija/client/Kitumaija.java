package kitumaija.client;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Runs bots. */
public final class Kitumaija {
  private static final int EXIT_FAILED = 1;

  /** How long leaving may take in all: a little longer than the server may for a Goodbye. */
  private static final int LEAVING_SECONDS = 4;

  private Kitumaija() {}

  /**
   * Runs a bot by the environment until Ctrl-C or SIGTERM, and ends the process with its exit code.
   *
   * @param newBot makes the bot of each match
   */
  public static void main(Supplier<Bot> newBot) {
    // Before the first line is logged; what is set on the command line stands.
    String format = "java.util.logging.SimpleFormatter.format";
    System.setProperty(format, System.getProperty(format, "%1$tT %4$s %5$s%6$s%n"));
    Logger log = System.getLogger("kitumaija");
    Settings settings = Settings.of(System.getenv());
    Loop loop = new Loop(System::nanoTime);
    BackOff waits = BackOff.drawnBy(ThreadLocalRandom.current()::nextDouble);
    Runner runner = new Runner(newBot, settings, loop, waits);

    AtomicInteger exitCode = new AtomicInteger(EXIT_FAILED);
    CountDownLatch over = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(runner, over, exitCode)));
    try {
      Outcome outcome = runner.run();
      exitCode.set(outcome.exitCode());
      if (outcome.exitCode() != 0) {
        log.log(Level.ERROR, "the bot stops: " + outcome);
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    } finally {
      over.countDown();
    }
    System.exit(exitCode.get());
  }

  /** A signal begins Java's shutdown, which would end with the signal's exit code. */
  private static void leave(Runner runner, CountDownLatch over, AtomicInteger exitCode) {
    runner.leave();
    try {
      if (!over.await(LEAVING_SECONDS, TimeUnit.SECONDS)) {
        exitCode.set(EXIT_FAILED);
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(exitCode.get());
  }
}
