package kitumaija.client;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import kitumaija.v1.Arena;
import kitumaija.v1.Arena.BotMessage;
import kitumaija.v1.Game;

/** One match that the bot plays. All of it belongs to the loop, but for the bot itself. */
final class OpenMatch {
  private static final Logger LOG = System.getLogger("kitumaija");

  private final Client client;
  private final Loop loop;
  private final Lane lane;
  private final MatchBot bot;

  private Match match;
  private final List<Event> history = new ArrayList<>(); // the seat's course of it, from event 0
  private int offeredOn; // the stream on which it was offered last
  private boolean loaded; // the bot is made and started
  private boolean over; // the server plays it no more; its MatchEnd may still come
  private boolean behind; // a Resync is on its way

  private int asked; // the decision asked last
  private int askedOn; // the stream on which it was asked last
  private Arena.Answer answer; // to it, until it is accepted or refused; null before
  private Lane.Call thinking; // about it; null when it is over
  private Deadline deadline; // of it
  private Loop.Timer timeUp; // at the deadline

  /** Makes the match's bot from what is known of the match now. */
  OpenMatch(Match match, Client client, Loop loop, Executor threads, Supplier<Bot> newBot) {
    this.match = match;
    this.client = client;
    this.loop = loop;
    this.lane = new Lane(threads);
    this.bot = new MatchBot(newBot, loop.clock());
    lane.then(
        () -> {
          boolean started = bot.start(match);
          loop.execute(() -> loaded(started));
        });
  }

  private void loaded(boolean started) {
    loaded = started;
    ready();
  }

  /** The match is offered on this stream. */
  void offered() {
    offeredOn = client.stream();
    ready();
  }

  /** Says so once the bot is loaded: on the stream that offers the match, and on no other. */
  private void ready() {
    if (loaded && offeredOn == client.stream() && !over) {
      Arena.Ready ready = Arena.Ready.newBuilder().setMatchId(match.id()).build();
      client.say(BotMessage.newBuilder().setReady(ready));
    }
  }

  /** Notes who sits where. */
  void seated(Arena.Seating seating) {
    match = Reading.seated(match, seating);
  }

  /** Replaces what is known of the match. */
  void synced(Arena.MatchSync sync) {
    seated(sync.getSeating());
    history.clear();
    history.addAll(Reading.events(sync.getEventsList()));
    behind = false;
  }

  /** Lets the bot choose, or says again what it chose. The question came at {@code arrived}. */
  void decide(Arena.Decision decision, long arrived) {
    if (decision.getFirstEvent() != history.size()) {
      resync();
      return;
    }
    history.addAll(Reading.events(decision.getEventsList()));
    boolean again = asked == decision.getDecisionId();
    askedOn = client.stream();
    if (again && answer != null) {
      answer(answer); // the same answer, sent again, counts once
      return;
    }
    List<Action> legal = Reading.actions(decision.getLegal());
    if (legal.isEmpty()) {
      LOG.log(
          Level.ERROR,
          "this client is too old for what is asked in match {0}; the server will decide",
          match.id());
      return;
    }
    long due = arrived + Reading.thinkAtMost(decision).toNanos();
    if (!again) {
      think(decision, legal, due);
    } else if (thinking != null) {
      deadline.move(due); // after a restart of the server there may be more time
      interruptAtDeadline();
    }
  }

  private void resync() {
    if (!behind) {
      behind = true;
      Arena.Resync resync = Arena.Resync.newBuilder().setMatchId(match.id()).build();
      client.say(BotMessage.newBuilder().setResync(resync));
    }
  }

  private void think(Arena.Decision decision, List<Action> legal, long due) {
    forget();
    asked = decision.getDecisionId();
    Match known = match;
    List<Event> events = List.copyOf(history);
    Deadline mine = new Deadline(due, loop.clock());
    deadline = mine;
    thinking =
        lane.then(
            () -> {
              MatchBot.Choice choice = bot.choose(known, decision, legal, events, mine);
              loop.execute(() -> chosen(decision.getDecisionId(), choice));
            });
    interruptAtDeadline();
  }

  private void interruptAtDeadline() {
    if (timeUp != null) {
      timeUp.cancel();
    }
    timeUp = loop.after(deadline.remaining(), thinking::interrupt);
  }

  private void chosen(int decision, MatchBot.Choice choice) {
    if (asked != decision || thinking == null) {
      return; // it was decided meanwhile
    }
    stopThinking();
    answer =
        Arena.Answer.newBuilder()
            .setMatchId(match.id())
            .setDecisionId(decision)
            .setAction(choice.action().message())
            .setThinkTimeUs(TimeUnit.NANOSECONDS.toMicros(choice.thought().toNanos()))
            .build();
    if (askedOn == client.stream()) { // else it is asked again on this stream, and answered then
      answer(answer);
    }
  }

  private void answer(Arena.Answer answer) {
    client.say(BotMessage.newBuilder().setAnswer(answer));
  }

  /** An answer counts. */
  void accepted(int decision) {
    if (asked == decision) {
      forget();
    }
  }

  /** An answer does not count. While the decision is open, the first legal action is played. */
  void refused(Arena.Refusal refusal) {
    LOG.log(
        Level.WARNING,
        "refused in match %s, decision %d: %s %s"
            .formatted(
                match.id(), refusal.getDecisionId(), refusal.getReason(), refusal.getDetail()));
    if (refusal.getReason() == Arena.RefusalReason.REFUSAL_REASON_UNKNOWN_MATCH) {
      gone();
    }
    if (asked != refusal.getDecisionId() || answer == null) {
      return;
    }
    List<Action> legal = Reading.actions(refusal.getLegal());
    if (legal.isEmpty()) {
      forget();
      return;
    }
    Game.Action action = legal.get(0).message();
    answer = answer.toBuilder().setAction(action).build();
    answer(answer);
  }

  /** Ends the thinking, and drops the answer. */
  private void forget() {
    stopThinking();
    answer = null;
  }

  private void stopThinking() {
    if (thinking != null) {
      thinking.drop();
      thinking = null;
      timeUp.cancel();
    }
  }

  /** The server does not play the match any more, and may still tell how it ended. */
  void gone() {
    over = true;
    forget();
  }

  /** Whether the server does not play the match any more. */
  boolean isGone() {
    return over;
  }

  /** The match is over. */
  void end(Arena.MatchEnd end) {
    gone();
    if (end.getFirstEvent() == history.size()) {
      history.addAll(Reading.events(end.getEventsList()));
    }
    LOG.log(
        Level.INFO,
        "match %s is over: seat %d, places %s%s"
            .formatted(match.id(), match.seat(), end.getPlacesList(), end.getVoidReason()));
    Match known = match;
    List<Event> events = List.copyOf(history);
    lane.then(() -> bot.end(known, end, events));
  }
}
