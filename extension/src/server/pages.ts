// A list that the server sends in pages.

import { Limit, type Ref } from '../protocol';
import { refKey } from '../refs';

const pageSize = 50;

export interface Page {
  readonly nextCursor?: string;
}

/** Asks the server for one page; without a cursor for the first. */
export type FetchPage<P extends Page> = (params: { limit: number; cursor?: string }) => Promise<P>;

/** A reload under way. */
export interface Reload {
  /** The number of the call: a later call has a larger one. */
  readonly turn: number;
  /** How many items it wants. */
  readonly wanted: number;
  /** How many of them the first page has at most. */
  readonly limit: number;
}

/** The pages of a list that were fetched so far. A new call discards the answers to earlier ones. */
export class Pages<T extends { readonly ref: Ref }, P extends Page> {
  readonly #fetch: FetchPage<P>;
  readonly #itemsOf: (page: P) => readonly T[];
  #items: readonly T[] = [];
  #next: string | undefined;
  #turn = 0;
  #first: Promise<void> | undefined;

  constructor(fetch: FetchPage<P>, itemsOf: (page: P) => readonly T[]) {
    this.#fetch = fetch;
    this.#itemsOf = itemsOf;
  }

  get items(): readonly T[] {
    return this.#items;
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
   * Fetches again as many items as are shown, at least one page. Returns the
   * last page, or undefined where a later call overtook this one, whose answer
   * is then dropped.
   */
  async reload(): Promise<P | undefined> {
    const reload = this.begin();
    return this.finish(reload, await this.#get(reload.limit, undefined));
  }

  /** Begins to reload with a first page of this size, which the caller fetches and passes to finish. */
  begin(): Reload {
    const wanted = Math.max(pageSize, this.#items.length);
    return { turn: ++this.#turn, wanted, limit: Math.min(Limit.page, wanted) };
  }

  /**
   * Takes the first page, and fetches the later pages that were shown. Returns the same as
   * reload. With `unchanged`, items that are already held stay the same objects.
   */
  async finish({ turn, wanted }: Reload, first: P, unchanged = false): Promise<P | undefined> {
    const held = new Map(unchanged ? this.#items.map((item) => [refKey(item.ref), item]) : []);
    const seen = new Map<string, T>();
    let page = first;
    for (;;) {
      if (turn !== this.#turn) return undefined;
      const before = seen.size;
      for (const item of this.#itemsOf(page)) {
        const key = refKey(item.ref);
        seen.set(key, held.get(key) ?? item);
      }
      // A server whose pages bring nothing new must not keep this loop running.
      this.#next = seen.size > before ? page.nextCursor : undefined;
      if (this.#next === undefined || seen.size >= wanted) break;
      page = await this.#get(Math.min(Limit.page, wanted - seen.size), this.#next);
    }
    const items = [...seen.values()];
    const same = items.length === this.#items.length && items.every((item, n) => item === this.#items[n]);
    if (!same) this.#items = items;
    this.#first ??= Promise.resolve();
    return page;
  }

  /** Fetches the next page. Returns it, or undefined as reload does. */
  async more(): Promise<P | undefined> {
    if (this.#next === undefined) return undefined;
    const turn = ++this.#turn;
    const page = await this.#get(pageSize, this.#next);
    if (turn !== this.#turn) return undefined;
    const known = new Set(this.#items.map((item) => refKey(item.ref)));
    const items = this.#itemsOf(page);
    this.#items = [...this.#items, ...items.filter((item) => !known.has(refKey(item.ref)))];
    this.#next = items.length === 0 ? undefined : page.nextCursor;
    return page;
  }

  #get(limit: number, cursor: string | undefined): Promise<P> {
    return this.#fetch({ limit, ...(cursor === undefined ? {} : { cursor }) });
  }
}
