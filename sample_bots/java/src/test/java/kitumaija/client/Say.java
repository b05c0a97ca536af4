package kitumaija.client;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Collections;
import java.util.List;
import kitumaija.v1.Arena;
import kitumaija.v1.Arena.ServerMessage;
import kitumaija.v1.Game;

/** What the server of a test says. */
final class Say {
  private static final long A_MINUTE_US = 60_000_000;

  private Say() {}

  static ServerMessage offer(String match) {
    return ServerMessage.newBuilder()
        .setMatchStart(Arena.MatchStart.newBuilder().setMatchId(match).setSeats(2))
        .build();
  }

  /** Asks for one of these cards, by their numbers. */
  static ServerMessage ask(String match, int decision, int firstEvent, Integer... cards) {
    return ServerMessage.newBuilder()
        .setDecision(
            Arena.Decision.newBuilder()
                .setMatchId(match)
                .setDecisionId(decision)
                .setFirstEvent(firstEvent)
                .setLegal(Game.LegalActions.newBuilder().addAllPlayValue(List.of(cards)))
                .setTimeLeftUs(A_MINUTE_US))
        .build();
  }

  /** The same question, which tells of seats that passed. */
  static ServerMessage telling(ServerMessage asked, Integer... seats) {
    ServerMessage.Builder message = asked.toBuilder();
    for (int seat : seats) {
      message
          .getDecisionBuilder()
          .addEventsBuilder()
          .setKind(Game.EventKind.EVENT_KIND_PASSED)
          .setSeat(seat);
    }
    return message.build();
  }

  static ServerMessage sync(String match, int events) {
    return ServerMessage.newBuilder()
        .setMatchSync(
            Arena.MatchSync.newBuilder()
                .setMatchId(match)
                .setSeating(Arena.Seating.newBuilder().setMatchId(match).setSeat(1))
                .addAllEvents(Collections.nCopies(events, Game.Event.getDefaultInstance())))
        .build();
  }

  static ServerMessage refuse(Arena.Refusal.Builder refusal) {
    return ServerMessage.newBuilder().setRefusal(refusal).build();
  }

  static ServerMessage accept(String match, int decision) {
    return ServerMessage.newBuilder()
        .setAccepted(Arena.Accepted.newBuilder().setMatchId(match).setDecisionId(decision))
        .build();
  }

  static ServerMessage end(String match, Integer... places) {
    return ServerMessage.newBuilder()
        .setMatchEnd(Arena.MatchEnd.newBuilder().setMatchId(match).addAllPlaces(List.of(places)))
        .build();
  }

  static ServerMessage ping(long nonce) {
    return ServerMessage.newBuilder().setPing(Arena.Ping.newBuilder().setNonce(nonce)).build();
  }

  static ServerMessage askForEntropy(Arena.EntropyStep step, String masterCommitment) {
    return ServerMessage.newBuilder()
        .setEntropyRequest(
            Arena.EntropyRequest.newBuilder()
                .setTournamentId("t")
                .setStep(step)
                .setMasterCommitment(ByteString.copyFromUtf8(masterCommitment)))
        .build();
  }

  static StatusRuntimeException error(Status.Code code, String reason) {
    ErrorInfo info = ErrorInfo.newBuilder().setReason(reason).setDomain("kitumaija").build();
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(code.value())
            .setMessage("no")
            .addDetails(Any.pack(info))
            .build());
  }
}
