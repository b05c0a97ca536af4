package kitumaija.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kitumaija.v1.Arena.BotMessage;
import kitumaija.v1.Arena.PlayRequest;
import org.junit.jupiter.api.Test;

/** What a client has to say, as frames. */
class ClientTest {
  private static final int LARGEST = 64 * 1024;

  private final Loop loop = new Loop(() -> 0);
  private final Client client =
      new Client(ScriptedServer.settings("localhost:1"), ScriptedServer::first, loop, call -> {});

  @Test
  void whatIsReadyGoesInAsFewFramesAsTakeIt() {
    int pings = 20_000;
    client.open();
    IntStream.range(0, pings).forEach(nonce -> client.hear(Say.ping(-1 - nonce), 0));
    List<PlayRequest> frames =
        Stream.generate(client::frame).takeWhile(Optional::isPresent).map(Optional::get).toList();
    assertTrue(frames.stream().allMatch(frame -> frame.getSerializedSize() <= LARGEST));
    List<BotMessage> said = new ArrayList<>();
    frames.forEach(frame -> said.addAll(frame.getMessagesList()));
    assertEquals(1 + pings, said.size());
    assertTrue(said.get(0).hasHello());
    assertEquals(-pings, said.get(pings).getPong().getNonce());
    assertTrue(frames.size() < 10);
  }

  @Test
  void aHelloNamesNoMoreMatchesThanItMay() {
    client.open();
    IntStream.range(0, 300).forEach(i -> client.hear(Say.offer("match-" + i), 0));
    client.open();
    assertEquals(256, client.frame().orElseThrow().getMessages(0).getHello().getMatchIdsCount());
  }

  @Test
  void nothingOfAnOldStreamIsSaidOnANewOne() {
    client.open();
    client.hear(Say.ping(1), 0);
    client.open();
    PlayRequest frame = client.frame().orElseThrow();
    assertEquals(1, frame.getMessagesCount());
    assertTrue(frame.getMessages(0).hasHello());
  }

  @Test
  void nothingFollowsAGoodbye() {
    client.open();
    client.leave();
    client.hear(Say.ping(1), 0);
    List<BotMessage> said = client.frame().orElseThrow().getMessagesList();
    assertTrue(said.get(said.size() - 1).hasGoodbye());
  }
}
