// Which threads fold into "Older": finished ones that nobody wrote to for a day.

import type { Sort, ThreadItem } from '../protocol';
import { isFiltered, type Filter } from './filter';
import { standsOut } from '../thread/model';

/** A finished thread folds once it is so old. */
const foldedAfter = 24 * 3_600_000;

/** The states of an agent whose thread goes on, however long ago it wrote. */
const underWay: readonly unknown[] = ['working', 'waiting', 'idle'];

/** Reports whether a thread folds into "Older". What is unread or needs the user does not. */
export function isOlder(thread: ThreadItem, now: number): boolean {
  const { agent, lastTime, needsReply } = thread;
  return (
    now - lastTime >= foldedAfter && !needsReply && !standsOut(thread) && !underWay.includes(agent?.state)
  );
}

/** Reports whether the list has folds: whoever filters or sorts it looks for something. */
export function hasFolds(filter: Filter, sort: Sort): boolean {
  return sort === 'newest' && !isFiltered(filter);
}

/** A list of threads, newest first, with its older ones apart. */
export interface Folded {
  readonly shown: readonly ThreadItem[];
  readonly older: readonly ThreadItem[];
  /** How many are folded, with those that are not fetched; 0 where nothing is. */
  readonly count: number;
  /** Whether the next page goes on in the fold. */
  readonly moreInside: boolean;
}

/**
 * Folds a list of which the first pages are fetched, and of which there are `total`. The pages
 * that follow are older than the last thread, and go on as that: in the fold or outside.
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
