// Values of the protocol for tests, complete and changeable.

import type {
  Directory,
  Group,
  InboxPage,
  MessageItem,
  Status,
  ThreadItem,
  ThreadPage,
} from '../src/protocol';

export function thread(title: string, change: Partial<ThreadItem> = {}): ThreadItem {
  return {
    ref: { protocol: 'samp', store: 's', id: `thread:${title}` },
    protocol: 'samp',
    title,
    participants: ['alice', 'bob'],
    lastFrom: 'alice',
    lastTo: 'bob',
    lastTime: 0,
    firstTime: 0,
    count: 1,
    unread: 0,
    needsReply: false,
    mine: true,
    preview: '',
    marks: [],
    group: 'mail',
    ...change,
  };
}

export function message(id: string, time: number, change: Partial<MessageItem> = {}): MessageItem {
  return {
    ref: { protocol: 'samp', store: 's', id: `message:${id}` },
    id,
    from: 'alice',
    to: 'bob',
    time,
    mine: false,
    unread: false,
    html: '',
    text: id,
    chars: id.length,
    truncated: false,
    idForm: 'spaced',
    trust: { level: 'ok', label: 'id matches', detail: '' },
    marks: [],
    origin: { log: 'log-alice.jsonl', line: 1 },
    ...change,
  };
}

export function page(messages: readonly MessageItem[], change: Partial<ThreadPage> = {}): ThreadPage {
  return { thread: thread('t'), messages, related: [], warnings: [], revision: 1, ...change };
}

export function group(id: string, change: Partial<Group> = {}): Group {
  return { id, kind: 'worktree', title: id, opened: true, threads: 1, unread: 0, lastTime: 0, ...change };
}

/** The group of the mail, which a server always lists. */
export const mail = group('mail', { kind: 'mail', title: 'Mail' });

export function inboxPage(change: Partial<InboxPage> = {}): InboxPage {
  return {
    threads: [],
    unread: 0,
    needsReply: 0,
    suspicious: 0,
    groups: [mail],
    revision: 1,
    warnings: [],
    ...change,
  };
}

export function directory(change: Partial<Directory> = {}): Directory {
  return {
    path: 'mail',
    origin: 'setting',
    ok: true,
    exists: true,
    writable: true,
    store: 's',
    logs: 1,
    messages: 1,
    malformed: 0,
    suspicious: 0,
    ...change,
  };
}

export function status(change: Partial<Status> = {}): Status {
  return {
    version: '0',
    alias: 'bob',
    aliasOrigin: 'setting signalbox.alias',
    aliasValid: true,
    profile: 'v1',
    profileOrigin: 'default',
    directories: [directory()],
    limits: { bodyChars: 65_536, pageMax: 200, refsMax: 50, frameBytes: 16_777_216 },
    linkPatterns: [],
    indexing: false,
    readOnly: false,
    unread: 0,
    needsReply: 0,
    projects: [],
    ssots: [],
    mailRoots: [],
    critical: 0,
    overdue: 0,
    needs: 0,
    warnings: [],
    ...change,
  };
}
