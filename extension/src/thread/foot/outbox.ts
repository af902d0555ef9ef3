// What was sent from a thread: held back at first, and then what was sent last, to tell what
// becomes of it.

import { HeldBack, type Held } from '../../heldBack';
import type { Ref, Reach } from '../../protocol';

/** A message that was sent, and how its receiver was reached. */
export interface Gone {
  readonly ref: Ref;
  readonly name: string;
  readonly reach: Reach | undefined;
}

export class Outbox extends HeldBack {
  readonly #gone = new Map<string, Gone>();
  /** The threads from which this window sent something. */
  readonly #used = new Set<string>();

  override hold(thread: string, text: string, message: Ref | undefined, send: () => Promise<void>): Held {
    this.#gone.delete(thread);
    this.#used.add(thread);
    return super.hold(thread, text, message, send);
  }

  /** Whether this window sent something from a thread: what an earlier one held back is unknown here. */
  used(thread: string): boolean {
    return this.#used.has(thread);
  }

  /** Notes what was sent. */
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
}
