package kitumaija.client;

/**
 * Plays one match. Its methods are called one after another; those of different matches at the same
 * time.
 */
@FunctionalInterface
public interface Bot {
  /**
   * Chooses one of {@code turn.legal()}. Its thread is interrupted when the time is up, and when
   * the decision was made otherwise. What it throws is shown, and the first legal action is played
   * for it; so is it for an action that is not legal.
   *
   * @throws Exception if it cannot choose
   */
  Action choose(Turn turn) throws Exception;

  /**
   * Loads what the match needs, before the bot is ready for it.
   *
   * @throws Exception if it cannot play the match: the bot is then not ready for it
   */
  default void start(Match match) throws Exception {}

  /**
   * Sees how the match ended.
   *
   * @throws Exception if it fails, which is shown
   */
  default void end(Ending ending) throws Exception {}
}
