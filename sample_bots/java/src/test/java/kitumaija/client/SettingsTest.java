package kitumaija.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the environment says. */
class SettingsTest {
  private static final String PASSWORD = "changeit";

  private static ServerCredentials credentials;
  private static Path trusted;

  /** Makes a server's key and certificate by the JDK's tool, and writes the certificate as PEM. */
  @BeforeAll
  static void makeCertificate(@TempDir Path folder) throws Exception {
    Path store = folder.resolve("keys.p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process making =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(making.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, making.waitFor(), said);
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    byte[] certificate = keys.getCertificate("server").getEncoded();
    String base64 = Base64.getMimeEncoder().encodeToString(certificate);
    trusted = folder.resolve("trusted.pem");
    Files.writeString(
        trusted, "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n");
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    credentials = TlsServerCredentials.newBuilder().keyManager(managers.getKeyManagers()).build();
  }

  private static Outcome run(Settings settings) throws InterruptedException {
    Loop loop = new Loop(System::nanoTime);
    return new Runner(ScriptedServer::first, settings, loop, BackOff.drawnBy(() -> 0)).run();
  }

  @ParameterizedTest
  @CsvSource({
    "'', t, '', KITUMAIJA_ADDRESS",
    "https://, t, '', KITUMAIJA_ADDRESS",
    "localhost, t, '', KITUMAIJA_ADDRESS",
    "a host:1, t, '', KITUMAIJA_ADDRESS",
    "localhost:1, '', '', KITUMAIJA_TOKEN",
    "localhost:1, t, nowhere.pem, KITUMAIJA_TLS_CA",
    "localhost:1, t, pom.xml, KITUMAIJA_TLS_CA"
  })
  void aWrongSettingIsNamed(String address, String token, String trusted, String named)
      throws Exception {
    Map<String, String> environment =
        Map.of(
            "KITUMAIJA_ADDRESS", address,
            "KITUMAIJA_TOKEN", token,
            "KITUMAIJA_TLS_CA", trusted);
    Outcome outcome = run(Settings.of(environment));
    assertEquals(2, outcome.exitCode());
    assertTrue(outcome.toString().contains(named), outcome.toString());
  }

  @Test
  void anEmptyEnvironmentLacksTheAddress() throws Exception {
    assertInstanceOf(Outcome.BadSetting.class, run(Settings.of(Map.of())));
  }

  @Test
  void aBotTrustsWhatItIsToldToTrust() throws Exception {
    ScriptedServer.Script script =
        peer -> {
          peer.greet();
          return null;
        };
    try (var server = new ScriptedServer(credentials, script)) {
      Settings settings =
          Settings.of(
              Map.of(
                  "KITUMAIJA_ADDRESS",
                  "https://localhost:" + server.port() + "/",
                  "KITUMAIJA_TOKEN",
                  "secret",
                  "KITUMAIJA_TLS_CA",
                  trusted.toString()));
      Loop loop = new Loop(System::nanoTime);
      assertEquals(new Outcome.Left(), server.played(ScriptedServer::first, loop, settings));
    }
  }

  @Test
  void aBotTrustsNobodyElse() throws Exception {
    try (var server = new ScriptedServer(credentials, peer -> null)) {
      String address = "https://localhost:" + server.port();
      Outcome outcome =
          run(new Settings(address, "secret", Optional.empty(), "", 0, Duration.ZERO));
      assertInstanceOf(Outcome.Unreachable.class, outcome);
    }
  }
}
