package kitumaija.client;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How a bot reaches its server, and what it says of itself.
 *
 * @param address HOST:PORT, or https://HOST:PORT for TLS
 * @param token the bot's own
 * @param trusted a file of certificates to trust, in PEM; it switches TLS on
 * @param botVersion frozen by a tournament at its first match
 * @param capacity how many matches at once; 0 means the server's default
 * @param patience how long to dial without success
 */
public record Settings(
    String address,
    String token,
    Optional<Path> trusted,
    String botVersion,
    int capacity,
    Duration patience) {
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(20);

  /** Of a frame that is read: a MatchSync has all events of a match. */
  private static final int LARGEST_FRAME_BYTES = 64 * 1024 * 1024;

  /** Reads KITUMAIJA_ADDRESS, KITUMAIJA_TOKEN and KITUMAIJA_TLS_CA of an environment. */
  public static Settings of(Map<String, String> environment) {
    return new Settings(
        environment.getOrDefault("KITUMAIJA_ADDRESS", ""),
        environment.getOrDefault("KITUMAIJA_TOKEN", ""),
        Optional.of(environment.getOrDefault("KITUMAIJA_TLS_CA", ""))
            .filter(path -> !path.isEmpty())
            .map(Path::of),
        "",
        0,
        Duration.ofMinutes(10));
  }

  /** A channel to the server, which is dialed when a call is made. */
  ManagedChannel channel() throws SettingException {
    String host = address.replaceFirst("^https?://", "").replaceFirst("/$", "");
    if (host.isEmpty()) {
      throw new SettingException(
          "there is no address: set KITUMAIJA_ADDRESS to HOST:PORT or https://HOST:PORT");
    }
    if (token.isEmpty()) {
      throw new SettingException(
          "there is no token: set KITUMAIJA_TOKEN to what the organizer gave you");
    }
    if (!host.matches("[^/]+:[0-9]+")) {
      throw wrongAddress();
    }
    try {
      return Grpc.newChannelBuilder("dns:///" + host, credentials())
          .keepAliveTime(KEEP_ALIVE.toSeconds(), TimeUnit.SECONDS)
          .keepAliveTimeout(Line.SILENCE.toSeconds(), TimeUnit.SECONDS)
          .maxInboundMessageSize(LARGEST_FRAME_BYTES)
          .disableRetry() // the bot dials again by itself
          .build();
    } catch (IllegalArgumentException wrong) {
      throw wrongAddress();
    }
  }

  private SettingException wrongAddress() {
    return new SettingException(
        "got the address \"%s\" in KITUMAIJA_ADDRESS, want HOST:PORT or https://HOST:PORT"
            .formatted(address));
  }

  private ChannelCredentials credentials() throws SettingException {
    if (trusted.isPresent()) {
      return trusting(trusted.get());
    }
    return address.startsWith("https://")
        ? TlsChannelCredentials.create()
        : InsecureChannelCredentials.create();
  }

  private static ChannelCredentials trusting(Path path) throws SettingException {
    try {
      byte[] pem = Files.readAllBytes(path);
      if (CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(pem))
          .isEmpty()) {
        throw new CertificateException("it is empty");
      }
      return TlsChannelCredentials.newBuilder().trustManager(new ByteArrayInputStream(pem)).build();
    } catch (IOException unreadable) {
      throw new SettingException(
          "the certificates to trust, KITUMAIJA_TLS_CA, cannot be read: " + unreadable);
    } catch (CertificateException none) {
      throw new SettingException("there is no certificate in %s, KITUMAIJA_TLS_CA".formatted(path));
    }
  }
}
