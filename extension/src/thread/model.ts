// The messages that a thread view holds: the fetched pages, joined without gaps
// and duplicates. It is a window on the thread: messages far from the reader are
// dropped again, because showing all of them would freeze the editor.

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
 * Reports whether a thread stands out: it has unread messages, it came back from snooze
 * and was not opened, or its agent went on since the user looked.
 */
export function standsOut(thread: ThreadItem): boolean {
  return thread.unread > 0 || thread.returned === true || thread.agent?.unseen === true;
}

/** At most so many messages are held. */
export const messagesHeld = 400;

/** At most so many UTF-16 code units of markup are held, unless one page has more. */
export const charsHeld = 1_500_000;

/** So many read messages are fetched besides the unread ones, to stand above them. */
const readAbove = 10;

/** An immutable state of one thread. Messages are oldest first. */
export interface ThreadState {
  readonly thread: ThreadItem;
  readonly messages: readonly MessageItem[];
  /** Whether the thread has older, and newer, messages than those that are held. */
  readonly older: boolean;
  readonly newer: boolean;
  readonly related: readonly ThreadLink[];
  readonly warnings: readonly Warning[];
  /** What the thread's session waits for, the oldest first. */
  readonly requests: readonly AgentRequest[];
  /** The revision that the newest page showed, and the revision of the user's mark that is shown besides. */
  readonly revision: number;
  readonly marked: number;
}

/** Returns the state that holds just this page. */
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
 * Returns the request for an older page with more of the unread messages, or undefined
 * if all of them are held or more than can be held are unread. Every second message of
 * a conversation is the reader's own, so twice as many are fetched as are missing.
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
  const messages = [...unknown(page, state), ...state.messages];
  return inBounds({ ...state, thread: page.thread, messages, older: hasOlder(page) }, 'newer', page);
}

export function withNewer(state: ThreadState, page: ThreadPage): ThreadState {
  const messages = [...state.messages, ...unknown(page, state)];
  const newer = page.after !== undefined;
  return inBounds({ ...state, thread: page.thread, messages, newer }, 'older', page);
}

export function messageOf(state: ThreadState, ref: Ref): MessageItem | undefined {
  const key = refKey(ref);
  return state.messages.find((message) => refKey(message.ref) === key);
}

/**
 * Returns the state after the newest page was fetched again. Held messages older
 * than the page stay. Messages within its span that are no longer in it are
 * removed. If the page shares no message with the state, something between the
 * two was missed, and only the page is kept. Signed mail is ordered as a tree of
 * replies and a session as its file, so time does not tell what is older there. A
 * reader who is far up keeps every message, as it is now.
 */
export function withNewest(state: ThreadState, page: ThreadPage): ThreadState {
  const { thread, related, warnings, revision, requests = [] } = page;
  // A server that was started again counts its revisions from the beginning.
  const marked = revision < state.revision ? 0 : state.marked;
  if (state.newer)
    return withAgain({ ...state, thread, related, warnings, requests, revision, marked }, page);
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

/** Whether the messages of a thread are in the order of their times. */
function isTimed({ amp, agent }: ThreadItem): boolean {
  return amp === undefined && agent?.session === undefined;
}

/** Returns the held messages with a tool call that has not ended and that is still recorded, newest first. */
export function unfinished(state: ThreadState): readonly Ref[] {
  // Other threads are only added to: a line that was written stays as it is.
  if (state.thread.agent?.session === undefined) return [];
  return refsOf(state, ({ turn }) =>
    (turn?.parts ?? []).some(({ tool }) => tool?.status === 'running' || tool?.status === 'pending'),
  );
}

/** Whether keys and tokens of a message are hidden. */
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
export function outside(page: ThreadPage, refs: readonly Ref[]): readonly Ref[] {
  const there = new Set(page.messages.map(({ ref }) => refKey(ref)));
  return refs.filter((ref) => !there.has(refKey(ref)));
}

/** Returns the state with its messages as a page fetched later has them. */
export function withAgain(state: ThreadState, page: ThreadPage): ThreadState {
  const again = new Map(page.messages.map((message) => [refKey(message.ref), message]));
  const messages = state.messages.map((message) => again.get(refKey(message.ref)) ?? message);
  return { ...state, messages };
}

/**
 * Returns what is to be marked as read: the unread messages that the reader has come to,
 * by their keys, and with the last of them the thread if it stands out for more than these.
 */
export function toMark({ thread, messages }: ThreadState, reached: ReadonlySet<string>): readonly Ref[] {
  if (thread.marks.includes('suspicious')) return [];
  const refs = messages.filter(({ ref, unread }) => unread && reached.has(refKey(ref))).map(({ ref }) => ref);
  const whole = thread.unread <= refs.length && standsOut({ ...thread, unread: 0 });
  return whole ? [...refs, thread.ref] : refs;
}

/** The thread once the user has looked at it, whatever it stood out for. */
function looked({ agent, ...thread }: ThreadItem): ThreadItem {
  const seen = agent === undefined ? {} : { agent: { ...agent, unseen: false } };
  return { ...thread, ...seen, unread: 0, returned: false };
}

/** The state after these were marked as read, which the server knows at this revision. */
export function withRead(state: ThreadState, refs: readonly Ref[], marked: number): ThreadState {
  const read = new Set(refs.map(refKey));
  const whole = read.has(refKey(state.thread.ref));
  const messages = state.messages.map((message) =>
    message.unread && (whole || read.has(refKey(message.ref))) ? { ...message, unread: false } : message,
  );
  const left = whole ? 0 : state.thread.unread - unreadIn(state.messages) + unreadIn(messages);
  const thread = { ...state.thread, unread: left };
  return { ...state, thread: whole ? looked(thread) : thread, messages, marked };
}

/** Whether a change is shown already: by the newest page, or since it is the user's mark and nothing else. */
export function shows(state: ThreadState, { revision, kinds }: Change): boolean {
  const mark = kinds.length > 0 && kinds.every((kind) => kind === 'read');
  return revision <= state.revision || (mark && revision <= state.marked);
}

/** Reports whether there are messages before a page. An empty page cannot lead further. */
function hasOlder(page: ThreadPage): boolean {
  return page.before !== undefined && page.messages.length > 0;
}

function unknown(page: ThreadPage, state: ThreadState): readonly MessageItem[] {
  const known = new Set(state.messages.map((message) => refKey(message.ref)));
  return page.messages.filter((message) => !known.has(refKey(message.ref)));
}

/** Returns the state cut at one end to what may be held. The newest page stays whole. */
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
