// Which unread thread comes next, over what is shown and what is not fetched yet.

import { refKey } from '../refs';
import type { ThreadItem } from '../protocol';
import { standsOut } from './rowFacts';

/**
 * The unread thread after, or before, the one that is looked at. `shown` are
 * the threads in the order of the list, `unread` the unread ones of all
 * stores, those that are not fetched yet behind the others. At the end it goes
 * on at the other one. Undefined: there is none but the one that is looked at.
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
  const rotated = back
    ? [
        ...order.slice(at === -1 ? order.length : at),
        ...order.slice(0, at === -1 ? order.length : at),
      ].reverse()
    : [...order.slice(at + 1), ...order.slice(0, at + 1)];
  return rotated.find((thread) => standsOut(thread) && refKey(thread.ref) !== current);
}
