import { createHash, randomBytes } from "node:crypto";

import { create } from "@bufbuild/protobuf";

import {
  type Entropy,
  EntropySchema,
  EntropyStep,
  type EntropyRequest,
} from "../gen/kitumaija/v1/arena_pb.js";

const ENTROPY_BYTES = 32;

/** The bot's shares in the shuffling of tournaments: random bytes, committed to first and shown later. */
export class Shares {
  readonly #shares = new Map<string, { entropy: Buffer; masterCommitment: Uint8Array }>();

  /**
   * What to say to a request; undefined where there is nothing to say, for the bot plays all the same. What it did not commit
   * to, or not against the commitment that the server names now, it does not reveal.
   */
  answer(asked: EntropyRequest): Entropy | undefined {
    const { tournamentId, step, masterCommitment } = asked;
    let mine = this.#shares.get(tournamentId);
    switch (step) {
      case EntropyStep.COMMIT: {
        if (mine === undefined) {
          mine = { entropy: randomBytes(ENTROPY_BYTES), masterCommitment };
          this.#shares.set(tournamentId, mine);
        }
        const value = createHash("sha256").update(mine.entropy).digest();
        return create(EntropySchema, { tournamentId, step, value });
      }
      case EntropyStep.REVEAL:
        if (mine === undefined || Buffer.compare(mine.masterCommitment, masterCommitment) !== 0) {
          return undefined;
        }
        return create(EntropySchema, { tournamentId, step, value: mine.entropy });
      default:
        return undefined;
    }
  }
}
