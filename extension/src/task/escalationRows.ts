// The rows of escalations and tasks.

import * as vscode from 'vscode';
import { join } from '../fill';
import type { EscalationItem, Overdue, RejectedItem, TaskItem } from '../protocol';
import { refKey } from '../refs';
import { urgentRow } from '../inbox/rows';
import { rowItem, themeIcon } from '../views/rowItem';
import { rowLabel } from '../views/rowLabel';
import { age, exactTime, relativeTime } from '../when';
import { severityIcon, severityWords } from './severity';

/** Returns an escalation's label, marked if it is malformed. */
export function labelWords({ label, malformed }: EscalationItem): string {
  return malformed === true ? vscode.l10n.t('{0} (malformed)', label) : label;
}

/** Returns how severe an escalation is, and its label. */
export function escalationWords(escalation: EscalationItem): string {
  return `${severityWords(escalation.severity)}: ${labelWords(escalation)}`;
}

/** Returns the row of an escalation. Its icon shows how severe it is, or that it was acknowledged or closed. */
export function escalationItem(escalation: EscalationItem, now: number): vscode.TreeItem {
  const locale = vscode.env.language;
  const { severity, task, time, suspended, open, acked, late, answer, malformed, from } = escalation;
  const urgent = open && severity === 'critical' && acked === 0;
  const waiting =
    !open || suspended.length === 0 ? '' : vscode.l10n.t('suspended: {0}', suspended.join(', '));
  const overdue = open && late ? vscode.l10n.t('acknowledgement overdue') : '';
  const item = rowItem({
    id: refKey(escalation.ref),
    label: rowLabel(age(time, now, locale), from, labelWords(escalation)),
    title: escalationWords(escalation),
    facts: [overdue, waiting],
    spoken: [
      ...[escalation.title, task.title, vscode.l10n.t('from {0}', from), relativeTime(time, now, locale)],
      answer === undefined ? '' : vscode.l10n.t('answered'),
      open && acked > 0 ? vscode.l10n.t('acknowledged') : '',
    ],
    icon: !open ? themeIcon('check') : acked > 0 ? themeIcon('eye') : severityIcon(severity),
    context: contextOf(escalation),
    tooltip: [
      escalationWords(escalation),
      escalation.title,
      ...(malformed === true ? escalation.warnings.map(({ rule, message }) => `${rule}: ${message}`) : []),
      `${task.id} ${task.title}`,
      waiting,
      answer === undefined ? '' : vscode.l10n.t('Answered: {0}', answer.action),
      acked > 0 ? vscode.l10n.t('Acknowledged: {0}', exactTime(acked, locale)) : '',
      exactTime(time, locale),
    ],
  });
  if (urgent) item.resourceUri = urgentRow;
  return item;
}

/** Returns an escalation's context value. A malformed one has the menus of a rejected message: its file, and no answer. */
function contextOf({ malformed, task, open, acked }: EscalationItem): string {
  if (malformed === true) return `rejected.file${task.phase === '' ? '' : '.task'}`;
  return open ? `escalation.open.${acked > 0 ? 'acked' : 'new'}` : 'escalation.answered';
}

/** Returns what is overdue, in which task: "executor has not confirmed X", "executor silent 45m: X". */
export function overdueWords({ kind, label, since, title, who }: Overdue, now: number): string {
  if (kind === 'ack_timeout') return vscode.l10n.t('{0} has not confirmed {1}', who, title);
  if (kind === 'heartbeat_timeout')
    return vscode.l10n.t('{0} silent {1}: {2}', who, age(since, now, vscode.env.language), title);
  return vscode.l10n.t('{0}: {1}', label, title);
}

export function rejectedItem(rejected: RejectedItem, now: number): vscode.TreeItem {
  const locale = vscode.env.language;
  const { store, id, time, faults, source, taskId, path, logged } = rejected;
  const texts = faults.map(({ rule, field, reason }) => `${rule}: ${join([field, reason], ': ')}`);
  const more = faults.length > 1 ? vscode.l10n.t('{0} faults', faults.length) : '';
  const facts = [more, taskId, source];
  const title = texts[0] ?? source;
  const item = rowItem({
    id: `rejected ${JSON.stringify([store, source, id, time])}`,
    label: rowLabel(age(time, now, locale), '', title),
    title,
    facts,
    icon: themeIcon('circle-slash'),
    context: `rejected${path === '' ? '' : '.file'}${taskId === '' ? '' : '.task'}`,
    tooltip: [source, ...texts, logged ? vscode.l10n.t('errors.jsonl has it.') : '', exactTime(time, locale)],
  });
  const spoken = [vscode.l10n.t('Rejected'), ...texts, relativeTime(time, now, locale), ...facts];
  item.accessibilityInformation = { label: join(spoken, ', ') };
  return item;
}

const phaseIcons: Readonly<Record<string, string>> = {
  approved: 'pass',
  terminated: 'stop-circle',
  locked: 'lock',
  suspended: 'debug-pause',
  escalated: 'warning',
  rejected: 'close',
  'in review': 'eye',
  result: 'git-commit',
};

/** The user's name in tasks: whoever is asked to answer escalations. */
const admin = 'admin';

/** Returns whose turn it is in a task, and for what. */
function nextWords({ nextWho, nextDo }: TaskItem): string {
  return nextWho === admin ? vscode.l10n.t('waiting for your answer') : join([nextWho, nextDo], ': ');
}

/** Returns the label of a task's row: whose turn it is, and how long they were silent if that is too long. */
function taskLabel(task: TaskItem, when: string): string {
  const { nextWho: who, overdue, silent } = task;
  const title = `${task.id} ${task.title}`;
  if (who !== '' && silent) return vscode.l10n.t('{0} silent {1}: {2}', who, when, title);
  if (who !== '' && who !== admin && overdue > 0)
    return vscode.l10n.t('{0} has not confirmed {1}', who, title);
  return rowLabel(when, who === admin ? '' : who, title);
}

export function taskItem(task: TaskItem, now: number): vscode.TreeItem {
  const locale = vscode.env.language;
  const title = `${task.id} ${task.title}`;
  const next = nextWords(task);
  return rowItem({
    id: refKey(task.ref),
    title,
    label: taskLabel(task, age(task.lastTime, now, locale)),
    facts: [task.state],
    spoken: [next, relativeTime(task.lastTime, now, locale)],
    icon: themeIcon(phaseIcons[task.phase] ?? 'circle-outline'),
    context: 'task',
    tooltip: [
      title,
      task.state,
      next,
      join([task.repo, task.branch], ' · '),
      vscode.l10n.t('rejections: {0} of {1}', task.rejects, task.rejectLimit),
      exactTime(task.lastTime, locale),
    ],
  });
}
