// Marks the messages that the reader has reached as read.

import type { Ref } from '../protocol';
import { refKey } from '../refs';
import { describeError, isError } from '../server/failures';
import type { ThreadHost } from './host';
import { toMark, withRead, type ThreadState } from './model';

/** The page whose messages are marked. */
export interface MarkedPage {
  ref(): Ref;
  state(): ThreadState | undefined;
  /** Whether the user is looking at the page. */
  looking(): boolean;
  /** Sets the state with the new marks, so that the change need not be fetched. */
  update(state: ThreadState): void;
}

export class ReadMarks {
  /** Whether the user marked the thread as unread, so that it stays unread while in view. */
  keptUnread = false;
  readonly #host: ThreadHost;
  readonly #page: MarkedPage;
  /** The keys of the messages that the reader has reached since the tab came into view. */
  readonly #reached = new Set<string>();
  #marking: Promise<void> = Promise.resolve();

  constructor(host: ThreadHost, page: MarkedPage) {
    this.#host = host;
    this.#page = page;
  }

  /** Settles when the current marking has ended. It does not fail. */
  get running(): Promise<void> {
    return this.#marking;
  }

  /** Forgets the reached messages. */
  forget(): void {
    this.#reached.clear();
  }

  /** Notes messages that the reader has reached, and marks them. */
  reach(messages: readonly Ref[]): Promise<void> {
    for (const ref of messages) this.#reached.add(refKey(ref));
    return this.mark();
  }

  /** Marks the reached messages, if the user is looking at the page. */
  mark(): Promise<void> {
    this.#marking = this.#marking.then(() => this.#mark());
    return this.#marking;
  }

  async #mark(): Promise<void> {
    const state = this.#page.state();
    if (!this.#page.looking() || this.keptUnread || state === undefined) return;
    const refs = toMark(state, this.#reached);
    if (refs.length === 0) return;
    const key = refKey(this.#page.ref());
    try {
      const marked = await this.#host.setRead(refs);
      const now = this.#page.state();
      if (marked === 0 || now === undefined || refKey(this.#page.ref()) !== key) return;
      this.#page.update(withRead(now, refs, marked));
    } catch (error) {
      // In an untrusted workspace mail can be read, and marks are never saved: no need to log it.
      if (!isError(error, 'Untrusted')) this.#host.server.log.warn(`read mark: ${describeError(error)}`);
    }
  }
}
