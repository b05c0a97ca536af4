import { create } from "@bufbuild/protobuf";

import {
  AnswerSchema,
  type Decision,
  GoodbyeSchema,
  HelloSchema,
  type MatchEnd,
  type MatchStart,
  type MatchSync,
  PongSchema,
  ReadySchema,
  type Refusal,
  RefusalReason,
  ResyncSchema,
  type Seating,
  type ServerMessage,
  type Welcome,
} from "../gen/kitumaija/v1/arena_pb.js";
import { type Action, actionMessage, legalActions } from "./actions.js";
import type { Bot, Match } from "./bot.js";
import { Shares } from "./entropy.js";
import { Game } from "./game.js";
import { Outbox } from "./outbox.js";
import { Turn } from "./turn.js";

/** Where a line for the log goes. */
export type Log = (line: string) => void;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What outlives a stream: the matches, and what was answered. It does no I/O: it hears messages and fills an outbox. */
export class Client {
  /** The server has greeted the bot on this stream. */
  welcomed = false;
  outbox = new Outbox();
  readonly #games = new Map<string, Game>();
  readonly #shares = new Shares();
  /** Counts the streams, from 1. */
  #stream = 0;

  constructor(
    private readonly newBot: () => Bot,
    private readonly settings: { botVersion: string; capacity: number },
    private readonly log: Log,
  ) {}

  /** Begins a stream: nothing that was said on the one before counts on it. */
  open(): void {
    this.#stream += 1;
    this.welcomed = false;
    this.outbox = new Outbox();
    const hello = create(HelloSchema, {
      sdk: "kitumaija-typescript-sample/1",
      language: "typescript",
      botVersion: this.settings.botVersion,
      capacity: this.settings.capacity,
      matchIds: [...this.#games.keys()].slice(0, 256),
    });
    this.outbox.say({ case: "hello", value: hello });
  }

  /** Leaves on purpose: the last that is said on this stream. */
  leave(): void {
    const goodbye = create(GoodbyeSchema, { reason: "asked to stop" });
    this.outbox.say({ case: "goodbye", value: goodbye });
    this.outbox.close();
  }

  /** Ends all thinking. */
  stop(): void {
    for (const game of this.#games.values()) game.forget();
    this.#games.clear();
  }

  /** Takes one message of the server. One of a kind that is unknown here is ignored. */
  hear({ message }: ServerMessage): void {
    switch (message.case) {
      case "welcome":
        this.#welcome(message.value);
        break;
      case "matchStart":
        this.#offered(message.value);
        break;
      case "seating":
        this.#seated(message.value);
        break;
      case "matchSync":
        this.#sync(message.value);
        break;
      case "decision":
        this.#decide(message.value, performance.now());
        break;
      case "accepted": {
        const game = this.#games.get(message.value.matchId);
        if (game?.asked === message.value.decisionId) game.forget();
        break;
      }
      case "refusal":
        this.#refused(message.value);
        break;
      case "matchEnd":
        this.#end(message.value);
        break;
      case "drain":
        this.log("the server is about to restart");
        break;
      case "ping":
        this.outbox.say({
          case: "pong",
          value: create(PongSchema, { nonce: message.value.nonce }),
        });
        break;
      case "entropyRequest": {
        const mine = this.#shares.answer(message.value);
        if (mine !== undefined) this.outbox.say({ case: "entropy", value: mine });
        break;
      }
      case undefined:
        break;
    }
  }

  #welcome(welcome: Welcome): void {
    this.welcomed = true;
    this.log(`playing as ${welcome.botId} on ${welcome.server}`);
    for (const [id, game] of this.#games) {
      if (welcome.matchIds.includes(id)) continue;
      if (game.over) {
        // Its end did not come on the stream before this one: it will not come.
        this.#games.delete(id);
      } else {
        game.over = true;
        game.forget();
      }
    }
  }

  /** The match; where it is new, its bot is made from what is known of it now. */
  #game(match: Match): Game {
    const known = this.#games.get(match.id);
    if (known !== undefined) return known;
    const game = new Game(match);
    this.#games.set(match.id, game);
    game.then(async () => {
      try {
        const bot = this.newBot();
        await bot.start?.(match);
        game.bot = bot;
        game.loaded = true;
        this.#ready(game);
      } catch (error) {
        this.log(`match ${match.id}: the bot did not start, and is not ready: ${text(error)}`);
      }
    });
    return game;
  }

  #offered({ matchId, limits }: MatchStart): void {
    const game = this.#game({ id: matchId, limits, seating: undefined });
    game.offered = this.#stream;
    this.#ready(game);
  }

  /** Says that a match may begin, once its bot is loaded: on the stream that offers it, and on no other. */
  #ready(game: Game): void {
    if (!game.loaded || game.offered !== this.#stream || game.over) return;
    this.outbox.say({ case: "ready", value: create(ReadySchema, { matchId: game.match.id }) });
  }

  #seated(seating: Seating): void {
    const game = this.#game({ id: seating.matchId, limits: undefined, seating });
    game.match = { ...game.match, seating };
  }

  #sync({ matchId, seating, limits, events }: MatchSync): void {
    const match = { id: matchId, limits, seating };
    const game = this.#game(match);
    game.match = match;
    game.history = [];
    game.behind = false;
    game.extend(0, events);
  }

  #decide(asked: Decision, arrived: number): void {
    const { matchId, decisionId, view } = asked;
    const game = this.#game({ id: matchId, limits: undefined, seating: undefined });
    if (!game.extend(asked.firstEvent, asked.events)) {
      if (game.behind) return;
      game.behind = true;
      this.outbox.say({ case: "resync", value: create(ResyncSchema, { matchId }) });
      return;
    }
    const again = game.asked === decisionId;
    game.askedOn = this.#stream;
    if (again) {
      // The same answer, sent again, counts once; without one the bot is still thinking about it.
      if (game.answer !== undefined) this.outbox.say({ case: "answer", value: game.answer });
      return;
    }
    const [first, ...others] = legalActions(asked.legal);
    if (view === undefined || first === undefined) {
      this.log(
        `match ${matchId}: this client is too old for what is asked; the server will decide`,
      );
      return;
    }
    game.asked = decisionId;
    const signal = game.forget();
    const { match, history } = game;
    const known = history.length;
    game.then(async () => {
      if (signal.aborted) return;
      const events = history.slice(game.told, known);
      const turn = new Turn(match, { ...asked, view }, [first, ...others], events, arrived);
      game.told = known;
      await this.#choose(game, turn, signal);
    });
  }

  async #choose(game: Game, turn: Turn, decided: AbortSignal): Promise<void> {
    const late = AbortSignal.timeout(
      Math.min(Math.max(Math.ceil(turn.remaining()), 0), LONGEST_TIMER_MS),
    );
    const began = performance.now();
    let action: Action;
    try {
      action = await game.choose(turn, AbortSignal.any([decided, late]));
    } catch (error) {
      action = turn.legal[0];
      this.log(
        `the bot failed; the first legal action is played for it: ${text(error)}\n${turn.toString()}`,
      );
    }
    if (decided.aborted) return;
    this.#answer(game, action, BigInt(Math.round((performance.now() - began) * 1000)));
  }

  #answer(game: Game, action: Action, thinkTimeUs: bigint): void {
    game.answer = create(AnswerSchema, {
      matchId: game.match.id,
      decisionId: game.asked,
      action: actionMessage(action),
      thinkTimeUs,
    });
    // Asked on an earlier stream, it is asked again on this one, and answered then.
    if (game.askedOn === this.#stream) this.outbox.say({ case: "answer", value: game.answer });
  }

  #refused({ matchId, decisionId, reason, detail, legal }: Refusal): void {
    const game = this.#games.get(matchId);
    if (game?.asked !== decisionId || game.answer === undefined) return;
    const why = `${RefusalReason[reason]} ${detail}`;
    this.log(`match ${matchId}, decision ${decisionId}: the answer was refused: ${why}`);
    const [first] = legalActions(legal);
    const { thinkTimeUs } = game.answer;
    game.forget();
    if (first !== undefined) this.#answer(game, first, thinkTimeUs ?? 0n);
  }

  #end(end: MatchEnd): void {
    const game = this.#games.get(end.matchId);
    if (game === undefined) return;
    game.over = true;
    game.forget();
    this.#games.delete(end.matchId);
    const { match } = game;
    this.log(`match ${match.id} over: places by seat ${end.places.join(" ")} ${end.voidReason}`);
    game.then(async () => {
      try {
        await game.bot?.end?.(match, end);
      } catch (error) {
        this.log(`match ${match.id}: the bot failed at the end: ${text(error)}`);
      }
    });
  }
}

function text(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
