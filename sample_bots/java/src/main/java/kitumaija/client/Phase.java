package kitumaija.client;

/** What a mover is asked for. */
public enum Phase {
  /** Nothing that this client knows. */
  UNKNOWN,
  /** Catch the top card, turn the luck card, or pick up where that is open. */
  CATCH,
  /** Play the free card, or turn it where that is open. */
  FREE,
  /** Choose how many cards to pick up. */
  PICK_UP,
  /** Lead a card to the empty pile. */
  LEAD
}
