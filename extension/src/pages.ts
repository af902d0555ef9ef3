// A list that the server sends in pages.

import type { Ref } from './protocol';
import { refKey } from './refs';

const pageSize = 50;
const pageMax = 200;

/** What paging needs of a page. */
export interface Page {
  readonly nextCursor?: string;
}

/** Asks the server for one page; without a cursor for the first. */
export type FetchPage<P extends Page> = (params: { limit: number; cursor?: string }) => Promise<P>;

/** The pages of a list that were fetched so far. A new call makes the answers to earlier ones void. */
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
    const turn = ++this.#turn;
    const wanted = Math.max(pageSize, this.#items.length);
    const seen = new Map<string, T>();
    let cursor: string | undefined;
    let page: P;
    let grew: boolean;
    do {
      const before = seen.size;
      page = await this.#get(Math.min(pageMax, wanted - before), cursor);
      if (turn !== this.#turn) return undefined;
      for (const item of this.#itemsOf(page)) seen.set(refKey(item.ref), item);
      cursor = page.nextCursor;
      // A server whose pages bring nothing new must not hold us here.
      grew = seen.size > before;
    } while (cursor !== undefined && grew && seen.size < wanted);
    this.#items = [...seen.values()];
    this.#next = grew ? cursor : undefined;
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
