// Holds messages and answers back for a moment, so that the user can take them back. They are
// sent even if the page shows something else by then. The clock is passed in.

import type { Ref } from './protocol';

/** How long something is held back. */
export const undoMillis = 5_000;

export interface Clock {
  now(): number;
  /** Calls `run` after this many milliseconds. Returns a function that cancels the call. */
  after(millis: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (millis, run) => {
    const timer = setTimeout(run, millis);
    return () => clearTimeout(timer);
  },
};

/** Something held back. `message` is the question that it answers with an option. */
export interface Held {
  readonly text: string;
  readonly until: number;
  readonly message?: Ref | undefined;
}

interface Waiting extends Held {
  send(): Promise<void>;
  cancel(): void;
}

export class HeldBack {
  readonly #waiting = new Map<string, Waiting>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The key under which something was held back last. */
  get last(): string | undefined {
    return [...this.#waiting.keys()].at(-1);
  }

  held(key: string): Held | undefined {
    return this.#waiting.get(key);
  }

  /** Holds something back, then sends it. Anything already held under the key is sent at once. */
  hold(key: string, text: string, message: Ref | undefined, send: () => Promise<void>): Held {
    void this.flush(key);
    const cancel = this.#clock.after(undoMillis, () => void this.flush(key));
    const held = { text, message, until: this.#clock.now() + undoMillis, send, cancel };
    this.#waiting.set(key, held);
    return held;
  }

  /** Takes something back. Returns it, or undefined if it was already sent. */
  undo(key: string): Held | undefined {
    return this.#take(key);
  }

  /** Sends at once what is held back under a key, or under all keys. */
  async flush(key?: string): Promise<void> {
    const keys = key === undefined ? [...this.#waiting.keys()] : [key];
    await Promise.all(keys.map(async (one) => this.#take(one)?.send()));
  }

  #take(key: string): Waiting | undefined {
    const held = this.#waiting.get(key);
    held?.cancel();
    this.#waiting.delete(key);
    return held;
  }
}
