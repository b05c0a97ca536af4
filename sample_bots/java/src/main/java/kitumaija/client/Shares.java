package kitumaija.client;

import com.google.protobuf.ByteString;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import kitumaija.v1.Arena;

/**
 * The bot's shares in the shuffling of tournaments: random bytes, committed to first and shown
 * later.
 */
final class Shares {
  private static final int ENTROPY_BYTES = 32;

  private record Share(ByteString entropy, ByteString masterCommitment) {}

  private final SecureRandom random = new SecureRandom();
  private final Map<String, Share> shares = new HashMap<>();

  /**
   * What to say to a request; nothing where the bot has nothing to say, for it plays all the same.
   * What it did not commit to, or not against the commitment that the server names now, it does not
   * reveal.
   */
  Optional<Arena.Entropy> answer(Arena.EntropyRequest asked) {
    String tournament = asked.getTournamentId();
    return switch (asked.getStep()) {
      case ENTROPY_STEP_COMMIT -> {
        Share mine = shares.computeIfAbsent(tournament, id -> drawn(asked.getMasterCommitment()));
        yield Optional.of(entropy(asked, sha256(mine.entropy)));
      }
      case ENTROPY_STEP_REVEAL ->
          Optional.ofNullable(shares.get(tournament))
              .filter(mine -> mine.masterCommitment.equals(asked.getMasterCommitment()))
              .map(mine -> entropy(asked, mine.entropy));
      case ENTROPY_STEP_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
    };
  }

  private Share drawn(ByteString masterCommitment) {
    byte[] entropy = new byte[ENTROPY_BYTES];
    random.nextBytes(entropy);
    return new Share(ByteString.copyFrom(entropy), masterCommitment);
  }

  private static Arena.Entropy entropy(Arena.EntropyRequest asked, ByteString value) {
    return Arena.Entropy.newBuilder()
        .setTournamentId(asked.getTournamentId())
        .setValue(value)
        .setStep(asked.getStep())
        .build();
  }

  private static ByteString sha256(ByteString bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return ByteString.copyFrom(digest.digest(bytes.toByteArray()));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every Java has SHA-256", impossible);
    }
  }
}
