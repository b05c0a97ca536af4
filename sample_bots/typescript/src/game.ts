import type { Answer } from "../gen/kitumaija/v1/arena_pb.js";
import type { Event as EventMessage } from "../gen/kitumaija/v1/game_pb.js";
import { type Action, actionText } from "./actions.js";
import type { Bot, Match } from "./bot.js";
import { type Event, eventOf, type Turn } from "./turn.js";

/** One match of the bot. */
export class Game {
  /** This seat's course of the match, from event 0; extended or replaced, and bots keep their place in it. */
  history: Event[] = [];
  /** The stream on which the match was offered last. */
  offered = 0;
  /** The bot is made and started. */
  loaded = false;
  /** The server plays it no more; its MatchEnd may still come. */
  over = false;
  /** A Resync is on its way. */
  behind = false;
  /** The decision asked last, and the stream on which it was. */
  asked = 0;
  askedOn = 0;
  /** What was answered to it, until it is accepted or refused. */
  answer: Answer | undefined;
  /** How many events the bot has seen. */
  told = 0;
  bot: Bot | undefined;

  #thinking = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(public match: Match) {}

  /** Runs a call of the bot after all those before it. It must not fail. */
  then(call: () => Promise<void>): void {
    this.#last = this.#last.then(call);
  }

  /** Ends the thinking and drops the answer; the signal is that of the next thinking. */
  forget(): AbortSignal {
    this.#thinking.abort();
    this.#thinking = new AbortController();
    this.answer = undefined;
    return this.#thinking.signal;
  }

  /** Adds events to the history; false where events are missing in between. */
  extend(first: number, events: readonly EventMessage[]): boolean {
    if (first !== this.history.length) return false;
    this.history.push(...events.map(eventOf));
    return true;
  }

  /** Asks the bot; throws where it fails. */
  async choose(turn: Turn, signal: AbortSignal): Promise<Action> {
    if (this.bot === undefined) throw new Error("the bot did not start");
    const action = await this.bot.choose(turn, signal);
    const text = actionText(action);
    if (!turn.legal.some((legal) => actionText(legal) === text)) {
      throw new Error(
        `got the action ${text}, want one of ${turn.legal.map(actionText).join(" ")}`,
      );
    }
    return action;
  }
}
