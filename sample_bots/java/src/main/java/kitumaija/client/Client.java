package kitumaija.client;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import kitumaija.v1.Arena;
import kitumaija.v1.Arena.BotMessage;
import kitumaija.v1.Arena.PlayRequest;
import kitumaija.v1.Arena.ServerMessage;

/**
 * What outlives a stream: the matches, and what was answered. It does no I/O, and belongs to the
 * loop; the bots' calls run beside it and hand it their results.
 */
final class Client {
  private static final Logger LOG = System.getLogger("kitumaija");

  /** The largest frame that the server takes. */
  private static final int FRAME_BYTES = 64 * 1024;

  /** How many matches a Hello may name. */
  private static final int MATCHES_IN_HELLO = 256;

  private final Settings settings;
  private final Supplier<Bot> newBot;
  private final Loop loop;
  private final Executor threads;
  private final Map<String, OpenMatch> matches = new TreeMap<>();
  private final Shares shares = new Shares();

  private int stream; // counts the streams, from 1
  private boolean welcomed; // on this stream
  private boolean leaving;
  private final Deque<BotMessage> outbox = new ArrayDeque<>();

  Client(Settings settings, Supplier<Bot> newBot, Loop loop, Executor threads) {
    this.settings = settings;
    this.newBot = newBot;
    this.loop = loop;
    this.threads = threads;
  }

  /** The number of this stream. */
  int stream() {
    return stream;
  }

  /** Whether the server has greeted the bot on this stream. */
  boolean welcomed() {
    return welcomed;
  }

  /** Begins a stream: nothing that was said on the one before counts on it. */
  void open() {
    stream++;
    welcomed = false;
    outbox.clear();
    Arena.Hello.Builder hello =
        Arena.Hello.newBuilder()
            .setSdk("kitumaija-java-sample/1")
            .setLanguage("java")
            .setBotVersion(settings.botVersion())
            .setCapacity(settings.capacity());
    matches.keySet().stream().limit(MATCHES_IN_HELLO).forEach(hello::addMatchIds);
    say(BotMessage.newBuilder().setHello(hello));
  }

  /** Says goodbye, and nothing after it. */
  void leave() {
    Arena.Goodbye goodbye = Arena.Goodbye.newBuilder().setReason("asked to stop").build();
    say(BotMessage.newBuilder().setGoodbye(goodbye));
    leaving = true;
  }

  /** Says something as soon as the stream takes it. */
  void say(BotMessage.Builder message) {
    if (!leaving) {
      outbox.add(message.build());
    }
  }

  /** What is to be said, as much as a frame takes; empty if there is nothing. */
  Optional<PlayRequest> frame() {
    PlayRequest.Builder frame = PlayRequest.newBuilder();
    int size = 0;
    for (BotMessage next = outbox.peek(); next != null; next = outbox.peek()) {
      size += next.getSerializedSize() + 5; // at most five bytes for its field and its length
      if (size > FRAME_BYTES && frame.getMessagesCount() > 0) {
        break;
      }
      frame.addMessages(outbox.remove());
    }
    return frame.getMessagesCount() > 0 ? Optional.of(frame.build()) : Optional.empty();
  }

  /** Takes a message that came at {@code arrived}. One of a kind unknown here is ignored. */
  void hear(ServerMessage message, long arrived) {
    if (leaving) {
      return;
    }
    switch (message.getMessageCase()) {
      case WELCOME -> welcome(message.getWelcome());
      case MATCH_START -> {
        Arena.MatchStart start = message.getMatchStart();
        open(Reading.match(start.getMatchId(), start.getSeats(), start.getLimits())).offered();
      }
      case SEATING -> named(message.getSeating().getMatchId()).seated(message.getSeating());
      case MATCH_SYNC -> {
        Arena.MatchSync sync = message.getMatchSync();
        Match match = Reading.match(sync.getMatchId(), 0, sync.getLimits());
        open(Reading.seated(match, sync.getSeating())).synced(sync);
      }
      case DECISION -> {
        Arena.Decision asked = message.getDecision();
        named(asked.getMatchId()).decide(asked, arrived);
      }
      case ACCEPTED -> {
        Arena.Accepted accepted = message.getAccepted();
        known(accepted.getMatchId()).ifPresent(it -> it.accepted(accepted.getDecisionId()));
      }
      case REFUSAL ->
          known(message.getRefusal().getMatchId())
              .ifPresent(it -> it.refused(message.getRefusal()));
      case MATCH_END -> {
        Arena.MatchEnd end = message.getMatchEnd();
        Optional.ofNullable(matches.remove(end.getMatchId())).ifPresent(it -> it.end(end));
      }
      case DRAIN ->
          LOG.log(
              Level.INFO,
              "the server restarts within %d s"
                  .formatted(message.getDrain().getWithin().getSeconds()));
      case PING -> {
        Arena.Pong pong = Arena.Pong.newBuilder().setNonce(message.getPing().getNonce()).build();
        say(BotMessage.newBuilder().setPong(pong));
      }
      case ENTROPY_REQUEST ->
          shares
              .answer(message.getEntropyRequest())
              .ifPresent(share -> say(BotMessage.newBuilder().setEntropy(share)));
      case MESSAGE_NOT_SET -> {}
    }
  }

  private void welcome(Arena.Welcome welcome) {
    welcomed = true;
    LOG.log(
        Level.INFO,
        "playing as %s on %s, in %d matches"
            .formatted(welcome.getBotId(), welcome.getServer(), welcome.getMatchIdsCount()));
    Iterator<Map.Entry<String, OpenMatch>> all = matches.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<String, OpenMatch> entry = all.next();
      if (welcome.getMatchIdsList().contains(entry.getKey())) {
        continue;
      }
      if (entry.getValue().isGone()) {
        all.remove(); // its end did not come on the stream before this one: it will not come
      } else {
        entry.getValue().gone();
      }
    }
  }

  private Optional<OpenMatch> known(String id) {
    return Optional.ofNullable(matches.get(id));
  }

  /** The match of this id, though it may be new and nothing be known of it. */
  private OpenMatch named(String id) {
    return open(Reading.match(id, 0, Arena.Limits.getDefaultInstance()));
  }

  /** The match; where it is new, its bot is made from what is known of it now. */
  private OpenMatch open(Match match) {
    return matches.computeIfAbsent(
        match.id(), id -> new OpenMatch(match, this, loop, threads, newBot));
  }
}
