// The rows of escalations and tasks.

import * as vscode from 'vscode';
import { join } from '../fill';
import type { EscalationItem, Overdue, RejectedItem, TaskItem } from '../protocol';
import { refKey } from '../refs';
import { urgentRow } from '../inbox/rows';
import { rowItem, themeIcon } from '../views/rowItem';
import { shortened, shortName, taken } from '../views/shorten';
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

/** Returns the row of an escalation. */
export function escalationItem(escalation: EscalationItem, now: number): vscode.TreeItem {
  const locale = vscode.env.language;
  const { severity, task, time, suspended, open, acked, late, answer, malformed, from } = escalation;
  const urgent = open && severity === 'critical' && acked === 0;
  const title = escalationWords(escalation);
  const who = [shortName(from), age(time, now, locale)];
  const waiting =
    !open || suspended.length === 0 ? '' : vscode.l10n.t('suspended: {0}', suspended.join(', '));
  const item = rowItem({
    id: refKey(escalation.ref),
    title,
    label: shortened(title, who, urgent ? taken.sign : 0),
    facts: [
      ...who,
      answer === undefined ? '' : vscode.l10n.t('answered'),
      open && acked > 0 ? vscode.l10n.t('acknowledged') : '',
      open && late ? vscode.l10n.t('ACK overdue') : '',
      waiting,
    ],
    spoken: [escalation.title, task.title],
    icon: !open ? themeIcon('check') : acked > 0 ? themeIcon('eye') : severityIcon(severity),
    context: contextOf(escalation),
    tooltip: [
      title,
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

/** Returns what is overdue, in which task. */
export function overdueWords({ label, title }: Overdue): string {
  return vscode.l10n.t('{0}: {1}', label, title);
}

/** Returns the row of what is overdue. */
export function overdueItem(overdue: Overdue, now: number): vscode.TreeItem {
  const locale = vscode.env.language;
  const { more = 0, task, text, taskId, since } = overdue;
  const who = [shortName(overdue.who), age(since, now, locale)];
  const title = overdueWords(overdue);
  const others = more === 0 ? '' : vscode.l10n.t('and {0} more', more);
  return rowItem({
    id: `overdue ${refKey(task)}`,
    title,
    label: shortened(title, who),
    facts: [...who, others],
    icon: themeIcon('watch', 'problemsWarningIcon.foreground'),
    context: 'overdue',
    tooltip: [title, text, others, taskId, exactTime(since, locale)],
  });
}

export function rejectedItem(rejected: RejectedItem, now: number): vscode.TreeItem {
  const locale = vscode.env.language;
  const { store, id, time, faults, source, taskId, path, logged } = rejected;
  const said = faults.map(({ rule, field, reason }) => `${rule}: ${join([field, reason], ': ')}`);
  const more = faults.length > 1 ? vscode.l10n.t('{0} faults', faults.length) : '';
  const facts = [more, taskId, relativeTime(time, now, locale), source];
  const item = rowItem({
    id: `rejected ${JSON.stringify([store, source, id, time])}`,
    title: said[0] ?? source,
    facts,
    icon: themeIcon('circle-slash'),
    context: `rejected${path === '' ? '' : '.file'}${taskId === '' ? '' : '.task'}`,
    tooltip: [source, ...said, logged ? vscode.l10n.t('errors.jsonl has it.') : '', exactTime(time, locale)],
  });
  item.accessibilityInformation = { label: join([vscode.l10n.t('Rejected'), ...said, ...facts], ', ') };
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

export function taskItem(task: TaskItem, now: number): vscode.TreeItem {
  const locale = vscode.env.language;
  const title = `${task.id} ${task.title}`;
  const next = join([task.nextWho, task.nextDo], ': ');
  return rowItem({
    id: refKey(task.ref),
    title,
    facts: [task.state, next, relativeTime(task.lastTime, now, locale)],
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
