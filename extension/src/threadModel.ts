// What a thread view holds: the pages fetched so far, joined without gaps or
// doubles.

import type { MessageItem, Ref, ThreadItem, ThreadLink, ThreadPage, Warning } from './protocol';
import { refKey } from './protocol';

/** An immutable view of one thread. Messages are oldest first. */
export interface ThreadState {
  readonly thread: ThreadItem;
  readonly messages: readonly MessageItem[];
  readonly before: string | undefined;
  readonly related: readonly ThreadLink[];
  readonly warnings: readonly Warning[];
}

/** The state after fetching the newest page for the first time. */
export function firstPage(page: ThreadPage): ThreadState {
  const { thread, messages, before, related, warnings } = page;
  return { thread, messages, before, related, warnings };
}

/** Whether a message is among those fetched so far. */
export function holds(state: ThreadState, message: Ref): boolean {
  const key = refKey(message);
  return state.messages.some(({ ref }) => refKey(ref) === key);
}

/** The state with an older page put before what is there. */
export function withOlder(state: ThreadState, page: ThreadPage): ThreadState {
  const known = new Set(state.messages.map((message) => refKey(message.ref)));
  const older = page.messages.filter((message) => !known.has(refKey(message.ref)));
  return { ...state, thread: page.thread, messages: [...older, ...state.messages], before: page.before };
}

/** The message of this ref among those fetched so far. */
export function messageOf(state: ThreadState, ref: Ref): MessageItem | undefined {
  const key = refKey(ref);
  return state.messages.find((message) => refKey(message.ref) === key);
}

/**
 * The state after the newest page was fetched again. Messages known before and
 * older than the page stay; those within its span that are gone from it are
 * gone. Where the page shares no message with what is there, something was
 * missed between the two, and only the page is kept. Signed mail stands in the
 * order of a tree of replies, where time says nothing of the place.
 */
export function withNewest(state: ThreadState, page: ThreadPage): ThreadState {
  const fresh = new Set(page.messages.map((message) => refKey(message.ref)));
  const overlap = state.messages.findIndex((message) => fresh.has(refKey(message.ref)));
  if (overlap < 0 || page.before === undefined) return firstPage(page);
  const first = page.messages[0];
  const older = state.messages
    .slice(0, overlap)
    .filter((message) => page.thread.amp !== undefined || first === undefined || message.time <= first.time);
  const keepsCursor = older.length > 0;
  return {
    thread: page.thread,
    messages: [...older, ...page.messages],
    before: keepsCursor ? state.before : page.before,
    related: page.related,
    warnings: page.warnings,
  };
}
