package kitumaija.client;

import static kitumaija.client.ScriptedServer.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import kitumaija.v1.Arena;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams after one another, and what ends them. */
class ComingBackTest {
  private static StatusRuntimeException cut() {
    return Status.UNAVAILABLE.withDescription("the line breaks").asRuntimeException();
  }

  @Test
  void anAnswerThatWasNotAcceptedIsSentAgainOnTheNextStream() throws Exception {
    BlockingQueue<Arena.Answer> answers = new LinkedBlockingQueue<>();
    play(
        ScriptedServer::first,
        peer -> {
          peer.greet();
          peer.say(Say.offer("m"));
          peer.hear();
          peer.say(Say.ask("m", 1, 0, 5));
          answers.add(peer.hear().getAnswer());
          return cut();
        },
        peer -> {
          assertEquals(List.of("m"), peer.greet("m").getMatchIdsList());
          peer.say(Say.sync("m", 3), Say.ask("m", 1, 3, 6));
          answers.add(peer.hear().getAnswer());
          return null;
        });
    Arena.Answer first = answers.take();
    assertEquals(5, first.getAction().getPlayValue());
    assertTrue(first.hasThinkTimeUs());
    assertEquals(first, answers.take());
  }

  @Test
  void aBotThatStillThinksIsNotAskedTwice() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    Supplier<Bot> slow =
        () ->
            turn -> {
              asked.incrementAndGet();
              go.await();
              return turn.legal().get(0);
            };
    play(
        slow,
        peer -> {
          peer.greet();
          peer.say(Say.ask("m", 1, 0, 5));
          return cut();
        },
        peer -> {
          peer.greet("m");
          peer.say(Say.sync("m", 0), Say.ask("m", 1, 0, 5), Say.ping(1));
          peer.hear(); // the Pong: the question was heard
          go.countDown();
          assertEquals(1, peer.hear().getAnswer().getDecisionId());
          return null;
        });
    assertEquals(1, asked.get());
  }

  @Test
  void aMatchThatIsOfferedAgainIsAnsweredOnThatStream() throws Exception {
    play(
        ScriptedServer::first,
        peer -> {
          peer.greet();
          peer.say(Say.offer("m"));
          peer.hear();
          return Say.error(Status.Code.UNAVAILABLE, "DRAINING");
        },
        peer -> {
          peer.greet("m");
          peer.say(Say.offer("m"));
          assertEquals("m", peer.hear().getReady().getMatchId());
          return null;
        });
  }

  @Test
  void aMissingEventIsAskedForAgainOnce() throws Exception {
    play(
        ScriptedServer::first,
        peer -> {
          peer.greet("m");
          peer.say(Say.ask("m", 4, 7, 5), Say.ask("m", 4, 7, 5));
          assertEquals("m", peer.hear().getResync().getMatchId());
          peer.say(Say.sync("m", 7), Say.ask("m", 4, 7, 5));
          assertEquals(4, peer.hear().getAnswer().getDecisionId());
          return null;
        });
  }

  @Test
  void aMatchIsNamedUntilItsEndIsHeard() throws Exception {
    ScriptedServer.Script lost =
        peer -> {
          assertEquals(List.of("m"), peer.greet().getMatchIdsList());
          peer.say(Say.end("m", 1, 2));
          return cut();
        };
    play(
        ScriptedServer::first,
        peer -> {
          peer.greet();
          peer.say(Say.ask("m", 1, 0, 5));
          peer.hear();
          return cut();
        },
        lost,
        peer -> {
          assertEquals(List.of(), peer.greet().getMatchIdsList());
          return null;
        });
  }

  @Test
  void aStreamThatEndsWithoutAnErrorIsFollowedByAnother() throws Exception {
    Outcome outcome = play(ScriptedServer::first, peer -> cut(), peer -> null);
    assertEquals(new Outcome.Left(), outcome);
  }

  @ParameterizedTest
  @CsvSource({
    "ABORTED, REPLACED",
    "RESOURCE_EXHAUSTED, FLOODING",
    "UNAUTHENTICATED, UNAUTHENTICATED_TOKEN",
    "FAILED_PRECONDITION, A_NEWER_REASON"
  })
  void whatIsOfNoUseIsNotTriedAgain(Status.Code code, String reason) throws Exception {
    Outcome outcome =
        play(
            ScriptedServer::first,
            peer -> {
              peer.greet();
              return Say.error(code, reason);
            },
            peer -> fail("the bot dialed again"));
    assertEquals(4, outcome.exitCode());
    assertEquals(reason, assertInstanceOf(Outcome.Refused.class, outcome).why().reason());
  }

  @Test
  void aServerThatIsNotThereIsGivenUp() throws Exception {
    Settings settings =
        new Settings("localhost:1", "secret", Optional.empty(), "", 0, Duration.ZERO);
    Runner runner =
        new Runner(
            ScriptedServer::first, settings, new Loop(System::nanoTime), BackOff.drawnBy(() -> 0));
    Outcome outcome = runner.run();
    assertEquals(3, outcome.exitCode());
    assertInstanceOf(Outcome.Unreachable.class, outcome);
  }

  @Test
  void aStreamOnWhichNothingIsHeardIsLeft() throws Exception {
    AtomicLong clock = new AtomicLong();
    Loop loop = new Loop(clock::get);
    play(
        ScriptedServer::first,
        loop,
        peer -> {
          peer.greet();
          peer.say(Say.ping(1));
          peer.hear();
          clock.addAndGet(Line.SILENCE.toNanos());
          loop.execute(() -> {}); // the loop looks at the clock
          assertEquals(Arena.BotMessage.getDefaultInstance(), peer.hear());
          return cut();
        },
        peer -> {
          peer.greet();
          return null;
        });
  }

  @Test
  void thinkingIsInterruptedWhenItsTimeIsUp() throws Exception {
    AtomicLong clock = new AtomicLong();
    Loop loop = new Loop(clock::get);
    CountDownLatch thinks = new CountDownLatch(1);
    Supplier<Bot> slow =
        () ->
            turn -> {
              thinks.countDown();
              new CountDownLatch(1).await(); // until it is interrupted
              return turn.legal().get(1);
            };
    // Shorter than the silence after which a stream is left.
    Duration time = Duration.ofSeconds(1);
    Arena.ServerMessage.Builder asked = Say.ask("m", 1, 0, 5, 6).toBuilder();
    asked.getDecisionBuilder().setTimeLeftUs(1_100_000).setRoundTripUs(100_000);
    play(
        slow,
        loop,
        peer -> {
          peer.greet();
          peer.say(asked.build());
          thinks.await();
          clock.addAndGet(time.toNanos() - 1);
          loop.execute(() -> {});
          peer.say(Say.ping(1));
          assertTrue(peer.hear().hasPong());
          clock.addAndGet(1);
          loop.execute(() -> {});
          assertEquals(5, peer.hear().getAnswer().getAction().getPlayValue());
          return null;
        });
  }

  @Test
  void timeThatTheServerAddsIsTheBots() throws Exception {
    AtomicLong clock = new AtomicLong();
    Loop loop = new Loop(clock::get);
    CountDownLatch thinks = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Supplier<Bot> slow =
        () ->
            turn -> {
              thinks.countDown();
              go.await();
              assertEquals(Duration.ofMillis(1), turn.remaining());
              return turn.legal().get(1);
            };
    Duration time = Duration.ofSeconds(1);
    Arena.ServerMessage.Builder asked = Say.ask("m", 1, 0, 5, 6).toBuilder();
    asked.getDecisionBuilder().setTimeLeftUs(1_000_000);
    play(
        slow,
        loop,
        peer -> {
          peer.greet();
          peer.say(asked.build());
          thinks.await();
          clock.addAndGet(time.toNanos() - 1);
          return cut();
        },
        peer -> {
          peer.greet("m");
          peer.say(Say.sync("m", 0), asked.build(), Say.ping(1));
          peer.hear(); // the Pong: the question was heard
          clock.addAndGet(time.toNanos() - 1_000_000);
          loop.execute(() -> {});
          peer.say(Say.ping(2));
          peer.hear();
          go.countDown();
          assertEquals(6, peer.hear().getAnswer().getAction().getPlayValue());
          return null;
        });
  }
}
