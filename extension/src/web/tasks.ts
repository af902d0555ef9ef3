// AMP/1.0: task directories. The core decides which messages count, a task's state
// and what is overdue. Which of two files with one id counts is decided here, as
// on the desktop.

import { SignalboxError } from '@signalbox/core';
import type { Ack, Alarm, Resume, TaskMessage, TaskRecord, TaskState } from '@signalbox/core';
import { limits } from './limits';
import type { Desk } from './model';
import { within } from './paths';

export interface Fact<T> {
  readonly path: string;
  readonly data: Uint8Array;
  readonly says: T;
}

/** What a directory holds of one task. */
export interface Task {
  readonly id: string;
  /** The messages that count, oldest first. */
  readonly messages: readonly Fact<TaskMessage>[];
  readonly acks: readonly Fact<Ack>[];
  readonly resumes: readonly Fact<Resume>[];
  readonly refused: readonly Fact<TaskMessage>[];
  readonly record: TaskRecord | undefined;
  readonly state: TaskState;
  readonly alarms: readonly Alarm[];
}

/** What a directory holds. */
export interface TaskFolder {
  readonly tasks: ReadonlyMap<string, Task>;
  /** Messages that break a rule and name no task. */
  readonly strays: readonly Fact<TaskMessage>[];
  /** Files in the folder of messages that are no JSON object. */
  readonly broken: readonly Fact<Broken>[];
  readonly notes: readonly string[];
}

/** Why a file cannot be read. */
export interface Broken {
  readonly rule: string;
  readonly reason: string;
}

type Said =
  | { readonly kind: 'broken'; readonly says: Broken }
  | { readonly kind: 'message'; readonly says: TaskMessage }
  | { readonly kind: 'ack'; readonly says: Ack }
  | { readonly kind: 'resume'; readonly says: Resume }
  | { readonly kind: 'task'; readonly says: TaskRecord };

/** The files of one task, before the core has judged them. */
class Gathered {
  readonly messages: Fact<TaskMessage>[] = [];
  readonly refused: Fact<TaskMessage>[] = [];
  readonly acks: Fact<Ack>[] = [];
  readonly resumes: Fact<Resume>[] = [];
  record: TaskRecord | undefined;
}

export async function readFolder(desk: Desk, folder: string, paths: readonly string[]): Promise<TaskFolder> {
  const tasks = new Map<string, Gathered>();
  const strays: Fact<TaskMessage>[] = [];
  const broken: Fact<Broken>[] = [];
  const notes: string[] = [];
  let left: number = limits.store;
  const of = (id: string): Gathered => {
    const known = tasks.get(id) ?? new Gathered();
    tasks.set(id, known);
    return known;
  };
  for (const path of paths) {
    const data = await desk.files.read(path, limits.envelope);
    if (!(data instanceof Uint8Array)) continue; // missing, or longer than any message
    if ((left -= data.length) < 0) {
      notes.push(desk.l10n.t('There are more tasks than a browser reads.'));
      break;
    }
    const said = await desk.memo.of(path, 'fact', () => factOf(desk, within(folder, path), data));
    if (said === undefined) continue;
    const { kind, says } = said;
    if (kind === 'broken') broken.push({ path, data, says });
    else if (kind === 'ack') of(taskOf(says.msgId)).acks.push({ path, data, says });
    else if (kind === 'resume') of(taskOf(says.msgId)).resumes.push({ path, data, says });
    else if (kind === 'task') of(says.taskId).record ??= says;
    else if (says.faults.length === 0) of(says.taskId).messages.push({ path, data, says });
    else if (taskForm.test(says.taskId)) of(says.taskId).refused.push({ path, data, says });
    else strays.push({ path, data, says });
  }
  const weighed = new Map<string, Task>();
  for (const [id, gathered] of tasks) {
    if (id !== '') weighed.set(id, await weigh(desk, folder, id, gathered));
  }
  return { tasks: weighed, strays, broken, notes };
}

const taskForm = /^T-\d{4}-\d{3,}$/;

/**
 * Returns what a file says, or undefined if it is not of AMP/1.0. As on the
 * desktop, a message may be anywhere; Signalbox's own records only count in their
 * folders.
 */
async function factOf({ calls }: Desk, name: string, data: Uint8Array): Promise<Said | undefined> {
  const start = data.subarray(0, limits.small);
  const { protocol, kind, certainty } = await calls.json('mail.detect', { name }, [start]);
  const home = name.slice(0, Math.max(0, name.indexOf('/')));
  const sure = home === 'messages';
  if (!sure && (protocol !== 'agn' || certainty !== 'content')) return undefined;
  try {
    if (sure || kind === 'message')
      return { kind: 'message', says: await calls.json('agn.message', {}, [data]) };
    if (kind === 'ack' && home === 'acks') return { kind, says: await calls.json('agn.ack', {}, [data]) };
    if (kind === 'resume' && home === 'resumes')
      return { kind, says: await calls.json('agn.resume', {}, [data]) };
    if (kind === 'task' && home === 'tasks')
      return { kind, says: await calls.json('agn.record', {}, [data]) };
  } catch (error) {
    // A broken record is ignored. Its diagnostics say why when the file is open.
    if (error instanceof SignalboxError && sure)
      return { kind: 'broken', says: { rule: error.rule, reason: error.message } };
  }
  return undefined;
}

/** Returns the task in a message id, which is made of type, task and time. */
export function taskOf(msgId: string): string {
  return /-(T-\d{4}-\d{3,})-\d+$/.exec(msgId)?.[1] ?? '';
}

async function weigh({ calls, now }: Desk, folder: string, id: string, gathered: Gathered): Promise<Task> {
  const { messages, conflicts } = chosen(folder, gathered.messages);
  const acks = first(gathered.acks);
  const resumes = first(gathered.resumes);
  messages.sort((a, b) => a.says.time.millis - b.says.time.millis || (a.says.id < b.says.id ? -1 : 1));
  const lengths = (facts: readonly Fact<unknown>[]): number[] => facts.map(({ data }) => data.length);
  const params = {
    taskId: id,
    now: now(),
    messages: lengths(messages),
    acks: lengths(acks),
    resumes: lengths(resumes),
  };
  const parts = [...messages, ...acks, ...resumes].map(({ data }) => data);
  const refused = [...gathered.refused, ...conflicts];
  const more = { ...params, refused: lengths(refused) };
  const state = await calls.json('agn.state', params, parts);
  const { alarms } = await calls.json('agn.alarms', more, [...parts, ...refused.map(({ data }) => data)]);
  return { id, messages, acks, resumes, refused, record: gathered.record, state, alarms };
}

/** Chooses among files with one id: the one in its own place, else the first by path. Others with other content are conflicts. */
function chosen(
  folder: string,
  facts: readonly Fact<TaskMessage>[],
): { messages: Fact<TaskMessage>[]; conflicts: Fact<TaskMessage>[] } {
  const byId = new Map<string, Fact<TaskMessage>>();
  for (const fact of facts) {
    const { id, taskId } = fact.says;
    const known = byId.get(id);
    if (known === undefined || fact.path === `${folder}/messages/${taskId}/${id}.json`) byId.set(id, fact);
  }
  const conflicts = facts.filter((fact) => {
    const message = byId.get(fact.says.id);
    return message !== undefined && message !== fact && !same(message.data, fact.data);
  });
  return { messages: [...byId.values()], conflicts };
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Returns the first of those about the same message. */
function first<T extends { readonly msgId: string }>(facts: readonly Fact<T>[]): Fact<T>[] {
  const byId = new Map<string, Fact<T>>();
  for (const fact of facts) if (!byId.has(fact.says.msgId)) byId.set(fact.says.msgId, fact);
  return [...byId.values()];
}
