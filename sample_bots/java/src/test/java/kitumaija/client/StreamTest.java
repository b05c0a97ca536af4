package kitumaija.client;

import static kitumaija.client.ScriptedServer.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.InsecureServerCredentials;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import kitumaija.v1.Arena;
import kitumaija.v1.Arena.BotMessage;
import kitumaija.v1.Arena.ServerMessage;
import kitumaija.v1.Game;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One stream: what the bot says to what the server says. */
class StreamTest {
  @Test
  void theBotSaysWhatItIsAndIsReadyForWhatIsOffered() throws Exception {
    Outcome outcome =
        play(
            ScriptedServer::first,
            peer -> {
              Arena.Hello hello = peer.greet();
              assertEquals("java", hello.getLanguage());
              assertEquals(4, hello.getCapacity());
              peer.say(Say.offer("m"));
              assertEquals("m", peer.hear().getReady().getMatchId());
              return null;
            });
    assertEquals(new Outcome.Left(), outcome);
  }

  @Test
  void manyMatchesInOneFrameAreAllAnswered() throws Exception {
    play(
        ScriptedServer::first,
        peer -> {
          peer.greet();
          ServerMessage newer = ServerMessage.getDefaultInstance();
          peer.say(Say.ask("a", 1, 0, 1), newer, Say.ask("b", 1, 0, 2), Say.ask("c", 1, 0, 3));
          Map<String, Integer> played = new TreeMap<>();
          for (int i = 0; i < 3; i++) {
            Arena.Answer answer = peer.hear().getAnswer();
            played.put(answer.getMatchId(), answer.getAction().getPlayValue());
          }
          assertEquals(Map.of("a", 1, "b", 2, "c", 3), played);
          return null;
        });
  }

  @Test
  void aSlowBotHoldsUpNeitherOtherMatchesNorPongs() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Supplier<Bot> slow =
        () ->
            turn -> {
              if (turn.match().id().equals("slow")) {
                go.await();
              }
              return turn.legal().get(0);
            };
    play(
        slow,
        peer -> {
          peer.greet();
          peer.say(Say.ask("slow", 1, 0, 1));
          peer.say(Say.ping(9));
          assertEquals(9, peer.hear().getPong().getNonce());
          peer.say(Say.ask("quick", 1, 0, 2));
          assertEquals("quick", peer.hear().getAnswer().getMatchId());
          go.countDown();
          assertEquals("slow", peer.hear().getAnswer().getMatchId());
          return null;
        });
  }

  static List<Bot> botsThatFail() {
    return List.of(
        turn -> {
          throw new IllegalStateException("oh");
        },
        turn -> {
          throw new StackOverflowError();
        },
        turn -> new Action.Play(Card.MAIJA),
        turn -> null);
  }

  @ParameterizedTest
  @MethodSource("botsThatFail")
  void aBotThatFailsPlaysTheFirstLegalAction(Bot bot) throws Exception {
    play(
        () -> bot,
        peer -> {
          peer.greet();
          for (int decision = 1; decision <= 2; decision++) {
            peer.say(Say.ask("m", decision, 0, 5, 6));
            assertEquals(5, peer.hear().getAnswer().getAction().getPlayValue());
          }
          return null;
        });
  }

  @Test
  void aBotThatDoesNotStartIsNotReady() throws Exception {
    Supplier<Bot> none =
        () -> {
          throw new IllegalStateException("oh");
        };
    play(
        none,
        peer -> {
          peer.greet();
          peer.say(Say.offer("m"), Say.ask("other", 1, 0, 5));
          assertEquals("other", peer.hear().getAnswer().getMatchId());
          return null;
        });
  }

  @Test
  void whatThisClientDoesNotKnowIsLeftToTheServer() throws Exception {
    play(
        ScriptedServer::first,
        peer -> {
          peer.greet();
          peer.say(Say.ask("m", 1, 0), Say.ask("n", 1, 0, 99), Say.ask("o", 1, 0, 99, 7));
          Arena.Answer answer = peer.hear().getAnswer();
          assertEquals("o", answer.getMatchId());
          assertEquals(7, answer.getAction().getPlayValue());
          return null;
        });
  }

  @Test
  void anAnswerThatWasRefusedIsGivenAnewFromWhatIsLegal() throws Exception {
    play(
        ScriptedServer::first,
        peer -> {
          peer.greet();
          peer.say(Say.ask("m", 1, 0, 5));
          peer.hear();
          peer.say(
              Say.refuse(
                  Arena.Refusal.newBuilder()
                      .setMatchId("m")
                      .setDecisionId(1)
                      .setLegal(Game.LegalActions.newBuilder().addTake(3))
                      .setRetriesLeft(1)));
          assertEquals(3, peer.hear().getAnswer().getAction().getTake());
          return null;
        });
  }

  @Test
  void nothingIsSaidToARefusalOfWhatWasDecided() throws Exception {
    play(
        ScriptedServer::first,
        peer -> {
          peer.greet();
          peer.say(Say.ask("m", 1, 0, 5));
          peer.hear();
          peer.say(
              Say.refuse(
                  Arena.Refusal.newBuilder()
                      .setMatchId("m")
                      .setDecisionId(1)
                      .setReason(Arena.RefusalReason.REFUSAL_REASON_DECIDED)),
              Say.ping(1));
          assertTrue(peer.hear().hasPong());
          return null;
        });
  }

  @Test
  void thinkingEndsWhenTheDecisionWasMadeOtherwise() throws Exception {
    CountDownLatch thinks = new CountDownLatch(1);
    Supplier<Bot> slow =
        () ->
            turn -> {
              if (turn.decisionId() == 1) {
                thinks.countDown();
                new CountDownLatch(1).await(); // until it is interrupted
              }
              return turn.legal().get(0);
            };
    play(
        slow,
        peer -> {
          peer.greet();
          peer.say(Say.ask("m", 1, 0, 5));
          thinks.await();
          peer.say(Say.ask("m", 2, 0, 6));
          assertEquals(2, peer.hear().getAnswer().getDecisionId());
          return null;
        });
  }

  @Test
  void aBotIsToldEachEventOnceAndTheEnd() throws Exception {
    BlockingQueue<Object> told = new LinkedBlockingQueue<>();
    Bot bot =
        new Bot() {
          @Override
          public Action choose(Turn turn) {
            told.add(turn.events());
            return turn.legal().get(0);
          }

          @Override
          public void end(Ending ending) {
            told.add(ending.places());
          }
        };
    play(
        () -> bot,
        peer -> {
          peer.greet();
          peer.say(Say.telling(Say.ask("m", 1, 0, 5), 1, 0));
          peer.hear();
          peer.say(Say.accept("m", 1), Say.telling(Say.ask("m", 2, 2, 6), 1));
          peer.hear();
          peer.say(Say.end("m", 2, 1));
          assertEquals(List.of(new Event.Passed(1), new Event.Passed(0)), told.take());
          assertEquals(List.of(new Event.Passed(1)), told.take());
          assertEquals(List.of(2, 1), told.take());
          return null;
        });
  }

  @Test
  void entropyIsCommittedToBeforeItIsShown() throws Exception {
    play(
        ScriptedServer::first,
        peer -> {
          peer.greet();
          peer.say(Say.askForEntropy(Arena.EntropyStep.ENTROPY_STEP_REVEAL, "master"));
          peer.say(Say.askForEntropy(Arena.EntropyStep.ENTROPY_STEP_COMMIT, "master"));
          Arena.Entropy committed = peer.hear().getEntropy();
          assertEquals(Arena.EntropyStep.ENTROPY_STEP_COMMIT, committed.getStep());
          peer.say(Say.askForEntropy(Arena.EntropyStep.ENTROPY_STEP_COMMIT, "master"));
          assertEquals(committed, peer.hear().getEntropy());
          // Against another commitment of the server nothing is shown: the Pong comes first.
          peer.say(
              Say.askForEntropy(Arena.EntropyStep.ENTROPY_STEP_REVEAL, "another"),
              Say.ping(1),
              Say.askForEntropy(Arena.EntropyStep.ENTROPY_STEP_REVEAL, "master"));
          assertTrue(peer.hear().hasPong());
          byte[] shown = peer.hear().getEntropy().getValue().toByteArray();
          byte[] hash = MessageDigest.getInstance("SHA-256").digest(shown);
          assertTrue(MessageDigest.isEqual(hash, committed.getValue().toByteArray()));
          return null;
        });
  }

  @Test
  void aBotThatIsAskedToStopSaysGoodbyeLast() throws Exception {
    BlockingQueue<BotMessage> said = new LinkedBlockingQueue<>();
    CountDownLatch welcomed = new CountDownLatch(1);
    ScriptedServer.Script script =
        peer -> {
          peer.greet();
          welcomed.countDown();
          said.add(peer.hear());
          peer.say(Say.ping(1), Say.ask("m", 1, 0, 5));
          said.add(peer.hear());
          return null;
        };
    try (var server = new ScriptedServer(InsecureServerCredentials.create(), script)) {
      Thread leaver =
          new Thread(
              () -> {
                try {
                  welcomed.await();
                } catch (InterruptedException asked) {
                  Thread.currentThread().interrupt();
                }
                server.leave();
              });
      leaver.start();
      Outcome outcome =
          server.played(
              ScriptedServer::first,
              new Loop(System::nanoTime),
              ScriptedServer.settings("localhost:" + server.port()));
      assertEquals(0, outcome.exitCode());
    }
    assertTrue(said.take().hasGoodbye());
    assertEquals(BotMessage.getDefaultInstance(), said.take());
  }
}
