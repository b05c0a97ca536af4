package kitumaija.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import kitumaija.v1.Arena;
import kitumaija.v1.Game;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The worked examples that all languages share. */
class VectorsTest {
  private static final Path FRAMES = Path.of("../../proto/vectors/frames.json");

  private record Example(JsonObject written) {
    static List<Example> all() throws IOException {
      JsonArray all = JsonParser.parseString(Files.readString(FRAMES)).getAsJsonArray();
      return StreamSupport.stream(all.spliterator(), false)
          .map(one -> new Example(one.getAsJsonObject()))
          .toList();
    }

    byte[] bytes() {
      return HexFormat.of().parseHex(written.get("bytes").getAsString());
    }

    boolean newer() {
      return written.has("newer");
    }

    Message read() throws InvalidProtocolBufferException {
      Parser<? extends Message> parser = empty().getParserForType();
      return DiscardUnknownFieldsParser.wrap(parser).parseFrom(bytes());
    }

    Message fromJson() throws InvalidProtocolBufferException {
      Message.Builder builder = empty().newBuilderForType();
      JsonFormat.parser().merge(written.get("json").toString(), builder);
      return builder.build();
    }

    JsonArray meaning() {
      return written.get("meaning").getAsJsonArray();
    }

    private Message empty() {
      return written.get("frame").getAsString().equals("PlayRequest")
          ? Arena.PlayRequest.getDefaultInstance()
          : Arena.PlayResponse.getDefaultInstance();
    }

    @Override
    public String toString() {
      return written.get("name").getAsString();
    }
  }

  static List<Example> examples() throws IOException {
    return Example.all();
  }

  @Test
  void thereAreExamples() throws IOException {
    assertFalse(examples().isEmpty());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void bytesAndJsonAreTheSameFrame(Example example) throws IOException {
    Message frame = example.fromJson();
    assertEquals(frame, example.read());
    if (!example.newer()) {
      assertEquals(
          HexFormat.of().formatHex(example.bytes()), HexFormat.of().formatHex(frame.toByteArray()));
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void aFrameMeansWhatItsExampleSays(Example example) throws IOException {
    Message frame = example.read();
    FieldDescriptor messages = frame.getDescriptorForType().findFieldByName("messages");
    assertEquals(example.meaning().size(), frame.getRepeatedFieldCount(messages));
    for (int i = 0; i < example.meaning().size(); i++) {
      JsonObject want = example.meaning().get(i).getAsJsonObject();
      assertEquals(want, meaning((Message) frame.getRepeatedField(messages, i), want));
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void whatIsSaidIsWrittenInTheExamplesBytes(Example example) throws IOException {
    if (!(example.read() instanceof Arena.PlayRequest request)) {
      return;
    }
    Arena.PlayRequest.Builder again = Arena.PlayRequest.newBuilder();
    for (Arena.BotMessage message : request.getMessagesList()) {
      Arena.BotMessage.Builder said = message.toBuilder();
      if (message.hasAnswer()) {
        Action action = only(message.getAnswer().getAction());
        said.getAnswerBuilder().setAction(action.message());
      }
      again.addMessages(said);
    }
    assertEquals(
        HexFormat.of().formatHex(example.bytes()),
        HexFormat.of().formatHex(again.build().toByteArray()));
  }

  /** What this client makes of a message, in the words of the examples. */
  private static JsonObject meaning(Message message, JsonObject want) {
    JsonObject means = new JsonObject();
    FieldDescriptor kind =
        message.getOneofFieldDescriptor(message.getDescriptorForType().getOneofs().get(0));
    means.addProperty("is", kind == null ? "nothing" : kind.getName());
    if (kind == null) {
      return means;
    }
    Object told = message.getField(kind);
    if (told instanceof Arena.Hello hello) {
      means.addProperty("capacity", hello.getCapacity());
    } else if (told instanceof Arena.MatchStart start) {
      means.addProperty("match", start.getMatchId());
    } else if (told instanceof Arena.Ready ready) {
      means.addProperty("match", ready.getMatchId());
    } else if (told instanceof Arena.Seating seating) {
      means.addProperty("match", seating.getMatchId());
    } else if (told instanceof Arena.MatchSync sync) {
      means.addProperty("match", sync.getMatchId());
    } else if (told instanceof Arena.Accepted accepted) {
      means.addProperty("decision", accepted.getDecisionId());
    } else if (told instanceof Arena.Answer answer) {
      means.addProperty("decision", answer.getDecisionId());
      means.addProperty("action", only(answer.getAction()).toString());
    } else if (told instanceof Arena.Refusal refusal) {
      means.addProperty("decision", refusal.getDecisionId());
      means.addProperty("open", refusal.hasLegal());
      means.add("legal", texts(Reading.actions(refusal.getLegal())));
    } else if (told instanceof Arena.MatchEnd end) {
      means.addProperty("match", end.getMatchId());
      JsonArray places = new JsonArray();
      end.getPlacesList().forEach(places::add);
      means.add("places", places);
    } else if (told instanceof Arena.Entropy entropy && want.has("sha256_of")) {
      String committed = want.get("sha256_of").getAsString();
      byte[] hash = sha256(HexFormat.of().parseHex(committed));
      if (MessageDigest.isEqual(hash, entropy.getValue().toByteArray())) {
        means.addProperty("sha256_of", committed);
      }
    } else if (told instanceof Arena.Decision asked) {
      decision(means, asked);
    }
    return means;
  }

  private static void decision(JsonObject means, Arena.Decision asked) {
    List<Event> events = Reading.events(asked.getEventsList());
    Deadline deadline = new Deadline(Reading.thinkAtMost(asked).toNanos(), () -> 0);
    Turn turn =
        Reading.turn(
            Reading.match(asked.getMatchId(), 2, Arena.Limits.getDefaultInstance()),
            asked,
            Reading.actions(asked.getLegal()),
            events,
            deadline);
    means.addProperty("decision", turn.decisionId());
    means.addProperty(
        "phase", turn.view().phase().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    means.addProperty("seat", turn.view().seat());
    means.add("hand", texts(turn.view().hand()));
    means.addProperty("top", turn.view().top().map(Card::toString).orElse("-"));
    means.add("legal", texts(turn.legal()));
    JsonArray told = new JsonArray();
    told.add(asked.getFirstEvent());
    told.add(turn.events().size());
    means.add("events", told);
    means.addProperty("time_left_us", turn.timeLeft().toNanos() / 1000);
    means.addProperty("think_at_most_us", turn.remaining().toNanos() / 1000);
  }

  private static JsonArray texts(List<?> values) {
    JsonArray written = new JsonArray();
    values.forEach(value -> written.add(value.toString()));
    return written;
  }

  /** The one action of a message. */
  private static Action only(Game.Action action) {
    Game.LegalActions.Builder legal = Game.LegalActions.newBuilder();
    switch (action.getActionCase()) {
      case PLAY -> legal.addPlay(action.getPlay());
      case TURN -> legal.setTurn(true);
      case TAKE -> legal.addTake(action.getTake());
      case PASS_LEAD -> legal.setPassLead(true);
      case ACTION_NOT_SET -> {}
    }
    return Reading.actions(legal.build()).get(0);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
