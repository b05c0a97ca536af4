package kitumaija.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import kitumaija.v1.Cards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CardTest {
  @Test
  void everyCardIsReadAsItIsWritten() {
    for (int number = 1; number <= 52; number++) {
      Card card = Card.numbered(number).orElseThrow();
      assertEquals(card, Card.parse(card.toString()));
      assertEquals(number, card.number());
      String name = "CARD_%s_%s".formatted(card.suit(), card.rank());
      assertEquals(Cards.Card.forNumber(number).name(), name);
    }
  }

  @Test
  void theMaijaIsTheQueenOfSpades() {
    assertEquals("QS", Card.MAIJA.toString());
    assertEquals(Cards.Card.CARD_SPADES_QUEEN_VALUE, Card.MAIJA.number());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "8", "8X", "1H", "10H", "8h"})
  void whatIsNoCardIsNotRead(String text) {
    assertThrows(IllegalArgumentException.class, () -> Card.parse(text));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 53})
  void aNumberThatIsUnknownIsNoCard(int number) {
    assertEquals(Optional.empty(), Card.numbered(number));
  }
}
