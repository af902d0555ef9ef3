// Fetches the pages of a thread.

import { Limit, type Ref, type ThreadPage, type ThreadParams } from '../protocol';
import { refKey } from '../refs';
import type { Server } from '../server/client';
import { describeError } from '../server/failures';
import { firstPage, holds, towardsUnread, withOlder, type ThreadState } from './model';

/** The most pages to fetch, besides the newest, to reach the first unread message of a thread. */
const pagesToUnread = 5;

export class ThreadFetch {
  /** Whether pages are fetched with keys and tokens in clear. */
  secrets = false;
  readonly #server: Pick<Server, 'request' | 'log'>;

  constructor(server: Pick<Server, 'request' | 'log'>) {
    this.#server = server;
  }

  get(params: ThreadParams): Promise<ThreadPage> {
    const secrets = this.secrets ? { secrets: true } : {};
    return this.#server.request('signalbox/thread/get', { ...params, ...secrets });
  }

  /** Fetches the newest page, as long as possible for signed mail: a reply may be anywhere in its tree. */
  newest(ref: Ref): Promise<ThreadPage> {
    return this.get({ ref, ...(ref.protocol === 'amp' ? { limit: Limit.page } : {}) });
  }

  /** Returns the state at the wanted message, or without one at the first unread message. */
  async opening(newest: ThreadPage, wanted: Ref | undefined): Promise<ThreadState> {
    const state = firstPage(newest);
    if (wanted === undefined) return this.#toUnread(state);
    return holds(state, wanted) || !state.older ? state : this.#around(wanted, state);
  }

  /** Returns the state with older pages up to the first unread message, at most `pagesToUnread`. */
  async #toUnread(state: ThreadState): Promise<ThreadState> {
    let reached = state;
    for (let pages = 0; pages < pagesToUnread; pages++) {
      const params = towardsUnread(reached);
      if (params === undefined) break;
      const page = await this.get(params);
      if (page.messages.length === 0) break;
      reached = withOlder(reached, page);
    }
    return reached;
  }

  /** Returns the part of the thread around the wanted message. */
  async #around(wanted: Ref, state: ThreadState): Promise<ThreadState> {
    try {
      const page = await this.get({ ref: wanted, side: 'around' });
      if (refKey(page.thread.ref) === refKey(state.thread.ref)) return firstPage(page);
    } catch (error) {
      // The thread is still shown, and the page reports that the message is missing.
      this.#server.log.warn(`message: ${describeError(error)}`);
    }
    return state;
  }
}
