// The rows of escalations and tasks, and what hovers find of tasks.

import type { TaskMessage } from '@signalbox/core';
import type { EscalationSeverity } from '../protocol';
import {
  gravestFirst,
  newestFirst,
  reasonOf,
  severities,
  type AlarmRow,
  type Desk,
  type RejectedRow,
  type Target,
  type TaskRow,
  type Tasks,
} from './model';
import { nameOf } from './paths';
import { Prose } from './prose';
import { readFolder, type Broken, type Fact, type Task } from './tasks';

/** Returns the rows of escalations and tasks, and what hovers find of tasks. */
export async function taskRows(
  desk: Desk,
  folders: ReadonlyMap<string, readonly string[]>,
): Promise<{ tasks: Tasks; tokens: (readonly [string, Target])[] }> {
  const rows = new Rows(desk);
  const notes: string[] = [];
  for (const [folder, paths] of folders) {
    try {
      const read = await readFolder(desk, folder, paths);
      notes.push(...read.notes);
      for (const task of read.tasks.values()) await rows.add(folder, task);
      for (const stray of read.strays) {
        await rows.refuse(folder, stray, undefined);
        await rows.alarm(folder, stray, undefined);
      }
      for (const { path, says } of read.broken) await rows.broken(path, says);
    } catch (error) {
      notes.push(reasonOf(error));
    }
  }
  const { open, overdue, rejected, tasks, tokens } = rows;
  const sortedRows = {
    open: open.sort(gravestFirst),
    overdue: overdue.sort(gravestFirst),
    tasks: tasks.sort(newestFirst),
  };
  return { tasks: { folders: [...folders.keys()], ...sortedRows, rejected, notes }, tokens };
}

class Rows {
  readonly open: AlarmRow[] = [];
  readonly overdue: AlarmRow[] = [];
  readonly rejected: RejectedRow[] = [];
  readonly tasks: TaskRow[] = [];
  readonly tokens: (readonly [string, Target])[] = [];
  readonly #desk: Desk;
  readonly #prose: Prose;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#prose = new Prose(desk.calls);
  }

  async add(folder: string, task: Task): Promise<void> {
    const key = { kind: 'task', folder, id: task.id } as const;
    const { state } = task;
    this.tokens.push([task.id, { key, message: '' }]);
    for (const { says, path } of task.messages) {
      this.tokens.push([says.id, { key, message: says.id }]);
      if (says.payload.escalation === undefined || !state.open.includes(says.id)) continue;
      const { severity, description } = says.payload.escalation;
      const suspended = await this.#prose.line(state.suspended.join(', '), 80);
      this.open.push({
        key: { kind: 'escalation', folder, id: says.id },
        severity: severityOf(severity),
        title: await this.#prose.line(description),
        taskId: task.id,
        facts: [task.id, suspended === '' ? '' : this.#desk.l10n.t('suspended: {0}', suspended)],
        time: says.time.millis,
        file: path,
      });
    }
    for (const alarm of task.alarms) {
      this.overdue.push({
        key,
        severity: severityOf(alarm.severity),
        title: await this.#prose.line(alarm.description),
        taskId: task.id,
        facts: [task.id],
        time: alarm.since,
        file: task.messages.find(({ says }) => says.id === alarm.msgId)?.path ?? '',
      });
    }
    for (const fact of task.refused) {
      await this.refuse(folder, fact, task.id);
      await this.alarm(folder, fact, task);
    }
    if (task.messages.length === 0 && task.record === undefined) return;
    this.tasks.push({
      key,
      title: task.id,
      facts: [await this.#titleOf(task), state.phase],
      time: state.lastWrite,
    });
  }

  async refuse(folder: string, { says, path }: Fact<TaskMessage>, taskId: string | undefined): Promise<void> {
    const [fault] = says.faults;
    this.rejected.push({
      key: taskId === undefined ? undefined : { kind: 'task', folder, id: taskId },
      title: (await this.#prose.line(says.id)) || this.#desk.files.label(path),
      rule: fault?.rule ?? 'E1',
      reason:
        fault === undefined
          ? this.#desk.l10n.t('another message has this id but different content')
          : await this.#prose.line(fault.reason, 300),
      file: path,
    });
  }

  /** Adds a malformed escalation, unless a valid message says the same. Its row opens its file: nobody can answer it. */
  async alarm(folder: string, { says, path }: Fact<TaskMessage>, known: Task | undefined): Promise<void> {
    const distress = says.faults.length === 0 ? says.payload.escalation : says.distress;
    const said = known?.messages.some(
      ({ says: { id, payload } }) =>
        id === says.id && payload.escalation?.description === distress?.description,
    );
    if (distress === undefined || said === true) return;
    const description = await this.#prose.line(distress.description);
    const task = await this.#prose.line(says.taskId, 80);
    this.open.push({
      key: { kind: 'task', folder, id: task },
      malformed: true,
      severity: severityOf(distress.severity),
      title: description || this.#desk.l10n.t('Its description cannot be read.'),
      taskId: task,
      facts: [this.#desk.l10n.t('malformed'), task],
      time: says.time.millis,
      file: path,
    });
  }

  async broken(path: string, { rule, reason }: Broken): Promise<void> {
    const title = await this.#prose.line(nameOf(path));
    this.rejected.push({
      key: undefined,
      title,
      rule,
      reason: await this.#prose.line(reason, 300),
      file: path,
    });
  }

  #titleOf(task: Task): Promise<string> {
    const dispatch = task.messages.find(({ says }) => says.payload.dispatch !== undefined);
    return this.#prose.line(task.record?.title ?? dispatch?.says.payload.dispatch?.description ?? '', 80);
  }
}

/** Returns a severity, or the mildest for an unknown word. */
export function severityOf(text: string): EscalationSeverity {
  return severities.find((severity) => severity === text) ?? 'info';
}
