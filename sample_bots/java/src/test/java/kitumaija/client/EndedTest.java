package kitumaija.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class EndedTest {
  /** No stream ends with these. */
  private static final List<String> OF_SINGLE_CALLS = List.of("NOT_FOUND", "ALREADY_EXISTS");

  /** A row of the guide's table of errors. */
  private record Row(String reason, String status, boolean again) {}

  static List<Row> theTableOfErrors() throws IOException {
    List<Row> rows =
        Files.readAllLines(Path.of("../../proto/README.md")).stream()
            .filter(line -> line.matches("\\| `[A-Z_]+` \\| `[A-Z_]+` \\| (yes|no) \\|.*"))
            .map(line -> line.replace("`", "").split(" *\\| *"))
            .map(cells -> new Row(cells[1], cells[2], cells[3].equals("yes")))
            .filter(row -> !OF_SINGLE_CALLS.contains(row.status))
            .toList();
    assertFalse(rows.isEmpty());
    return rows;
  }

  /** Also those of other calls than the stream's: their status leads to the same. */
  @ParameterizedTest
  @MethodSource("theTableOfErrors")
  void anErrorIsFinalWhereTheGuideSaysSo(Row row) {
    Ended ended = new Ended(Status.Code.valueOf(row.status), row.reason, "", Map.of());
    assertEquals(row.again, ended.again());
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "UNAUTHENTICATED",
        "PERMISSION_DENIED",
        "INVALID_ARGUMENT",
        "FAILED_PRECONDITION",
        "UNIMPLEMENTED"
      })
  void aReasonThatIsNewIsJudgedByItsStatus(Status.Code code) {
    assertFalse(new Ended(code, "NEWER", "", Map.of()).again());
  }

  @ParameterizedTest
  @EnumSource(names = {"UNAVAILABLE", "UNKNOWN", "INTERNAL", "CANCELLED", "ABORTED"})
  void anErrorOfTheLineIsNotFinal(Status.Code code) {
    assertTrue(Ended.ofTheLine(code, "").again());
  }

  @ParameterizedTest
  @CsvSource({"1.5, 1500", "0, 0", "-1, 0", "soon, 0"})
  void theServerTellsHowLongToWait(String seconds, long millis) {
    Ended ended =
        new Ended(Status.Code.UNAVAILABLE, "DRAINING", "", Map.of("retry_seconds", seconds));
    assertEquals(Duration.ofMillis(millis), ended.retryAfter());
  }
}
