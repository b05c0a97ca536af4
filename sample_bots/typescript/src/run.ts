import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";

import { ArenaService } from "../gen/kitumaija/v1/arena_pb.js";
import { BackOff, LAST_MS } from "./backoff.js";
import type { Bot } from "./bot.js";
import { Client, type Log } from "./client.js";
import { Ended, Exit, exitCode, Unreachable, UsageError } from "./endings.js";

/** A stream on which nothing is heard for so long is given up. */
const SILENCE_MS = 12_000;
const KEEPALIVE_MS = 20_000;
/** How long the server may take to see a Goodbye. */
const LEAVING_MS = 2_000;
const PATIENCE_MS = 600_000;

/** How a bot reaches its server, and what it says of itself. */
export interface Options {
  /** `HOST:PORT`, or `https://HOST:PORT` for TLS. */
  readonly address: string;
  /** The bot's own token. */
  readonly token: string;
  /** A file of certificates to trust, in PEM; it switches TLS on. */
  readonly caFile?: string | undefined;
  /** Frozen by a tournament at its first match. */
  readonly botVersion?: string;
  /** Matches at once; the server's default if not said. */
  readonly capacity?: number;
  /** How long to dial without success, in milliseconds: ten minutes if not said. */
  readonly patience?: number;
  /** Leaves politely when aborted. */
  readonly signal?: AbortSignal;
  /** Where lines of the log go: standard error if not said. */
  readonly log?: Log;
}

/** Reads KITUMAIJA_ADDRESS, KITUMAIJA_TOKEN and KITUMAIJA_TLS_CA. */
export function optionsFromEnvironment(environment = process.env): Options {
  return {
    address: environment["KITUMAIJA_ADDRESS"] ?? "",
    token: environment["KITUMAIJA_TOKEN"] ?? "",
    caFile: environment["KITUMAIJA_TLS_CA"],
  };
}

interface Server {
  readonly baseUrl: string;
  readonly ca: Buffer | undefined;
}

function serverOf({ address, token, caFile }: Options): Server {
  const host = address.replace(/^https?:\/\//, "").replace(/\/$/, "");
  if (host === "") {
    throw new UsageError(
      "there is no address: set KITUMAIJA_ADDRESS to HOST:PORT or https://HOST:PORT",
    );
  }
  if (token === "") {
    throw new UsageError("there is no token: set KITUMAIJA_TOKEN to what the organizer gave you");
  }
  let ca: Buffer | undefined;
  try {
    ca = caFile === undefined ? undefined : readFileSync(caFile);
  } catch (error) {
    throw new UsageError(`the certificates to trust cannot be read: ${String(error)}`);
  }
  const secure = ca !== undefined || address.startsWith("https://");
  const baseUrl = `${secure ? "https" : "http"}://${host}`;
  if (!URL.canParse(baseUrl)) throw new UsageError(`got the address ${address}, want HOST:PORT`);
  return { baseUrl, ca };
}

/** Dials, and plays on one stream until it ends. */
async function play(client: Client, server: Server, token: string, leaving: AbortSignal) {
  const options = server.ca === undefined ? {} : { ca: server.ca };
  const sessionManager = new Http2SessionManager(
    server.baseUrl,
    { pingIntervalMs: KEEPALIVE_MS, pingTimeoutMs: SILENCE_MS },
    options,
  );
  const transport = createGrpcTransport({ baseUrl: server.baseUrl, sessionManager });
  const cut = new AbortController();
  const giveUp = setTimeout(() => {
    cut.abort(new Error(`nothing was heard for ${SILENCE_MS / 1000} s`));
  }, SILENCE_MS);
  let leave: NodeJS.Timeout | undefined;
  const goodbye = () => {
    client.leave();
    leave = setTimeout(() => {
      cut.abort(new Error("the server did not see the Goodbye"));
    }, LEAVING_MS);
  };
  client.open();
  leaving.addEventListener("abort", goodbye);
  try {
    const frames = createClient(ArenaService, transport).play(client.outbox.frames(), {
      headers: { authorization: `Bearer ${token}` },
      signal: cut.signal,
    });
    for await (const frame of frames) {
      giveUp.refresh();
      if (!leaving.aborted) for (const message of frame.messages) client.hear(message);
    }
  } catch (error) {
    throw new Ended(cut.signal.aborted ? cut.signal.reason : error);
  } finally {
    leaving.removeEventListener("abort", goodbye);
    clearTimeout(giveUp);
    clearTimeout(leave);
    client.outbox.close();
    sessionManager.abort();
  }
}

/**
 * Plays until the signal aborts, or until playing on is of no use: then it throws a `UsageError`, an `Ended` that says why the
 * server refuses, or `Unreachable`.
 *
 * @param newBot makes the bot of each match
 */
export async function run(newBot: () => Bot, options: Options): Promise<void> {
  const server = serverOf(options);
  const leaving = options.signal ?? new AbortController().signal;
  const log = options.log ?? ((line) => process.stderr.write(`${line}\n`));
  const patience = options.patience ?? PATIENCE_MS;
  const about = { botVersion: options.botVersion ?? "", capacity: options.capacity ?? 0 };
  const client = new Client(newBot, about, log);
  const waits = new BackOff();
  const left = () => leaving.aborted;
  let heard = performance.now();
  try {
    while (!left()) {
      const began = performance.now();
      let end: Ended | undefined;
      try {
        await play(client, server, options.token, leaving);
      } catch (error) {
        if (left()) return;
        if (!(error instanceof Ended) || !error.again) throw error;
        end = error;
      }
      if (client.welcomed) {
        heard = performance.now();
        if (heard - began > LAST_MS) waits.reset();
      }
      const because = end?.message ?? "the server ended the stream";
      if (performance.now() - heard > patience) {
        throw new Unreachable(
          `no server at ${options.address} for ${patience / 1000} s: ${because}`,
        );
      }
      const wait = waits.wait(end?.wait);
      log(`dialing again in ${wait.toFixed(0)} ms: ${because}`);
      await sleep(wait, undefined, { signal: leaving }).catch(() => undefined);
    }
  } finally {
    client.stop();
  }
}

/** Runs a bot by the environment until Ctrl-C or SIGTERM, and ends the process. A second Ctrl-C does not wait. */
export async function main(newBot: () => Bot): Promise<never> {
  const leaving = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      leaving.abort();
    });
  }
  try {
    await run(newBot, { ...optionsFromEnvironment(), signal: leaving.signal });
  } catch (error) {
    process.stderr.write(`the bot stops: ${String(error)}\n`);
    process.exit(exitCode(error));
  }
  process.exit(Exit.Done);
}
