package kitumaija.client;

import java.time.Duration;

/** Why a bot plays no more. */
public sealed interface Outcome {
  /** The exit code of a process that ends so, the same in every language. */
  int exitCode();

  /** It left politely. */
  record Left() implements Outcome {
    @Override
    public int exitCode() {
      return 0;
    }

    @Override
    public String toString() {
      return "it was asked to";
    }
  }

  /**
   * A setting is missing or wrong.
   *
   * @param message which, and what is wanted
   */
  record BadSetting(String message) implements Outcome {
    @Override
    public int exitCode() {
      return 2;
    }

    @Override
    public String toString() {
      return message;
    }
  }

  /**
   * No server was reached, for as long as the bot's patience lasts.
   *
   * @param address where it was looked for
   * @param patience for how long
   * @param last what went wrong the last time
   */
  record Unreachable(String address, Duration patience, String last) implements Outcome {
    @Override
    public int exitCode() {
      return 3;
    }

    @Override
    public String toString() {
      return "no server at %s for %d s: %s".formatted(address, patience.toSeconds(), last);
    }
  }

  /**
   * The server does not want it: a wrong token, a newer copy, a frozen version.
   *
   * @param why its error
   */
  record Refused(Ended why) implements Outcome {
    @Override
    public int exitCode() {
      return 4;
    }

    @Override
    public String toString() {
      return why.toString();
    }
  }
}
