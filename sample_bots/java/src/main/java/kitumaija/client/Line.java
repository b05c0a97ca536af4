package kitumaija.client;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.Optional;
import kitumaija.v1.Arena.PlayRequest;
import kitumaija.v1.Arena.PlayResponse;
import kitumaija.v1.ArenaServiceGrpc;

/**
 * One stream, from its opening to its end. All of it belongs to the loop; gRPC's threads only hand
 * it what happens.
 */
final class Line implements ClientResponseObserver<PlayRequest, PlayResponse> {
  /** A stream on which nothing is heard for so long is given up. */
  static final Duration SILENCE = Duration.ofSeconds(12);

  /** How long the server may take to see a Goodbye. */
  private static final Duration LEAVING = Duration.ofSeconds(2);

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Client client;
  private final Loop loop;
  private ClientCallStreamObserver<PlayRequest> requests;
  private Loop.Timer giveUp;
  private boolean connected;
  private boolean leaving;
  private boolean closed; // this side's half of the stream
  private boolean over;
  private Optional<Ended> error = Optional.empty();

  Line(Client client, Loop loop) {
    this.client = client;
    this.loop = loop;
  }

  /** Plays on a stream of this channel until it ends; empty is an end without an error. */
  Optional<Ended> play(ManagedChannel channel, String token) throws InterruptedException {
    Metadata metadata = new Metadata();
    metadata.put(AUTHORIZATION, "Bearer " + token);
    client.open();
    giveUp = loop.after(SILENCE, this::silent);
    ArenaServiceGrpc.newStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
        .play(this);
    loop.runUntil(() -> over, this::write);
    giveUp.cancel();
    return error;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<PlayRequest> requests) {
    this.requests = requests;
    requests.setOnReadyHandler(() -> loop.execute(() -> connected = true));
  }

  @Override
  public void onNext(PlayResponse frame) {
    long arrived = loop.now();
    loop.execute(() -> heard(frame, arrived));
  }

  @Override
  public void onError(Throwable error) {
    Ended ended = Ended.of(error);
    loop.execute(() -> end(Optional.of(ended)));
  }

  @Override
  public void onCompleted() {
    loop.execute(() -> end(Optional.empty()));
  }

  private void heard(PlayResponse frame, long arrived) {
    if (over) {
      return;
    }
    giveUp.cancel();
    giveUp = loop.after(SILENCE, this::silent);
    frame.getMessagesList().forEach(message -> client.hear(message, arrived));
  }

  /** Writes what is to be said, while the stream takes it. */
  private void write() {
    while (connected && !closed && requests.isReady()) {
      Optional<PlayRequest> frame = client.frame();
      if (frame.isPresent()) {
        requests.onNext(frame.get());
      } else if (leaving) {
        closed = true; // the Goodbye is out
        requests.onCompleted();
      } else {
        return;
      }
    }
  }

  /** Says goodbye, if there is a line to say it on. */
  void leave() {
    if (!connected) {
      end(Optional.empty());
      return;
    }
    leaving = true;
    client.leave();
    loop.after(LEAVING, () -> end(timeOut("the server did not see the Goodbye")));
  }

  private void silent() {
    end(timeOut("nothing was heard for %d s".formatted(SILENCE.toSeconds())));
  }

  private static Optional<Ended> timeOut(String message) {
    return Optional.of(Ended.ofTheLine(Status.Code.DEADLINE_EXCEEDED, message));
  }

  private void end(Optional<Ended> why) {
    if (!over) {
      over = true;
      error = why;
    }
  }
}
