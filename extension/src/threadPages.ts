// One list of threads that comes in pages: all there are, or those of a group.

import type { InboxFilter, InboxPage, Requests, ThreadItem } from './protocol';
import { refKey } from './protocol';

/** Asks the server for one page. */
export type ListThreads = (params: Requests['signalbox/inbox/list']['params']) => Promise<InboxPage>;

const pageSize = 50;
const pageMax = 200;

/** The pages of one list fetched so far. A call drops the answers to those before it. */
export class ThreadPages {
  readonly #list: ListThreads;
  readonly #filter: InboxFilter;
  #threads: readonly ThreadItem[] = [];
  #next: string | undefined;
  #turn = 0;
  #first: Promise<void> | undefined;

  constructor(list: ListThreads, filter: InboxFilter) {
    this.#list = list;
    this.#filter = filter;
  }

  get threads(): readonly ThreadItem[] {
    return this.#threads;
  }

  get hasMore(): boolean {
    return this.#next !== undefined;
  }

  /** Fetches the first page unless something was fetched, or is being fetched, already. */
  async open(): Promise<void> {
    this.#first ??= this.reload().then(
      () => undefined,
      (error: unknown) => {
        this.#first = undefined;
        throw error;
      },
    );
    await this.#first;
  }

  /**
   * Fetches again as many threads as are shown, at least one page. Returns the
   * last page, or undefined where a later call overtook this one, whose answer
   * is then dropped.
   */
  async reload(): Promise<InboxPage | undefined> {
    const turn = ++this.#turn;
    const wanted = Math.max(pageSize, this.#threads.length);
    const seen = new Map<string, ThreadItem>();
    let cursor: string | undefined;
    let page: InboxPage;
    let grew: boolean;
    do {
      const before = seen.size;
      page = await this.#fetch(Math.min(pageMax, wanted - before), cursor);
      if (turn !== this.#turn) return undefined;
      for (const thread of page.threads) seen.set(refKey(thread.ref), thread);
      cursor = page.nextCursor;
      // A server whose pages bring nothing new must not hold us here.
      grew = seen.size > before;
    } while (cursor !== undefined && grew && seen.size < wanted);
    this.#threads = [...seen.values()];
    this.#next = grew ? cursor : undefined;
    return page;
  }

  /** Fetches the next page. Returns it, or undefined as reload does. */
  async more(): Promise<InboxPage | undefined> {
    if (this.#next === undefined) return undefined;
    const turn = ++this.#turn;
    const page = await this.#fetch(pageSize, this.#next);
    if (turn !== this.#turn) return undefined;
    const known = new Set(this.#threads.map((thread) => refKey(thread.ref)));
    this.#threads = [...this.#threads, ...page.threads.filter((thread) => !known.has(refKey(thread.ref)))];
    this.#next = page.threads.length === 0 ? undefined : page.nextCursor;
    return page;
  }

  #fetch(limit: number, cursor: string | undefined): Promise<InboxPage> {
    return this.#list({ filter: this.#filter, limit, ...(cursor === undefined ? {} : { cursor }) });
  }
}
