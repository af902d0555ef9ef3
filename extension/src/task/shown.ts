// What the task page shows, made from the server's answers.

import * as vscode from 'vscode';
import { browserPlace } from '../places';
import { labelWords } from './escalationRows';
import { severityWords } from './severity';
import type { Ref, Status } from '../protocol';
import type { TaskEscalations } from './fetch';
import type { Able, ShownTask } from './messages';
import { answerable, whyReadOnly, type TaskState } from './model';

/** Returns everything the page shows of a task, or of one of its escalations. */
export function shownTask(
  ref: Ref,
  state: TaskState,
  { escalation, all, overdue }: TaskEscalations,
  status: Status | undefined,
): ShownTask {
  const { task, timeline, before, text, rejected, warnings } = state;
  const target = answerable(escalation, overdue);
  const done =
    escalation === undefined || escalation.acked > 0 || !escalation.open || escalation.malformed === true;
  return {
    type: 'task',
    ref,
    task,
    escalation,
    others: all
      .filter((other) => other !== escalation)
      .map((other) => ({
        ref: other.ref,
        label: labelWords(other),
        severity: other.severity,
        open: other.open,
      })),
    timeline,
    older: before !== undefined,
    text,
    rejected,
    overdue,
    warnings: [...(escalation?.warnings ?? []), ...warnings],
    answer: target === undefined ? undefined : ableToWrite(status, target),
    acknowledge: done ? undefined : ableToWrite(status, escalation.ref),
  };
}

export function titleOf({ task, escalation }: Pick<ShownTask, 'task' | 'escalation'>): string {
  return escalation === undefined
    ? `${task.id} ${task.title}`
    : `${severityWords(escalation.severity)}: ${labelWords(escalation)} · ${task.id}`;
}

function ableToWrite(status: Status | undefined, ref: Ref): Able {
  switch (whyReadOnly(status, ref)) {
    case undefined:
      return { can: true, reason: '' };
    case 'stopped':
      return { can: false, reason: vscode.l10n.t('The server is not running.') };
    case 'untrusted':
      return {
        can: false,
        reason:
          browserPlace()?.readOnly() ?? vscode.l10n.t('This workspace is not trusted: Signalbox only reads.'),
      };
    case 'notWritable': {
      const path = status?.ssots.find(({ store }) => store === ref.store)?.path ?? '';
      return { can: false, reason: vscode.l10n.t('{0} cannot be written to.', path) };
    }
  }
}
