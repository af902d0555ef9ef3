// Finds the next unread thread among the shown ones and those not fetched yet.

import { refKey } from '../refs';
import type { ThreadItem } from '../protocol';
import { standsOut } from '../thread/model';

/**
 * Returns the unread thread after, or before, the current one. `shown` has the threads of the
 * list in its order. `unread` has all unread threads: those not in the list come after it. The
 * search wraps around. Returns undefined if no other thread is unread.
 */
export function nextUnread(
  shown: readonly ThreadItem[],
  unread: readonly ThreadItem[],
  current: string | undefined,
  back: boolean,
): ThreadItem | undefined {
  const known = new Set(shown.map(({ ref }) => refKey(ref)));
  const order = [...shown, ...unread.filter(({ ref }) => !known.has(refKey(ref)))];
  const at = order.findIndex(({ ref }) => refKey(ref) === current);
  const first = back && at >= 0 ? at : at + 1;
  const rotated = [...order.slice(first), ...order.slice(0, first)];
  if (back) rotated.reverse();
  return rotated.find((thread) => standsOut(thread) && refKey(thread.ref) !== current);
}
