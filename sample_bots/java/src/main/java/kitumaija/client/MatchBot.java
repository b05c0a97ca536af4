package kitumaija.client;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import kitumaija.v1.Arena;

/**
 * The bot of one match, and what it was told. All of it belongs to the match's {@link Lane}. What a
 * bot throws ends with it here: one bad match must not end the others.
 */
final class MatchBot {
  private static final Logger LOG = System.getLogger("kitumaija");

  private final Supplier<Bot> newBot;
  private final LongSupplier clock;
  private Bot bot;
  private int told;

  /** What was chosen, and how long that took. */
  record Choice(Action action, Duration thought) {}

  MatchBot(Supplier<Bot> newBot, LongSupplier clock) {
    this.newBot = newBot;
    this.clock = clock;
  }

  /** Makes the bot and lets it load; false if it cannot play. */
  boolean start(Match match) {
    try {
      Bot made = newBot.get();
      made.start(match);
      bot = made;
      return true;
    } catch (Throwable failure) {
      LOG.log(
          Level.ERROR, "the bot did not start, and is not ready for match " + match.id(), failure);
      return false;
    }
  }

  /** Lets the bot choose, and plays the first legal action for it where it fails. */
  Choice choose(
      Match match,
      Arena.Decision asked,
      List<Action> legal,
      List<Event> history,
      Deadline deadline) {
    Turn turn = Reading.turn(match, asked, legal, untold(history), deadline);
    long began = clock.getAsLong();
    Action action;
    try {
      action = legalChoice(turn);
    } catch (Throwable failure) {
      action = legal.get(0);
      LOG.log(
          Level.ERROR, "the bot failed; %s is played for it: %s".formatted(action, turn), failure);
    }
    return new Choice(action, Duration.ofNanos(clock.getAsLong() - began));
  }

  private Action legalChoice(Turn turn) throws Exception {
    if (bot == null) {
      throw new IllegalStateException("it did not start");
    }
    Action action = bot.choose(turn);
    if (!turn.legal().contains(action)) {
      throw new IllegalArgumentException(
          "got the action %s, want one of %s".formatted(action, turn.legal()));
    }
    return action;
  }

  /** Lets the bot see the end. */
  void end(Match match, Arena.MatchEnd end, List<Event> history) {
    if (bot == null) {
      return;
    }
    try {
      bot.end(new Ending(match, List.copyOf(end.getPlacesList()), untold(history), end));
    } catch (Throwable failure) {
      LOG.log(Level.ERROR, "the bot failed at the end of match " + match.id(), failure);
    }
  }

  private List<Event> untold(List<Event> history) {
    List<Event> news = history.subList(Math.min(told, history.size()), history.size());
    told = history.size();
    return news;
  }
}
