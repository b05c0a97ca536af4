package kitumaija.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import kitumaija.v1.Arena;
import kitumaija.v1.Arena.BotMessage;
import kitumaija.v1.Arena.PlayRequest;
import kitumaija.v1.Arena.PlayResponse;
import kitumaija.v1.Arena.ServerMessage;
import kitumaija.v1.ArenaServiceGrpc;

/** A server, each stream of which follows a script, and a bot that plays on it. */
final class ScriptedServer extends ArenaServiceGrpc.ArenaServiceImplBase implements AutoCloseable {
  /** Bounds hanging; no test asserts a time. */
  private static final int PATIENCE_SECONDS = 30;

  /** What is said on one stream, and the error that ends it; null ends it without one. */
  @FunctionalInterface
  interface Script {
    StatusRuntimeException play(Peer peer) throws Exception;
  }

  private final Queue<Script> scripts;
  private final Server server;
  private final CompletableFuture<Void> followed = new CompletableFuture<>();
  private Runner runner;

  ScriptedServer(ServerCredentials credentials, Script... scripts) throws IOException {
    this.scripts = new ArrayDeque<>(List.of(scripts));
    this.server =
        Grpc.newServerBuilderForPort(0, credentials)
            .addService(this)
            .intercept(new TokenCheck())
            .build()
            .start();
  }

  /** Plays on a server of these scripts, and leaves when the last of them is over. */
  static Outcome play(Supplier<Bot> bot, Script... scripts) throws Exception {
    return play(bot, new Loop(System::nanoTime), scripts);
  }

  static Outcome play(Supplier<Bot> bot, Loop loop, Script... scripts) throws Exception {
    try (var server = new ScriptedServer(InsecureServerCredentials.create(), scripts)) {
      return server.played(bot, loop, settings("localhost:" + server.port()));
    }
  }

  /** The bot that plays the first legal action. */
  static Bot first() {
    return turn -> turn.legal().get(0);
  }

  static Settings settings(String address) {
    return new Settings(address, "secret", Optional.empty(), "", 4, Duration.ofMinutes(10));
  }

  int port() {
    return server.getPort();
  }

  /** Plays with these settings; what went wrong in a script is thrown here. */
  Outcome played(Supplier<Bot> bot, Loop loop, Settings settings) throws Exception {
    runner = new Runner(bot, settings, loop, new BackOff(Duration.ZERO, () -> 0));
    Outcome outcome = runner.run();
    if (outcome instanceof Outcome.Left) {
      try {
        followed.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException failed) {
        throw new AssertionError(failed.getCause());
      }
    } else {
      assertEquals(false, followed.isCompletedExceptionally());
    }
    return outcome;
  }

  /** Asks the bot to leave. */
  void leave() {
    runner.leave();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  @Override
  public StreamObserver<PlayRequest> play(StreamObserver<PlayResponse> responses) {
    Peer peer = new Peer(responses);
    Script script = scripts.poll();
    Thread thread = new Thread(() -> follow(script, peer), "script");
    thread.setDaemon(true);
    thread.start();
    return peer;
  }

  private void follow(Script script, Peer peer) {
    StatusRuntimeException end = null;
    boolean last = scripts.isEmpty();
    try {
      assertNotNull(script, "the bot dialed again");
      end = script.play(peer);
      if (last && end == null) {
        followed.complete(null);
      }
    } catch (Throwable failure) {
      followed.completeExceptionally(failure);
    }
    if ((last && end == null) || followed.isCompletedExceptionally()) {
      leave();
    }
    if (end == null) {
      peer.responses.onCompleted();
    } else {
      peer.responses.onError(end);
    }
  }

  /** The server's end of one stream. */
  static final class Peer implements StreamObserver<PlayRequest> {
    private static final BotMessage NOTHING_MORE = BotMessage.getDefaultInstance();

    private final StreamObserver<PlayResponse> responses;
    private final BlockingQueue<BotMessage> heard = new LinkedBlockingQueue<>();

    private Peer(StreamObserver<PlayResponse> responses) {
      this.responses = responses;
    }

    /** The bot's next message; one without content where it says no more. */
    BotMessage hear() throws Exception {
      BotMessage message = heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (message == null) {
        throw new TimeoutException("the bot says nothing");
      }
      return message;
    }

    /** Says messages in one frame. */
    void say(ServerMessage... messages) {
      responses.onNext(PlayResponse.newBuilder().addAllMessages(Arrays.asList(messages)).build());
    }

    /** Hears the Hello, and welcomes the bot, which is in these matches. */
    Arena.Hello greet(String... matches) throws Exception {
      Arena.Hello hello = hear().getHello();
      Arena.Welcome welcome =
          Arena.Welcome.newBuilder().setBotId("b").addAllMatchIds(Arrays.asList(matches)).build();
      say(ServerMessage.newBuilder().setWelcome(welcome).build());
      return hello;
    }

    @Override
    public void onNext(PlayRequest frame) {
      heard.addAll(frame.getMessagesList());
    }

    @Override
    public void onError(Throwable gone) {
      heard.add(NOTHING_MORE);
    }

    @Override
    public void onCompleted() {
      heard.add(NOTHING_MORE);
    }
  }

  private static final class TokenCheck implements ServerInterceptor {
    private static final Metadata.Key<String> AUTHORIZATION =
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      if (!"Bearer secret".equals(headers.get(AUTHORIZATION))) {
        throw Say.error(io.grpc.Status.Code.UNAUTHENTICATED, "UNAUTHENTICATED_TOKEN");
      }
      return next.startCall(call, headers);
    }
  }
}
