// SAMP: the logs in the workspace. The core decides which records belong to a
// thread and which may be forged.

import type { Message, MessageThreads } from '@signalbox/core';
import { isoTime } from '../when';
import { limits } from './limits';
import {
  countWords,
  earlierWords,
  failedGroup,
  newestFirst,
  type Desk,
  type Group,
  type Key,
  type Part,
  type Target,
  type ThreadRow,
} from './model';
import { nameOf } from './paths';
import { facts, paragraphs, Prose } from './prose';
import { unsigned } from './trust';

interface Logs {
  readonly list: readonly { readonly name: string; readonly length: number }[];
  readonly parts: readonly Uint8Array[];
  readonly notes: readonly string[];
}

/** Returns the threads of each message directory. */
export async function logPart(
  desk: Desk,
  directories: ReadonlyMap<string, readonly string[]>,
): Promise<Part> {
  const groups: Group[] = [];
  const tokens: (readonly [string, Target])[] = [];
  for (const [folder, paths] of directories) {
    try {
      const logs = await readLogs(desk, paths);
      const found = await threadsOf(desk, logs);
      // A file of this name need not be a log.
      if (found.threads.length === 0 && found.lines === found.malformed) continue;
      groups.push(await groupOf(desk, folder, found, logs.notes));
      for (const { thread: id } of found.threads)
        tokens.push([id, { key: { kind: 'samp', folder, id }, message: '' }]);
    } catch (error) {
      groups.push(failedGroup(desk, 'samp', folder, error));
    }
  }
  return { groups, tokens };
}

async function readLogs({ files, l10n }: Desk, paths: readonly string[]): Promise<Logs> {
  const list: { name: string; length: number }[] = [];
  const parts: Uint8Array[] = [];
  const notes: string[] = [];
  let left: number = limits.samp;
  for (const path of paths) {
    const data = await files.read(path, left);
    if (data instanceof Uint8Array) {
      left -= data.length;
      list.push({ name: nameOf(path), length: data.length });
      parts.push(data);
    } else if (data !== undefined) notes.push(l10n.t('{0} is too large for a browser.', nameOf(path)));
  }
  return { list, parts, notes };
}

function threadsOf({ calls, profile }: Desk, { list, parts }: Logs): Promise<MessageThreads> {
  return calls.json('samp.threads', { profile, logs: list, limit: limits.threads }, parts);
}

async function groupOf(
  desk: Desk,
  folder: string,
  found: MessageThreads,
  notes: readonly string[],
): Promise<Group> {
  const { l10n } = desk;
  const prose = new Prose(desk.calls);
  const threads: ThreadRow[] = [];
  for (const { thread, count, last } of found.threads) {
    threads.push({
      key: { kind: 'samp', folder, id: thread },
      title: thread === '' ? l10n.t('(no thread)') : await prose.line(thread),
      facts: [await prose.line(`${last.from} → ${last.to}`, 80), countWords(l10n, count)],
      time: last.ts * 1000,
      fault: '',
    });
  }
  const all = [...notes];
  if (found.more > 0) all.push(l10n.t('Only {0} threads are listed.', limits.threads));
  if (found.suspicious > 0)
    all.push(l10n.t('Messages that may be forged are left out: {0}', found.suspicious));
  return {
    format: 'samp',
    folder,
    title: desk.files.label(folder),
    threads: threads.sort(newestFirst),
    notes: all,
  };
}

/** Returns all messages to these readers, each once, in order. */
async function messagesOf(
  { calls, profile }: Desk,
  logs: Logs,
  parties: Iterable<string>,
): Promise<Message[]> {
  const found = new Map<string, Message>();
  let asked = 0;
  for (const me of parties) {
    if (me === '' || ++asked > limits.parties) continue;
    const params = { me, profile, mode: 'all', forms: false, logs: logs.list };
    const { messages } = await calls.json('samp.inbox', params, logs.parts);
    for (const message of messages) found.set(`${message.log}:${message.offset}`, message);
  }
  return [...found.values()].sort((a, b) => a.ts - b.ts || a.offset - b.offset);
}

/** Returns what hovers find of messages. It reads everybody's mail. */
export async function logTokens(
  desk: Desk,
  directories: ReadonlyMap<string, readonly string[]>,
): Promise<readonly (readonly [string, Target])[]> {
  const tokens: (readonly [string, Target])[] = [];
  for (const [folder, paths] of directories) {
    const logs = await readLogs(desk, paths);
    const { threads } = await threadsOf(desk, logs);
    const messages = await messagesOf(desk, logs, new Set(threads.flatMap(({ parties }) => parties)));
    for (const { id, thread } of messages)
      tokens.push([id, { key: { kind: 'samp', folder, id: thread }, message: id }]);
  }
  return tokens;
}

async function messagesIn(desk: Desk, key: Key, paths: readonly string[]): Promise<readonly Message[]> {
  const logs = await readLogs(desk, paths);
  const { threads } = await threadsOf(desk, logs);
  const found = threads.find((each) => each.thread === key.id);
  const messages = await messagesOf(desk, logs, found?.parties ?? []);
  return messages.filter((message) => message.thread === key.id);
}

export async function logDocument(desk: Desk, key: Key, paths: readonly string[]): Promise<string> {
  const { l10n } = desk;
  const prose = new Prose(desk.calls);
  const messages = await messagesIn(desk, key, paths);
  const parts = [
    `# ${key.id === '' ? l10n.t('(no thread)') : await prose.inline(key.id)}`,
    unsigned(desk.l10n),
  ];
  const before = messages.length - limits.shown;
  parts.push(earlierWords(l10n, before));
  for (const message of messages.slice(-limits.shown)) {
    parts.push(
      `## ${facts(await prose.inline(`${message.from} → ${message.to}`), isoTime(message.ts * 1000))}`,
      facts(await prose.code(message.id), await prose.code(message.log)),
      await prose.markdown(message.body),
    );
  }
  return paragraphs(...parts);
}

/** Returns one message, or the last ones of a thread, in a few lines, for a hover. */
export async function logPreview(
  desk: Desk,
  target: Target,
  paths: readonly string[],
  count: number,
): Promise<string> {
  const prose = new Prose(desk.calls, limits.name);
  const all = await messagesIn(desk, target.key, paths);
  const messages = all.filter(({ id }) => target.message === '' || id === target.message).slice(-count);
  const parts = [`**${await prose.inline(target.key.id)}**`];
  for (const { from, to, ts, body } of messages) {
    parts.push(
      facts(await prose.inline(`${from} → ${to}`), isoTime(ts * 1000)),
      await prose.markdown(body, limits.hover / (count + 1)),
    );
  }
  return paragraphs(...parts, unsigned(desk.l10n));
}
