import type { Decision } from "../gen/kitumaija/v1/arena_pb.js";
import {
  EventKind,
  type Event as EventMessage,
  type Termination,
  type View,
} from "../gen/kitumaija/v1/game_pb.js";
import { type Action, actionText } from "./actions.js";
import type { Match } from "./bot.js";
import { type Card, cardOf, cardsOf } from "./cards.js";

/** What a mover is asked for; `unknown` is newer than this client. */
export type Phase = "unknown" | "catch" | "free" | "pick-up" | "lead";

const PHASES: readonly Phase[] = ["unknown", "catch", "free", "pick-up", "lead"];

/** One thing that happened, as this seat may know it. `kind` says what is set; see game.proto. */
export interface Event {
  /** `UNSPECIFIED` if it is newer than this client: counted, and to be skipped. */
  readonly kind: EventKind;
  readonly seat: number;
  /** The card, where it is public. */
  readonly card: Card | undefined;
  /** A luck card caught. */
  readonly fits: boolean;
  readonly count: number;
  /** The faces, where this seat may see them. */
  readonly cards: readonly Card[];
  readonly place: number;
  readonly termination: Termination;
  readonly places: readonly number[];
}

export function eventOf(event: EventMessage): Event {
  return {
    kind: event.kind in EventKind ? event.kind : EventKind.UNSPECIFIED,
    seat: event.seat,
    card: cardOf(event.card),
    fits: event.fits,
    count: event.count,
    cards: cardsOf(event.cards),
    place: event.place,
    termination: event.termination,
    places: event.places,
  };
}

/** One decision: what the seat may know, what it may do, and how long it has. Times are milliseconds. */
export class Turn {
  readonly decisionId: number;
  readonly seat: number;
  readonly seats: number;
  readonly phase: Phase;
  /** The seat to move. */
  readonly mover: number;
  /** By suit, then rank upwards. */
  readonly hand: readonly Card[];
  /** The top card of the pile; undefined where the pile is empty. */
  readonly top: Card | undefined;
  readonly pileSize: number;
  readonly stockSize: number;
  /** By seat; empty where the sizes are not shown. */
  readonly handSizes: readonly number[];
  /** The seats that are out, in that order. */
  readonly out: readonly number[];
  /** The catch of this turn was a luck card. */
  readonly luck: boolean;
  /** The mover must pick up because of the queen of spades. */
  readonly maijaPending: boolean;
  /** How many turns have ended. */
  readonly turns: number;
  /** What is left of the time for one decision and of the bank, when it was asked. */
  readonly timeLeft: number;
  /** What of it is the reserve of the whole match. */
  readonly bank: number;
  /** Charged for the last decision. */
  readonly lastUsed: number;
  /** What of it the network takes; 0 while there is no estimate. */
  readonly roundTrip: number;
  /** When an answer must leave here to be in time, on the clock of `performance.now()`. */
  readonly deadline: number;

  /**
   * @param legal all that may be done: cards, turn, take, pass
   * @param events what happened since this bot's last turn
   */
  constructor(
    readonly match: Match,
    asked: Decision & { view: View },
    readonly legal: readonly [Action, ...Action[]],
    readonly events: readonly Event[],
    arrived: number,
  ) {
    const view = asked.view;
    this.decisionId = asked.decisionId;
    this.seat = view.seat;
    this.seats = view.seats;
    this.phase = PHASES.at(view.phase) ?? "unknown";
    this.mover = view.mover;
    this.hand = cardsOf(view.hand);
    this.top = cardOf(view.top);
    this.pileSize = view.pileSize;
    this.stockSize = view.stockSize;
    this.handSizes = view.handSizes;
    this.out = view.out;
    this.luck = view.luck;
    this.maijaPending = view.maijaPending;
    this.turns = view.turns;
    this.timeLeft = Number(asked.timeLeftUs) / 1000;
    this.bank = Number(asked.bankUs) / 1000;
    this.lastUsed = Number(asked.lastUsedUs) / 1000;
    this.roundTrip = Number(asked.roundTripUs) / 1000;
    // The way here and the way back are on the clock too.
    this.deadline = arrived + this.timeLeft - this.roundTrip;
  }

  /** How long the bot may still think. */
  remaining(): number {
    return this.deadline - performance.now();
  }

  toString(): string {
    const legal = this.legal.map(actionText).join(" ");
    return `match ${this.match.id}, decision ${this.decisionId}: ${this.phase} on ${this.top ?? "nothing"}, hand ${this.hand.join(" ")}, legal ${legal}`;
  }
}
