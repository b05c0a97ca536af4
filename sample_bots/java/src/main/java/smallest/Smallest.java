package smallest;

import kitumaija.client.Kitumaija;

/** The smallest bot: it plays the first legal action. */
public final class Smallest {
  private Smallest() {}

  /** Plays. */
  public static void main(String[] arguments) {
    Kitumaija.main(() -> turn -> turn.legal().get(0));
  }
}
