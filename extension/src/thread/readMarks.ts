// Marks what the reader has come to as read.

import type { Ref } from '../protocol';
import { refKey } from '../refs';
import { describeError, isError } from '../server/failures';
import type { ThreadHost } from './host';
import { toMark, withRead, type ThreadState } from './model';

/** The page whose messages are marked. */
export interface MarkedPage {
  ref(): Ref;
  state(): ThreadState | undefined;
  /** Whether the user looks at it. */
  looking(): boolean;
  /** Keeps what was marked, so that the change need not be fetched. */
  keep(state: ThreadState): void;
}

export class ReadMarks {
  /** Whether the thread stays unread although it is in view: the user marked it unread. */
  keptUnread = false;
  readonly #host: ThreadHost;
  readonly #page: MarkedPage;
  /** The unread messages that the reader has come to, by their keys, until the tab is hidden. */
  readonly #reached = new Set<string>();
  #marking: Promise<void> = Promise.resolve();

  constructor(host: ThreadHost, page: MarkedPage) {
    this.#host = host;
    this.#page = page;
  }

  /** Settles with the marks that are under way. Does not fail. */
  get running(): Promise<void> {
    return this.#marking;
  }

  /** Forgets what the reader has come to. */
  forget(): void {
    this.#reached.clear();
  }

  /** Notes that the reader has come to messages. */
  reach(messages: readonly Ref[]): Promise<void> {
    for (const ref of messages) this.#reached.add(refKey(ref));
    return this.mark();
  }

  /** Marks what the reader has come to, while they look at this window. */
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
      this.#page.keep(withRead(now, refs, marked));
    } catch (error) {
      // An untrusted workspace may be read; that the mark is not saved is no news.
      if (!isError(error, 'Untrusted')) this.#host.server.log.warn(`read mark: ${describeError(error)}`);
    }
  }
}
