import { create, toBinary } from "@bufbuild/protobuf";

import {
  type BotMessage,
  BotMessageSchema,
  type PlayRequest,
  PlayRequestSchema,
} from "../gen/kitumaija/v1/arena_pb.js";

/** The largest frame that the server takes. */
const FRAME_BYTES = 64 * 1024;

/** What is to be said on one stream. What is ready travels in one frame. */
export class Outbox {
  readonly #messages: BotMessage[] = [];
  #closed = false;
  #wake: () => void = () => undefined;

  say(message: BotMessage["message"]): void {
    if (this.#closed) return;
    this.#messages.push(create(BotMessageSchema, { message }));
    this.#wake();
  }

  /** Nothing more is said: the frames end after what is left. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async *frames(): AsyncGenerator<PlayRequest> {
    for (;;) {
      if (this.#messages.length > 0) {
        yield create(PlayRequestSchema, { messages: this.#messages.splice(0, this.#fitting()) });
      } else if (this.#closed) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }

  /** How many of the messages fit into a frame; at least one. */
  #fitting(): number {
    let size = 0;
    const first = this.#messages.findIndex((message, index) => {
      // At most five bytes for the field and the length of each.
      size += toBinary(BotMessageSchema, message).length + 5;
      return size > FRAME_BYTES && index > 0;
    });
    return first === -1 ? this.#messages.length : first;
  }
}
