import assert from "node:assert/strict";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";

import { ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.js";
import {
  ArenaService,
  type BotMessage,
  type Hello,
  type PlayRequest,
  type PlayResponse,
  PlayResponseSchema,
  type ServerMessageSchema,
} from "../gen/kitumaija/v1/arena_pb.js";
import { type Bot, run } from "../src/index.js";

export type Said = NonNullable<MessageInitShape<typeof ServerMessageSchema>["message"]>;

type Heard = Extract<BotMessage["message"], { value: unknown }>;
type Content<Kind> = Extract<Heard, { case: Kind }>["value"];

/** One stream as the server of a test sees it. */
export class Line {
  readonly frames: PlayResponse[] = [];
  readonly #requests: AsyncIterator<PlayRequest>;
  #heard: BotMessage[] = [];
  #wake: () => void = () => undefined;
  over = false;

  constructor(requests: AsyncIterable<PlayRequest>) {
    this.#requests = requests[Symbol.asyncIterator]();
  }

  /** The next message of the bot; undefined where it says no more. */
  async hear(): Promise<Heard | undefined> {
    while (this.#heard.length === 0) {
      const next = await this.#requests.next();
      if (next.done === true) return undefined;
      this.#heard = next.value.messages;
    }
    const message = this.#heard.shift()?.message;
    return message?.case === undefined ? undefined : message;
  }

  /** The next message of the bot, which must be of this kind. */
  async expect<Kind extends Heard["case"]>(kind: Kind): Promise<Content<Kind>> {
    const message: Heard | undefined = await this.hear();
    if (message?.case !== kind) assert.fail(`got ${message?.case ?? "the end"}, want ${kind}`);
    return message.value as unknown as Content<Kind>;
  }

  /** Says messages in one frame. */
  say(...messages: Said[]): void {
    const frame = { messages: messages.map((message) => ({ message })) };
    this.frames.push(create(PlayResponseSchema, frame));
    this.#wake();
  }

  async greet(...matchIds: string[]): Promise<Hello> {
    const hello = await this.expect("hello");
    this.say({ case: "welcome", value: { botId: "b", matchIds } });
    return hello;
  }

  end(): void {
    this.over = true;
    this.#wake();
  }

  async waiting(): Promise<void> {
    if (this.frames.length > 0 || this.over) return;
    await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

export type Script = (line: Line) => Promise<void>;

/** An error as the server ends a stream with it. */
export function refusal(reason: string, code: Code): ConnectError {
  const info = { desc: ErrorInfoSchema, value: { reason, domain: "kitumaija" } };
  return new ConnectError("no", code, undefined, [info]);
}

async function* follow(line: Line, script: Script): AsyncGenerator<PlayResponse> {
  let failure: unknown;
  const following = script(line)
    .catch((error: unknown) => (failure = error))
    .finally(() => {
      line.end();
    });
  while (!line.over || line.frames.length > 0) {
    await line.waiting();
    yield* line.frames.splice(0);
  }
  await following;
  if (failure !== undefined) throw failure as Error;
}

/**
 * Runs a bot against a real server that follows one script a stream. The bot is asked to leave when the last one is over, or by
 * a script that calls `leave`.
 */
export async function play(
  bot: Bot,
  scripts: Script[],
  leaving = new AbortController(),
): Promise<void> {
  const failures: unknown[] = [];
  const waiting = [...scripts];
  const adapter = connectNodeAdapter({
    routes: (router) =>
      router.service(ArenaService, {
        async *play(requests, context) {
          assert.equal(context.requestHeader.get("authorization"), "Bearer secret");
          const script = waiting.shift();
          assert(script !== undefined, "the bot dialed again");
          yield* follow(new Line(requests), async (line) => {
            try {
              await script(line);
            } catch (error) {
              if (!(error instanceof ConnectError)) failures.push(error);
              throw error;
            } finally {
              if (waiting.length === 0 && scripts.length > 0) leaving.abort();
            }
          });
        },
      }),
  });
  const server = createServer(adapter);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await run(() => bot, {
      address: `127.0.0.1:${port}`,
      token: "secret",
      signal: leaving.signal,
      log: () => undefined,
    });
  } finally {
    server.close();
  }
  assert.deepEqual(failures, []);
}
