import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { test } from "node:test";

import { Code } from "@connectrpc/connect";

import { type Answer, EntropyStep } from "../gen/kitumaija/v1/arena_pb.js";
import { Card } from "../gen/kitumaija/v1/cards_pb.js";
import { BackOff } from "../src/backoff.js";
import { type Bot, Ended, Exit, exitCode, run, UsageError } from "../src/index.js";
import { play, refusal, type Said } from "./scripted.js";

const first: Bot = { choose: ({ legal }) => legal[0] };

const offer = (matchId: string): Said => ({ case: "matchStart", value: { matchId, seats: 2 } });

const ask = (matchId: string, decisionId: number, firstEvent: number, ...cards: Card[]): Said => ({
  case: "decision",
  value: {
    matchId,
    decisionId,
    firstEvent,
    view: { seats: 2 },
    legal: { play: cards },
    timeLeftUs: 60_000_000n,
  },
});

const sync = (matchId: string, events: number): Said => ({
  case: "matchSync",
  value: { matchId, seating: { matchId }, events: Array.from({ length: events }, () => ({})) },
});

test("an answer that was not accepted is sent again on the next stream", async () => {
  const answers: Answer[] = [];
  await play(first, [
    async (line) => {
      await line.greet();
      line.say(offer("m"));
      assert.equal((await line.expect("ready")).matchId, "m");
      line.say(ask("m", 1, 0, Card.HEARTS_EIGHT));
      answers.push(await line.expect("answer"));
      throw refusal("STORE_FAILED", Code.Unavailable);
    },
    async (line) => {
      assert.deepEqual((await line.greet("m")).matchIds, ["m"]);
      line.say(sync("m", 3), ask("m", 1, 3, Card.CLUBS_TWO));
      answers.push(await line.expect("answer"));
    },
  ]);
  const [before, after] = answers;
  assert(before !== undefined);
  assert.equal(before.action?.action.value, Card.HEARTS_EIGHT);
  assert.notEqual(before.thinkTimeUs, undefined);
  assert.deepEqual(after, before);
});

test("a missing event is asked for again", async () => {
  await play(first, [
    async (line) => {
      await line.greet("m");
      line.say(ask("m", 4, 7, Card.HEARTS_EIGHT));
      assert.equal((await line.expect("resync")).matchId, "m");
      line.say(sync("m", 7), ask("m", 4, 7, Card.HEARTS_EIGHT));
      assert.equal((await line.expect("answer")).decisionId, 4);
    },
  ]);
});

test("many matches in one frame are all answered, and what is unknown is ignored", async () => {
  await play(first, [
    async (line) => {
      await line.greet();
      line.say(ask("a", 1, 0, 1), { case: undefined }, ask("b", 1, 0, 2), ask("c", 1, 0, 3));
      const played = new Map<string, unknown>();
      for (let count = 0; count < 3; count += 1) {
        const answer = await line.expect("answer");
        played.set(answer.matchId, answer.action?.action.value);
      }
      assert.deepEqual(Object.fromEntries(played), { a: 1, b: 2, c: 3 });
    },
  ]);
});

const failing: Record<string, Bot> = {
  throws: {
    choose: () => {
      throw new Error("oh");
    },
  },
  "is illegal": { choose: () => ({ kind: "play", card: "QS" }) },
  "rejects later": { choose: () => Promise.reject(new Error("oh")) },
};
for (const [name, bot] of Object.entries(failing)) {
  test(`for a bot that ${name} the first legal action is played`, async () => {
    await play(bot, [
      async (line) => {
        await line.greet();
        line.say(ask("m", 1, 0, 5, 6));
        assert.equal((await line.expect("answer")).action?.action.value, 5);
      },
    ]);
  });
}

test("a refused answer is given anew from what is legal", async () => {
  await play(first, [
    async (line) => {
      await line.greet();
      line.say(ask("m", 1, 0, 5));
      await line.expect("answer");
      const value = { matchId: "m", decisionId: 1, legal: { take: [3] }, retriesLeft: 1 };
      line.say({ case: "refusal", value });
      assert.deepEqual((await line.expect("answer")).action?.action, { case: "take", value: 3 });
    },
  ]);
});

test("thinking that was decided otherwise is given up, and its answer not sent", async () => {
  const thinking = new EventTarget();
  const slow: Bot = {
    choose: async ({ decisionId, legal }, signal) => {
      if (decisionId === 1) {
        const decided = once(signal, "abort");
        thinking.dispatchEvent(new Event("begun"));
        await decided;
      }
      return legal[0];
    },
  };
  await play(slow, [
    async (line) => {
      await line.greet();
      const begun = once(thinking, "begun");
      line.say(ask("m", 1, 0, 5));
      await begun;
      line.say(ask("m", 2, 0, 6));
      assert.equal((await line.expect("answer")).decisionId, 2);
    },
  ]);
});

test("a Ping is answered, and entropy is committed to before it is shown", async () => {
  const request = (step: EntropyStep, master: string): Said => ({
    case: "entropyRequest",
    value: { tournamentId: "t", step, masterCommitment: Buffer.from(master) },
  });
  await play(first, [
    async (line) => {
      await line.greet();
      line.say(request(EntropyStep.COMMIT, "master"));
      const committed = (await line.expect("entropy")).value;
      // Against another commitment of the server nothing is shown: the Pong comes first.
      line.say(
        request(EntropyStep.REVEAL, "another"),
        { case: "ping", value: { nonce: 9n } },
        request(EntropyStep.REVEAL, "master"),
      );
      assert.equal((await line.expect("pong")).nonce, 9n);
      const shown = (await line.expect("entropy")).value;
      assert.deepEqual(createHash("sha256").update(shown).digest(), Buffer.from(committed));
    },
  ]);
});

test("a stream that drains is followed by another", async () => {
  await play(first, [
    async (line) => {
      await line.greet();
      throw refusal("DRAINING", Code.Unavailable);
    },
    async (line) => {
      await line.greet();
    },
  ]);
});

for (const [reason, code] of [
  ["REPLACED", Code.Aborted],
  ["FLOODING", Code.ResourceExhausted],
  ["UNAUTHENTICATED_TOKEN", Code.Unauthenticated],
] as const) {
  test(`after ${reason} the bot does not dial again`, async () => {
    const playing = play(first, [
      async (line) => {
        await line.greet();
        throw refusal(reason, code);
      },
      () => assert.fail("the bot dialed again"),
    ]);
    await assert.rejects(playing, (error) => {
      assert(error instanceof Ended);
      assert.equal(error.reason, reason);
      assert.equal(exitCode(error), Exit.Refused);
      return true;
    });
  });
}

test("a bot that is asked to stop says Goodbye last", async () => {
  const leaving = new AbortController();
  const script = async (line: Parameters<Parameters<typeof play>[1][number]>[0]) => {
    await line.greet();
    leaving.abort();
    await line.expect("goodbye");
    assert.equal(await line.hear(), undefined);
  };
  await play(first, [script], leaving);
});

test("a setting that is missing is named", async () => {
  await assert.rejects(
    run(() => first, { address: "", token: "t" }),
    /KITUMAIJA_ADDRESS/,
  );
  await assert.rejects(
    run(() => first, { address: "localhost:1", token: "" }),
    UsageError,
  );
});

test("waits double up to a limit, and are drawn at random", () => {
  for (const drawn of [0, 0.5]) {
    const waits = new BackOff(() => drawn);
    for (const longest of [200, 400, 800, 1600, 3200, 5000, 5000]) {
      assert.equal(waits.wait(), (longest * (1 + drawn)) / 2);
    }
    assert.equal(waits.wait(60_000), 60_000);
  }
});
