// The message sent last from each thread: first held back, then kept so that its outcome can
// be shown.

import { HeldBack, type Held } from '../../heldBack';
import type { Ref, Reach } from '../../protocol';

/** A message that was sent, and how it reached its receiver. */
export interface SentMessage {
  readonly ref: Ref;
  readonly name: string;
  readonly reach: Reach | undefined;
}

export class Outbox extends HeldBack {
  readonly #sent = new Map<string, SentMessage>();
  /** The threads from which this window sent something. */
  readonly #used = new Set<string>();

  override hold(thread: string, text: string, message: Ref | undefined, send: () => Promise<void>): Held {
    this.#sent.delete(thread);
    this.#used.add(thread);
    return super.hold(thread, text, message, send);
  }

  /** Reports whether this window sent something from a thread. Earlier windows are not counted. */
  hasSent(thread: string): boolean {
    return this.#used.has(thread);
  }

  /** Notes the message that was sent last from a thread. */
  sent(thread: string, message: SentMessage): void {
    this.#sent.set(thread, message);
  }

  lastSent(thread: string): SentMessage | undefined {
    return this.#sent.get(thread);
  }

  /** Forgets the message sent last: it was answered. */
  forget(thread: string): void {
    this.#sent.delete(thread);
  }
}
