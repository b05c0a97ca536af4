import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { fromBinary, fromJson, type JsonValue, toBinary, toJson } from "@bufbuild/protobuf";

import {
  type BotMessage,
  type Decision,
  PlayRequestSchema,
  PlayResponseSchema,
  type ServerMessage,
} from "../gen/kitumaija/v1/arena_pb.js";
import type { Action as ActionMessage } from "../gen/kitumaija/v1/game_pb.js";
import { actionMessage, actionText, legalActions } from "../src/actions.js";
import { cardOf } from "../src/cards.js";
import { Turn } from "../src/turn.js";

interface Example {
  name: string;
  frame: "PlayRequest" | "PlayResponse";
  json: JsonValue;
  meaning: Record<string, unknown>[];
  bytes: string;
  newer?: boolean;
}

// From dist/test, where this runs.
const FILE = new URL("../../../../proto/vectors/frames.json", import.meta.url);
const EXAMPLES = JSON.parse(readFileSync(FILE, "utf8")) as Example[];

/** The name of a message in the .proto files. */
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function actionOf({ action }: ActionMessage): string {
  switch (action.case) {
    case "play":
      return cardOf(action.value) ?? "";
    case "take":
      return `take ${action.value}`;
    case "passLead":
      return "pass";
    default:
      return action.case ?? "";
  }
}

function decisionMeaning(asked: Decision): Record<string, unknown> {
  const [first, ...others] = legalActions(asked.legal);
  assert(asked.view !== undefined && first !== undefined);
  const match = { id: asked.matchId, limits: undefined, seating: undefined };
  const turn = new Turn(match, { ...asked, view: asked.view }, [first, ...others], [], 0);
  return {
    decision: turn.decisionId,
    phase: turn.phase,
    seat: turn.seat,
    hand: turn.hand,
    top: turn.top ?? "-",
    legal: turn.legal.map(actionText),
    events: [asked.firstEvent, asked.events.length],
    time_left_us: turn.timeLeft * 1000,
    think_at_most_us: turn.deadline * 1000,
  };
}

/** What this client makes of a message, in the words of the examples. */
function meaning(
  { message }: BotMessage | ServerMessage,
  want: Record<string, unknown>,
): Record<string, unknown> {
  const is = snake(message.case ?? "nothing");
  switch (message.case) {
    case "hello":
      return { is, capacity: message.value.capacity };
    case "matchStart":
    case "ready":
    case "seating":
    case "matchSync":
      return { is, match: message.value.matchId };
    case "answer": {
      const { decisionId, action } = message.value;
      assert(action !== undefined);
      return { is, decision: decisionId, action: actionOf(action) };
    }
    case "accepted":
      return { is, decision: message.value.decisionId };
    case "refusal": {
      const { decisionId, legal } = message.value;
      const texts = legalActions(legal).map(actionText);
      return { is, decision: decisionId, open: legal !== undefined, legal: texts };
    }
    case "matchEnd":
      return { is, match: message.value.matchId, places: message.value.places };
    case "decision":
      return { is, ...decisionMeaning(message.value) };
    case "entropy": {
      if (typeof want["sha256_of"] !== "string") return { is };
      const hash = createHash("sha256").update(Buffer.from(want["sha256_of"], "hex")).digest();
      return hash.equals(message.value.value) ? { is, sha256_of: want["sha256_of"] } : { is };
    }
    default:
      return { is };
  }
}

for (const { name, frame, json, meaning: means, bytes, newer } of EXAMPLES) {
  const encoded = Uint8Array.from(Buffer.from(bytes, "hex"));

  test(`${name}: bytes and JSON are the same frame`, () => {
    const schema = frame === "PlayRequest" ? PlayRequestSchema : PlayResponseSchema;
    const options = { readUnknownFields: false };
    if (frame === "PlayRequest") {
      assert.deepEqual(
        fromBinary(PlayRequestSchema, encoded, options),
        fromJson(PlayRequestSchema, json),
      );
    } else {
      assert.deepEqual(
        fromBinary(PlayResponseSchema, encoded, options),
        fromJson(PlayResponseSchema, json),
      );
    }
    if (newer !== true) {
      assert.equal(Buffer.from(toBinary(schema, fromJson(schema, json))).toString("hex"), bytes);
      assert.deepEqual(
        toJson(schema, fromBinary(schema, encoded), { useProtoFieldName: true }),
        toJson(schema, fromJson(schema, json), { useProtoFieldName: true }),
      );
    }
  });

  test(`${name}: the frame means what its example says`, () => {
    const { messages } =
      frame === "PlayRequest"
        ? fromBinary(PlayRequestSchema, encoded)
        : fromBinary(PlayResponseSchema, encoded);
    assert.deepEqual(
      messages.map((message, index) => meaning(message, means[index] ?? {})),
      means,
    );
  });
}

test("an action is sent as it is read", () => {
  for (const text of ["2C", "8H", "QS", "AS"] as const) {
    assert.equal(actionOf(actionMessage({ kind: "play", card: text })), text);
  }
  assert.equal(actionOf(actionMessage({ kind: "take", cards: 5 })), "take 5");
  assert.equal(actionOf(actionMessage({ kind: "turn" })), "turn");
  assert.equal(actionOf(actionMessage({ kind: "pass" })), "pass");
});
