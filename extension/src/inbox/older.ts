// Folds threads into "Older": finished threads without a new message for a day.

import type { Sort, ThreadItem } from '../protocol';
import { isFiltered, type Filter } from './filter';
import { standsOut } from '../thread/model';

/** The age at which a finished thread folds. */
const foldedAfter = 24 * 3_600_000;

/** The states of an agent whose thread is unfinished, however old its last message is. */
const underWay: readonly unknown[] = ['working', 'waiting', 'idle'];

/** Reports whether a thread folds into "Older". Threads that are unread or need the user do not. */
export function isOlder(thread: ThreadItem, now: number): boolean {
  const { agent, lastTime, needsReply } = thread;
  return (
    now - lastTime >= foldedAfter && !needsReply && !standsOut(thread) && !underWay.includes(agent?.state)
  );
}

/** Reports whether the list has folds. A user who filters or sorts it is looking for something. */
export function hasFolds(filter: Filter, sort: Sort): boolean {
  return sort === 'newest' && !isFiltered(filter);
}

/** A list of threads, newest first, with the older ones folded. */
export interface Folded {
  readonly shown: readonly ThreadItem[];
  readonly older: readonly ThreadItem[];
  /** How many threads are folded, including those not fetched yet. */
  readonly count: number;
  /** Whether the next page continues in the fold. */
  readonly moreInside: boolean;
}

/**
 * Folds the fetched first pages of a list of `total` threads. The next pages are older than the
 * last fetched thread, so they continue where that thread is: in the fold or outside.
 */
export function folded(
  threads: readonly ThreadItem[],
  { total, hasMore, now }: { readonly total: number; readonly hasMore: boolean; readonly now: number },
): Folded {
  const older = threads.filter((thread) => isOlder(thread, now));
  const last = threads.at(-1);
  const moreInside = hasMore && last !== undefined && isOlder(last, now);
  const further = moreInside ? Math.max(1, total - threads.length) : 0;
  if (older.length === 0 && !moreInside) return { shown: threads, older, count: 0, moreInside };
  const shown = threads.filter((thread) => !isOlder(thread, now));
  return { shown, older, count: older.length + further, moreInside };
}
