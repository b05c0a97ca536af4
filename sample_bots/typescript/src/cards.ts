import { Card as CardMessage } from "../gen/kitumaija/v1/cards_pb.js";

/** The ranks, from two upwards. */
export const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"] as const;
/** The suits, in the order in which cards are listed: clubs, diamonds, hearts, spades. */
export const SUITS = ["C", "D", "H", "S"] as const;

export type Rank = (typeof RANKS)[number];
export type Suit = (typeof SUITS)[number];
/** A card as text: its rank and the initial of its suit, such as `8H`. */
export type Card = `${Rank}${Suit}`;

/** The queen of spades. */
export const MAIJA: Card = "QS";

const CARDS: readonly Card[] = SUITS.flatMap((suit) => RANKS.map((rank): Card => `${rank}${suit}`));

export const rankOf = (card: Card): Rank => card.charAt(0) as Rank;
export const suitOf = (card: Card): Suit => card.charAt(1) as Suit;

/** Reads a card of the protocol; undefined is no card, or one that this client does not know. */
export function cardOf(card: CardMessage): Card | undefined {
  return CARDS[card - 1];
}

/** Reads cards of the protocol; those that this client does not know are left out. */
export function cardsOf(cards: readonly CardMessage[]): Card[] {
  return cards.map(cardOf).filter((card) => card !== undefined);
}

/** The protocol's number of a card. */
export function cardMessage(card: Card): CardMessage {
  return CARDS.indexOf(card) + 1;
}
