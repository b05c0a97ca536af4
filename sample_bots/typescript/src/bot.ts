import type { Limits, MatchEnd, Seating } from "../gen/kitumaija/v1/arena_pb.js";
import type { Action } from "./actions.js";
import type { Turn } from "./turn.js";

/** What a bot knows of one of its matches. `seating` is there from the first turn on. */
export interface Match {
  readonly id: string;
  readonly limits: Limits | undefined;
  readonly seating: Seating | undefined;
}

/**
 * Plays one match. Its methods are called one after another. All matches share one thread: a bot that computes for long
 * keeps the others waiting, and should do it in a worker.
 */
export interface Bot {
  /**
   * Returns an action of `turn.legal`. The signal aborts with the time of the decision, or when it was decided otherwise.
   * After an error or an illegal action the first legal action is played.
   */
  choose(turn: Turn, signal: AbortSignal): Action | Promise<Action>;
  /** Loads what the bot needs before it says that it is ready. */
  start?(match: Match): void | Promise<void>;
  /** Shows how a match ended. */
  end?(match: Match, end: MatchEnd): void | Promise<void>;
}
