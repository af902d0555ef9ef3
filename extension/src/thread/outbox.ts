// What was sent from a thread and is held back for some seconds, so that it can be undone,
// and what was sent last, to tell what becomes of it. It belongs to the window: a tab that
// shows another thread by then sends nothing less.

import type { Ref, Reach } from '../protocol';

/** So long a message is held back. */
export const undoMillis = 5_000;

/** A message that is held back. `message` is the question that it answers with an option. */
export interface Held {
  readonly text: string;
  readonly until: number;
  readonly message?: Ref | undefined;
}

/** A message that was sent, and how its receiver was reached. */
export interface Gone {
  readonly ref: Ref;
  readonly name: string;
  readonly reach: Reach | undefined;
}

interface Waiting extends Held {
  readonly timer: NodeJS.Timeout;
  send(): void;
}

export class Outbox {
  readonly #waiting = new Map<string, Waiting>();
  readonly #gone = new Map<string, Gone>();
  /** The threads from which this window sent something. */
  readonly #used = new Set<string>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Holds a message of a thread back, then sends it. One that is held there already is sent at once. */
  hold(thread: string, text: string, message: Ref | undefined, send: () => void): void {
    this.flush(thread);
    this.#gone.delete(thread);
    this.#used.add(thread);
    const timer = setTimeout(() => this.flush(thread), undoMillis);
    this.#waiting.set(thread, { text, message, until: this.#now() + undoMillis, timer, send });
  }

  /** Whether this window sent something from a thread: what an earlier one held back is unknown here. */
  used(thread: string): boolean {
    return this.#used.has(thread);
  }

  held(thread: string): Held | undefined {
    return this.#waiting.get(thread);
  }

  /** Takes a message back. Returns it, or undefined where it was sent meanwhile. */
  undo(thread: string): (Held & { send(): void }) | undefined {
    const held = this.#waiting.get(thread);
    clearTimeout(held?.timer);
    this.#waiting.delete(thread);
    return held;
  }

  /** Sends what a thread, or every thread, holds back. */
  flush(thread?: string): void {
    for (const key of thread === undefined ? [...this.#waiting.keys()] : [thread]) this.undo(key)?.send();
  }

  /** Notes what was sent, and returns it. */
  sent(thread: string, gone: Gone): void {
    this.#gone.set(thread, gone);
  }

  gone(thread: string): Gone | undefined {
    return this.#gone.get(thread);
  }

  /** What was sent needs no line any more: it was answered, or the user sends another. */
  forget(thread: string): void {
    this.#gone.delete(thread);
  }

  dispose(): void {
    this.flush();
  }
}
