// One list of threads that comes in pages: all threads, or a group's threads.

import { Pages } from '../server/pages';
import type { InboxFilter, InboxLists, InboxPage, Requests, Sort, ThreadItem } from '../protocol';

export type ListThreads = (params: Requests['signalbox/inbox/list']['params']) => Promise<InboxPage>;

/** Asks the server for the first pages of several lists at once. */
export type ListAll = (params: Requests['signalbox/inbox/lists']['params']) => Promise<InboxLists>;

export class ThreadPages extends Pages<ThreadItem, InboxPage> {
  /** The group that is listed, or undefined for all threads. */
  readonly group: string | undefined;

  constructor(list: ListThreads, filter: InboxFilter, group: string | undefined, sort: Sort) {
    const narrowed = group === undefined ? filter : { ...filter, group };
    super(
      (params) => list({ filter: narrowed, sort, ...params }),
      (page) => page.threads,
    );
    this.group = group;
  }

  get threads(): readonly ThreadItem[] {
    return this.items;
  }
}
