const FIRST_MS = 200;
/** The longest wait, in milliseconds. */
export const LAST_MS = 5000;

/**
 * The waits between two dials: they double, and each is drawn at random from its upper half, so that the bots of a restarted
 * server do not come all at once.
 */
export class BackOff {
  #next = FIRST_MS;

  constructor(private readonly random: () => number = Math.random) {}

  /** The next wait in milliseconds, never less than `atLeast`. */
  wait(atLeast = 0): number {
    const wait = (this.#next / 2) * (1 + this.random());
    this.#next = Math.min(2 * this.#next, LAST_MS);
    return Math.max(wait, atLeast);
  }

  /** Begins anew, after a stream that was good. */
  reset(): void {
    this.#next = FIRST_MS;
  }
}
