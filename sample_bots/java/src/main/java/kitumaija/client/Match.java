package kitumaija.client;

import java.time.Duration;
import java.util.List;
import kitumaija.v1.Game;

/**
 * What a bot knows of one of its matches. When it starts, it may not have been told who sits where;
 * from its first turn on it has.
 *
 * @param id the match's id
 * @param seats how many there are
 * @param limits the limits of time
 * @param seat this bot's, from 0
 * @param players all seats, in order; empty before they are told
 * @param options the options of the rules; see game.proto
 */
public record Match(
    String id, int seats, Limits limits, int seat, List<Player> players, Game.GameOptions options) {
  /**
   * One seat of a match.
   *
   * @param seat from 0
   * @param botId the bot's id; made up for this match where the tournament is blind
   * @param displayName its name, which others may have too
   */
  public record Player(int seat, String botId, String displayName) {}

  /** The limits of a match; see arena.proto. */
  public record Limits(
      Duration startup,
      Duration perDecision,
      Duration bank,
      Duration increment,
      Duration margin,
      Duration grace,
      Duration matchCap) {}

  /** The same match, with what was told of its table. */
  Match seated(int seat, List<Player> players, Game.GameOptions options) {
    return new Match(id, players.size(), limits, seat, players, options);
  }
}
