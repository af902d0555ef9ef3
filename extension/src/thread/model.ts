// The messages that a thread view holds: the fetched pages, joined without gaps and
// duplicates. They are a part of the thread: messages far from the reader are dropped,
// because showing all of them would freeze the editor.

import { refKey } from '../refs';
import {
  Limit,
  type AgentRequest,
  type Change,
  type MessageItem,
  type Ref,
  type Side,
  type ThreadItem,
  type ThreadLink,
  type ThreadPage,
  type ThreadParams,
  type Warning,
} from '../protocol';

/**
 * Reports whether a thread is highlighted: it has unread messages, it came back from snooze
 * and was not opened, or its agent did something since the user looked.
 */
export function standsOut(thread: ThreadItem): boolean {
  return thread.unread > 0 || thread.returned === true || thread.agent?.unseen === true;
}

/** The most messages that are held. */
export const messagesHeld = 400;

/** The most UTF-16 code units of markup that are held, unless one page has more. */
export const charsHeld = 1_500_000;

/** The number of read messages to fetch above the unread ones. */
const readAbove = 10;

/** An immutable state of one thread. Messages are oldest first. */
export interface ThreadState {
  readonly thread: ThreadItem;
  readonly messages: readonly MessageItem[];
  /** Whether the thread has messages older, or newer, than the held ones. */
  readonly older: boolean;
  readonly newer: boolean;
  readonly related: readonly ThreadLink[];
  readonly warnings: readonly Warning[];
  /** The requests that the thread's session waits for, oldest first. */
  readonly requests: readonly AgentRequest[];
  /** The revision of the newest page, and the revision of read marks that were added to the state since. */
  readonly revision: number;
  readonly marked: number;
}

/** Returns the state that holds only this page. */
export function firstPage(page: ThreadPage): ThreadState {
  const { thread, messages, related, warnings, revision, requests = [] } = page;
  const newer = page.after !== undefined;
  return { thread, messages, older: hasOlder(page), newer, related, warnings, requests, revision, marked: 0 };
}

export function holds(state: ThreadState, message: Ref): boolean {
  return messageOf(state, message) !== undefined;
}

/** Returns the request for the next page in a direction, or undefined if there is none. */
export function further(
  state: ThreadState,
  side: Exclude<Side, 'around'>,
): { readonly ref: Ref; readonly side: Side } | undefined {
  const before = side === 'before';
  const from = before ? state.messages[0] : state.messages.at(-1);
  return from !== undefined && (before ? state.older : state.newer) ? { ref: from.ref, side } : undefined;
}

/**
 * Returns the request for an older page with more of the unread messages, or undefined if
 * all of them are held or more are unread than can be held. Every second message of a
 * conversation is the reader's own, so twice the missing number is fetched.
 */
export function towardsUnread(state: ThreadState): ThreadParams | undefined {
  const { unread } = state.thread;
  const missing = unread - unreadIn(state.messages);
  const room = messagesHeld - state.messages.length;
  const from = further(state, 'before');
  if (missing <= 0 || unread > messagesHeld || room <= 0 || state.newer || from === undefined)
    return undefined;
  return { ...from, limit: Math.min(Limit.page, room, 2 * missing + readAbove) };
}

export function unreadIn(messages: readonly MessageItem[]): number {
  return messages.filter(({ unread }) => unread).length;
}

export function withOlder(state: ThreadState, page: ThreadPage): ThreadState {
  const messages = [...notHeld(page, state), ...state.messages];
  return inBounds({ ...state, thread: page.thread, messages, older: hasOlder(page) }, 'newer', page);
}

export function withNewer(state: ThreadState, page: ThreadPage): ThreadState {
  const messages = [...state.messages, ...notHeld(page, state)];
  const newer = page.after !== undefined;
  return inBounds({ ...state, thread: page.thread, messages, newer }, 'older', page);
}

export function messageOf(state: ThreadState, ref: Ref): MessageItem | undefined {
  const key = refKey(ref);
  return state.messages.find((message) => refKey(message.ref) === key);
}

/**
 * Returns the state after the newest page was fetched again. Held messages older than the
 * page stay. Messages within its span that it no longer contains are removed. If the page
 * shares no message with the state, messages between the two were missed, and only the page
 * is held. Signed mail is in the order of its tree of replies and a session in the order of
 * its file, so times do not show which messages are older there. If the state does not reach
 * the thread's end, all its messages stay, with the page's content for those it contains.
 */
export function withNewest(state: ThreadState, page: ThreadPage): ThreadState {
  const { thread, related, warnings, revision, requests = [] } = page;
  // A restarted server counts its revisions from the beginning.
  const marked = revision < state.revision ? 0 : state.marked;
  if (state.newer)
    return withRefetched({ ...state, thread, related, warnings, requests, revision, marked }, page);
  const fresh = new Set(page.messages.map((message) => refKey(message.ref)));
  const overlap = state.messages.findIndex((message) => fresh.has(refKey(message.ref)));
  if (overlap < 0 || page.before === undefined) return firstPage(page);
  const first = page.messages[0];
  const kept = state.messages
    .slice(0, overlap)
    .filter((message) => !isTimed(thread) || first === undefined || message.time <= first.time);
  const older = kept.length > 0 ? state.older : hasOlder(page);
  const messages = [...kept, ...page.messages];
  return inBounds(
    { thread, messages, older, newer: false, related, warnings, requests, revision, marked },
    'older',
    page,
  );
}

/** Reports whether the messages of a thread are in the order of their times. */
function isTimed({ amp, agent }: ThreadItem): boolean {
  return amp === undefined && agent?.session === undefined;
}

/** Returns the held messages of a session with a tool call that has not ended, newest first. */
export function unfinished(state: ThreadState): readonly Ref[] {
  // In other threads a line never changes after it was written.
  if (state.thread.agent?.session === undefined) return [];
  return refsOf(state, ({ turn }) =>
    (turn?.parts ?? []).some(({ tool }) => tool?.status === 'running' || tool?.status === 'pending'),
  );
}

/** Reports whether keys and tokens of a message are hidden. */
export function isMasked({ marks }: MessageItem): boolean {
  return marks.includes('masked');
}

/** Returns the held messages with hidden keys and tokens, newest first. */
export function masked(state: ThreadState): readonly Ref[] {
  return refsOf(state, isMasked);
}

function refsOf({ messages }: ThreadState, wanted: (message: MessageItem) => boolean): readonly Ref[] {
  return messages
    .filter(wanted)
    .map(({ ref }) => ref)
    .reverse();
}

/** Returns the refs that are not among the messages of a page. */
export function missingFrom(page: ThreadPage, refs: readonly Ref[]): readonly Ref[] {
  const there = new Set(page.messages.map(({ ref }) => refKey(ref)));
  return refs.filter((ref) => !there.has(refKey(ref)));
}

/** Returns the state with those of its messages that a later page contains replaced by the page's. */
export function withRefetched(state: ThreadState, page: ThreadPage): ThreadState {
  const refetched = new Map(page.messages.map((message) => [refKey(message.ref), message]));
  const messages = state.messages.map((message) => refetched.get(refKey(message.ref)) ?? message);
  return { ...state, messages };
}

/**
 * Returns the refs to mark as read: the unread messages among the reached keys, and the
 * thread itself if these are all and it would still be highlighted.
 */
export function toMark({ thread, messages }: ThreadState, reached: ReadonlySet<string>): readonly Ref[] {
  if (thread.marks.includes('suspicious')) return [];
  const refs = messages.filter(({ ref, unread }) => unread && reached.has(refKey(ref))).map(({ ref }) => ref);
  const whole = thread.unread <= refs.length && standsOut({ ...thread, unread: 0 });
  return whole ? [...refs, thread.ref] : refs;
}

/** Returns the thread without anything that highlights it. */
function asSeen({ agent, ...thread }: ThreadItem): ThreadItem {
  const seen = agent === undefined ? {} : { agent: { ...agent, unseen: false } };
  return { ...thread, ...seen, unread: 0, returned: false };
}

/** Returns the state after refs were marked as read at a revision of the server. */
export function withRead(state: ThreadState, refs: readonly Ref[], marked: number): ThreadState {
  const read = new Set(refs.map(refKey));
  const whole = read.has(refKey(state.thread.ref));
  const messages = state.messages.map((message) =>
    message.unread && (whole || read.has(refKey(message.ref))) ? { ...message, unread: false } : message,
  );
  const left = whole ? 0 : state.thread.unread - unreadIn(state.messages) + unreadIn(messages);
  const thread = { ...state.thread, unread: left };
  return { ...state, thread: whole ? asSeen(thread) : thread, messages, marked };
}

/** Reports whether the state includes a change: in the newest page, or as a read mark added since. */
export function shows(state: ThreadState, { revision, kinds }: Change): boolean {
  const mark = kinds.length > 0 && kinds.every((kind) => kind === 'read');
  return revision <= state.revision || (mark && revision <= state.marked);
}

/** Reports whether there are messages before a page. An empty page cannot lead further. */
function hasOlder(page: ThreadPage): boolean {
  return page.before !== undefined && page.messages.length > 0;
}

function notHeld(page: ThreadPage, state: ThreadState): readonly MessageItem[] {
  const known = new Set(state.messages.map((message) => refKey(message.ref)));
  return page.messages.filter((message) => !known.has(refKey(message.ref)));
}

/** Returns the state cut at one end to the limits. The messages of the page stay. */
function inBounds(state: ThreadState, end: 'older' | 'newer', page: ThreadPage): ThreadState {
  const fromEnd = end === 'newer' ? state.messages : state.messages.toReversed();
  let chars = 0;
  const over = fromEnd.findIndex((message, index) => {
    chars += message.html.length + message.text.length + turnChars(message);
    return index >= page.messages.length && (index >= messagesHeld || chars > charsHeld);
  });
  if (over < 0) return state;
  const kept = fromEnd.slice(0, over);
  return end === 'newer'
    ? { ...state, messages: kept, newer: true }
    : { ...state, messages: kept.toReversed(), older: true };
}

function turnChars({ turn }: MessageItem): number {
  let chars = 0;
  for (const { html = '', tool } of turn?.parts ?? []) {
    chars += html.length + (tool?.input.length ?? 0) + (tool?.output.length ?? 0);
    chars += tool?.diff?.hunks?.length ?? 0;
  }
  return chars;
}
