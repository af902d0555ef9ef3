// Checks a file by the rules of its format. The core's findings become byte ranges.

import { SignalboxError } from '@signalbox/core';
import type { Fault, Finding, OpName } from '@signalbox/core';
import { valueAt } from './jsonPlace';
import { limits } from './limits';
import type { Desk } from './model';
import { nameOf, placeOf } from './paths';
import { valueEnd } from './ranges';

/** A fault or a note about a file. */
export interface Problem {
  /** In bytes. */
  readonly start: number;
  readonly end: number;
  readonly level: 'fault' | 'note';
  readonly rule: string;
  readonly message: string;
  /** The page of our docs about the rule. */
  readonly page: string;
}

export interface OpenFile {
  readonly path: string;
  readonly data: Uint8Array;
  /** The other messages of a task. */
  readonly others: (taskId: string) => Promise<readonly Uint8Array[]>;
}

type Listed = readonly (Fault & { readonly level?: Finding['level'] })[];

/** Checks a file. Returns undefined for a file of none of our formats. */
export async function problemsOf(desk: Desk, file: OpenFile): Promise<readonly Problem[] | undefined> {
  const { path, data } = file;
  const place = placeOf(path);
  if (place?.kind === 'thread') return threadProblems(desk, place.folder, true, file);
  if (place?.kind === 'messages') return threadProblems(desk, place.folder, false, file);
  if (place?.kind === 'config') return attempt(data, 'atsf.md', () => configProblems(desk, data));
  const start = data.subarray(0, limits.small);
  const { protocol, kind, certainty } = await desk.calls.json('mail.detect', { name: nameOf(path) }, [start]);
  // The name alone proves nothing, except for a broken log.
  if (protocol === 'samp' && kind === 'log' && place?.kind === 'log')
    return attempt(data, 'samp.md', async () => {
      const params = { log: nameOf(path), limit: limits.problems };
      return (await desk.calls.json('samp.validate', params, [data])).findings;
    });
  if (certainty !== 'content') return undefined;
  if (protocol === 'amp' && kind === 'message')
    return attempt(data, 'amp.md', async () => leveled(await desk.calls.json('amp.message', {}, [data])));
  return protocol === 'agn' ? taskProblems(desk, kind, file) : undefined;
}

/** Checks one of a thread's two files beside the other one. */
async function threadProblems(
  { calls, files, l10n }: Desk,
  folder: string,
  isThread: boolean,
  { data }: OpenFile,
): Promise<readonly Problem[]> {
  const [mine, other] = isThread ? ['thread.json', 'messages.jsonl'] : ['messages.jsonl', 'thread.json'];
  const beside = await files.read(`${folder}/${other}`, limits.log);
  if (typeof beside === 'number')
    return [whole(l10n.t('Not checked: {0} is too large for a browser.', other), 'atsf.md')];
  const [thread, messages] = isThread ? [data, beside ?? ''] : [beside ?? '', data];
  return attempt(data, 'atsf.md', async () => {
    const params = { threadLength: thread.length, dir: nameOf(folder), limit: limits.problems };
    const { findings } = await calls.json('atsf.check', params, [thread, messages]);
    return findings.filter(({ file }) => file === mine);
  });
}

async function configProblems({ calls }: Desk, data: Uint8Array): Promise<Listed> {
  const { hooks, secrets, ...config } = await calls.json('atsf.config', {}, [data]);
  const unsafe = [...hooks.symlinks, ...hooks.commands]
    .map(({ fault }) => fault)
    .filter((fault) => fault !== null);
  const noted = secrets.map((fault) => ({ ...fault, level: 'note' }) as const);
  return [...leveled(config), ...unsafe, ...noted];
}

async function taskProblems(
  { calls }: Desk,
  kind: string | null,
  { data, others }: OpenFile,
): Promise<readonly Problem[] | undefined> {
  const page = 'agn.md#what-is-refused-and-what-is-noted';
  const records: Readonly<Record<string, OpName>> = {
    ack: 'agn.ack',
    resume: 'agn.resume',
    task: 'agn.record',
  };
  const record = records[kind ?? ''];
  if (record !== undefined) {
    return attempt(data, 'agn.md#our-records', async () => {
      await calls.text(record, {}, data);
      return [];
    });
  }
  if (kind !== 'message') return undefined;
  return attempt(data, page, async () => {
    const message = await calls.json('agn.message', {}, [data]);
    if (message.faults.length > 0) return leveled(message);
    const history = await others(message.taskId);
    const params = { messageLength: data.length, history: history.map(({ length }) => length) };
    const beside = await calls.json('agn.check', params, [data, ...history]);
    return [...leveled(message), ...leveled(beside)];
  });
}

function leveled({
  faults,
  notes,
}: {
  readonly faults: readonly Fault[];
  readonly notes: readonly Fault[];
}): Listed {
  return [...faults, ...notes.map((note) => ({ ...note, level: 'note' }) as const)];
}

/** Turns findings into problems. A file that cannot be read at all has just that problem. */
async function attempt(
  data: Uint8Array,
  page: string,
  find: () => Promise<Listed>,
): Promise<readonly Problem[]> {
  try {
    return (await find())
      .slice(0, limits.problems)
      .map(({ rule, field, offset, reason, level = 'fault' }) => {
        const at = Math.min(Math.max(0, offset), data.length);
        // At an object the offset is the object's; the field is inside.
        const start = data[at] === 0x7b ? (memberAt(data, at, field) ?? at) : at;
        return { start, end: valueEnd(data, start), level, rule, message: reason, page };
      });
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return [{ ...whole(error.message, page), level: 'fault', rule: error.rule || error.code }];
  }
}

/** Returns the offset of a member of the object at `at`. The object may itself be a part of the field's path. */
function memberAt(data: Uint8Array, at: number, field: string): number | undefined {
  const names = field.split('.');
  for (let from = 0; from < Math.min(names.length, 8); from++) {
    const found = valueAt(data, at, names.slice(from).join('.'));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns a note about the whole file. */
function whole(message: string, page: string): Problem {
  return { start: 0, end: 1, level: 'note', rule: '', message, page };
}
