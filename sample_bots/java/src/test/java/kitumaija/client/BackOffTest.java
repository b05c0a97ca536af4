package kitumaija.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackOffTest {
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 0.75})
  void waitsDoubleUpToALimitAndAreDrawnAtRandom(double drawn) {
    BackOff waits = BackOff.drawnBy(() -> drawn);
    for (long longest : new long[] {200, 400, 800, 1600, 3200, 5000, 5000}) {
      Duration want = Duration.ofNanos((long) (longest * 1_000_000 * (1 + drawn) / 2));
      assertEquals(want, waits.next(Duration.ZERO));
    }
  }

  @Test
  void theServersWishIsTheLeast() {
    assertEquals(Duration.ofMinutes(1), BackOff.drawnBy(() -> 0).next(Duration.ofMinutes(1)));
  }

  @Test
  void aGoodStreamBeginsThemAnew() {
    BackOff waits = BackOff.drawnBy(() -> 0);
    Duration first = waits.next(Duration.ZERO);
    waits.next(Duration.ZERO);
    waits.reset();
    assertEquals(first, waits.next(Duration.ZERO));
  }
}
