package kitumaija.client;

import java.time.Duration;
import java.util.List;

/**
 * One decision: what the seat may know, what it may do, and how long it has.
 *
 * @param match its match
 * @param decisionId counts this seat's decisions of the match, from 1
 * @param view what the seat may know
 * @param legal what it may do, never empty: cards, turn, take the smaller amount first, pass
 * @param events what happened since this bot's last turn
 * @param timeLeft the time for it when the server asked
 * @param bank what of that is the reserve of the whole match
 * @param lastUsed what was charged for the last decision
 * @param roundTrip what of it the network takes; zero while there is no estimate
 * @param deadline when an answer must leave here to be in time
 */
public record Turn(
    Match match,
    int decisionId,
    View view,
    List<Action> legal,
    List<Event> events,
    Duration timeLeft,
    Duration bank,
    Duration lastUsed,
    Duration roundTrip,
    Deadline deadline) {
  /** How long the bot may still think. */
  public Duration remaining() {
    return deadline.remaining();
  }

  /** A line for a log. */
  @Override
  public String toString() {
    return "match %s, decision %d: %s on %s, hand %s, legal %s"
        .formatted(match.id(), decisionId, view.phase(), view.top(), view.hand(), legal);
  }
}
