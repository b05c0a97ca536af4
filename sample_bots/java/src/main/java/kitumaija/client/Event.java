package kitumaija.client;

import java.util.List;
import kitumaija.v1.Game;

/**
 * One thing that happened, as this seat may know it. Where a kind has the faces of several cards,
 * they are there for the seat that may see them, and the list is empty for all others.
 */
public sealed interface Event {
  /** The seat was dealt cards, in this order. */
  record Dealt(int seat, int count, List<Card> cards) implements Event {}

  /** The start card lies alone in the pile. */
  record StartCardTurned(Card card) implements Event {}

  /** The queen of spades was turned as a start card, and went back into the stock. */
  record MaijaReturned() implements Event {}

  /** The seat caught with a card from the hand. */
  record CardCaught(int seat, Card card) implements Event {}

  /** The seat turned its luck card; {@code fits} tells if it caught. */
  record LuckTurned(int seat, Card card, boolean fits) implements Event {}

  /** The seat played the free card from the hand. */
  record FreePlayed(int seat, Card card) implements Event {}

  /** The seat turned the free card from the stock. */
  record FreeTurned(int seat, Card card) implements Event {}

  /** The seat led to the empty pile. */
  record CardLed(int seat, Card card) implements Event {}

  /** The seat passed the lead. */
  record Passed(int seat) implements Event {}

  /** The seat drew cards, in this order. */
  record CardsDrawn(int seat, int count, List<Card> cards) implements Event {}

  /** The seat picked up cards, bottom to top. */
  record CardsPickedUp(int seat, int count, List<Card> cards) implements Event {}

  /** The seat is out, in a place from 1. */
  record WentOut(int seat, int place) implements Event {}

  /** The game ended; each seat's place, by seat, shared places being equal numbers. */
  record GameEnded(Game.Termination termination, List<Integer> places) implements Event {}

  /** Something newer than this client: counted, and to be skipped. */
  record Unknown() implements Event {}
}
