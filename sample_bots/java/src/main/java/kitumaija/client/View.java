package kitumaija.client;

import java.util.List;
import java.util.Optional;

/**
 * What one seat may know of the game now. Remembering what lies under the top card is the bot's own
 * skill.
 *
 * @param seat this seat, from 0
 * @param seats how many there are
 * @param phase what is asked
 * @param mover the seat to move
 * @param hand this seat's cards, by suit, then rank upwards
 * @param top the pile's top card; empty where the pile is
 * @param pileSize the cards in the pile
 * @param stockSize the cards in the stock
 * @param handSizes the cards in each hand, by seat; empty where that is not shown
 * @param out the seats that are out, in that order
 * @param luck whether the catch of this turn was a luck card
 * @param maijaPending whether the mover must pick up because of the queen of spades
 * @param turns how many turns have ended
 */
public record View(
    int seat,
    int seats,
    Phase phase,
    int mover,
    List<Card> hand,
    Optional<Card> top,
    int pileSize,
    int stockSize,
    List<Integer> handSizes,
    List<Integer> out,
    boolean luck,
    boolean maijaPending,
    int turns) {}
