package kitumaija.client;

import kitumaija.v1.Game;

/** One action of a player. */
public sealed interface Action {
  /** The action as the protocol has it. */
  Game.Action message();

  /**
   * Plays a card of the hand: the catch card, the free card or the lead, by the phase.
   *
   * @param card the card
   */
  record Play(Card card) implements Action {
    @Override
    public Game.Action message() {
      return Game.Action.newBuilder().setPlayValue(card.number()).build();
    }

    @Override
    public String toString() {
      return card.toString();
    }
  }

  /** Turns the top card of the stock. */
  record TurnCard() implements Action {
    @Override
    public Game.Action message() {
      return Game.Action.newBuilder().setTurn(Game.TurnCard.getDefaultInstance()).build();
    }

    @Override
    public String toString() {
      return "turn";
    }
  }

  /**
   * Picks up cards from the top of the pile.
   *
   * @param cards how many
   */
  record Take(int cards) implements Action {
    @Override
    public Game.Action message() {
      return Game.Action.newBuilder().setTake(cards).build();
    }

    @Override
    public String toString() {
      return "take " + cards;
    }
  }

  /** Passes the lead. */
  record PassLead() implements Action {
    @Override
    public Game.Action message() {
      return Game.Action.newBuilder().setPassLead(Game.Pass.getDefaultInstance()).build();
    }

    @Override
    public String toString() {
      return "pass";
    }
  }
}
