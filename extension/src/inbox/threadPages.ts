// One list of threads that comes in pages: all there are, or those of a group.

import { Pages } from '../pages';
import type { InboxFilter, InboxPage, Requests, Sort, ThreadItem } from '../protocol';

/** Asks the server for one page. */
export type ListThreads = (params: Requests['signalbox/inbox/list']['params']) => Promise<InboxPage>;

export class ThreadPages extends Pages<ThreadItem, InboxPage> {
  constructor(list: ListThreads, filter: InboxFilter, sort: Sort) {
    super(
      (params) => list({ filter, ...sorted(sort), ...params }),
      (page) => page.threads,
    );
  }

  get threads(): readonly ThreadItem[] {
    return this.items;
  }
}

/** The usual order is not named: servers before this had no other. */
export function sorted(sort: Sort): { readonly sort?: Sort } {
  return sort === 'newest' ? {} : { sort };
}
