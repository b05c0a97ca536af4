package kitumaija.client;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One of the 52 cards.
 *
 * @param rank its rank
 * @param suit its suit
 */
public record Card(Rank rank, Suit suit) {
  /** The suits, in the order in which cards are listed. */
  public enum Suit {
    CLUBS('C'),
    DIAMONDS('D'),
    HEARTS('H'),
    SPADES('S');

    private final char letter;

    Suit(char letter) {
      this.letter = letter;
    }
  }

  /** The ranks, upwards. */
  public enum Rank {
    TWO('2'),
    THREE('3'),
    FOUR('4'),
    FIVE('5'),
    SIX('6'),
    SEVEN('7'),
    EIGHT('8'),
    NINE('9'),
    TEN('T'),
    JACK('J'),
    QUEEN('Q'),
    KING('K'),
    ACE('A');

    private final char letter;

    Rank(char letter) {
      this.letter = letter;
    }
  }

  /** The queen of spades. */
  public static final Card MAIJA = new Card(Rank.QUEEN, Suit.SPADES);

  /** The pack, in the order in which cards are listed: by suit, then rank upwards. */
  public static final List<Card> PACK =
      Arrays.stream(Suit.values())
          .flatMap(suit -> Arrays.stream(Rank.values()).map(rank -> new Card(rank, suit)))
          .toList();

  /**
   * Reads a card as {@link #toString} writes it.
   *
   * @throws IllegalArgumentException if the text is no card
   */
  public static Card parse(String text) {
    return PACK.stream()
        .filter(card -> card.toString().equals(text))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "got the card \"%s\", want a rank and the initial of a suit, such as 8H"
                        .formatted(text)));
  }

  /** The card of the protocol's number; empty for no card, and for one that is not known here. */
  static Optional<Card> numbered(int number) {
    return 1 <= number && number <= PACK.size()
        ? Optional.of(PACK.get(number - 1))
        : Optional.empty();
  }

  /** The protocol's number: the place in the pack, from 1. */
  int number() {
    return 1 + PACK.indexOf(this);
  }

  /** Its rank and the initial of its suit, such as 8H. */
  @Override
  public String toString() {
    return "" + rank.letter + suit.letter;
  }
}
