// What the inbox holds: the filter, the pages fetched so far, the counts.

import type {
  Counts,
  DidChange,
  InboxFilter,
  InboxPage,
  Requests,
  Status,
  ThreadItem,
  Warning,
} from './protocol';
import { refKey } from './protocol';

/** The filters a user can choose from. */
export type FilterName = 'all' | 'unread' | 'mine' | 'suspicious';

const filters: Readonly<Record<FilterName, InboxFilter>> = {
  all: {},
  unread: { unread: true },
  mine: { mine: true },
  suspicious: { suspicious: true },
};

/** Asks the server for one page. */
export type ListThreads = (params: Requests['signalbox/inbox/list']['params']) => Promise<InboxPage>;

const pageSize = 50;
const pageMax = 200;

/** The pages of the inbox. Holds no promise: callers order their calls. */
export class InboxModel {
  readonly #list: ListThreads;
  #filter: FilterName = 'all';
  #threads: readonly ThreadItem[] = [];
  #next: string | undefined;
  #warnings: readonly Warning[] = [];
  #suspicious = 0;
  #turn = 0;

  constructor(list: ListThreads) {
    this.#list = list;
  }

  get filter(): FilterName {
    return this.#filter;
  }

  get threads(): readonly ThreadItem[] {
    return this.#threads;
  }

  get hasMore(): boolean {
    return this.#next !== undefined;
  }

  get warnings(): readonly Warning[] {
    return this.#warnings;
  }

  /** How many records the server keeps out of the inbox because they may be forged. */
  get suspicious(): number {
    return this.#suspicious;
  }

  /** Chooses a filter; the threads are fetched by the next reload. */
  setFilter(filter: FilterName): void {
    this.#filter = filter;
    this.#threads = [];
    this.#next = undefined;
  }

  /** Forgets everything: the server is gone. */
  clear(): void {
    this.#turn++;
    this.#threads = [];
    this.#next = undefined;
    this.#warnings = [];
    this.#suspicious = 0;
  }

  /**
   * Fetches again as many threads as are shown, at least one page. Returns the
   * counts, or undefined where a later call overtook this one, whose answer
   * is then dropped.
   */
  async reload(): Promise<Counts | undefined> {
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
    if (!grew) cursor = undefined;
    this.#threads = [...seen.values()];
    this.#take(page, cursor);
    return { unread: page.unread, needsReply: page.needsReply };
  }

  /** Fetches the next page. Returns the counts, or undefined as reload does. */
  async more(): Promise<Counts | undefined> {
    if (this.#next === undefined) return undefined;
    const turn = ++this.#turn;
    const page = await this.#fetch(pageSize, this.#next);
    if (turn !== this.#turn) return undefined;
    const known = new Set(this.#threads.map((thread) => refKey(thread.ref)));
    this.#threads = [...this.#threads, ...page.threads.filter((thread) => !known.has(refKey(thread.ref)))];
    this.#take(page, page.threads.length === 0 ? undefined : page.nextCursor);
    return { unread: page.unread, needsReply: page.needsReply };
  }

  #fetch(limit: number, cursor: string | undefined): Promise<InboxPage> {
    return this.#list({ filter: filters[this.#filter], limit, ...(cursor === undefined ? {} : { cursor }) });
  }

  #take(page: InboxPage, cursor: string | undefined): void {
    this.#next = cursor;
    this.#warnings = page.warnings;
    this.#suspicious = page.suspicious;
  }
}

/** What the badge shows; undefined is no badge. */
export function badgeCount(counts: Counts, setting: string): number | undefined {
  const value = setting === 'off' ? 0 : setting === 'unread' ? counts.unread : counts.needsReply;
  return value > 0 ? value : undefined;
}

/** Which welcome text stands in an empty inbox of a running server. */
export type Welcome = 'noDirectory' | 'noAlias' | 'untrusted' | 'noMatches' | 'noMessages';

/** Chooses it: the first thing the user can do something about. */
export function welcomeFor(status: Status, filter: FilterName, trusted: boolean): Welcome {
  if (!status.directories.some((directory) => directory.exists)) return 'noDirectory';
  if (!status.aliasValid) return 'noAlias';
  if (!trusted) return 'untrusted';
  return filter === 'all' ? 'noMessages' : 'noMatches';
}

/** Whether a change concerns this thread: it is named, or the list was cut short. */
export function concerns(change: DidChange, key: string): boolean {
  return change.truncated || change.refs.some((ref) => refKey(ref) === key);
}
