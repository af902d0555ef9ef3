// The rows of the escalations tree.

import * as vscode from 'vscode';
import { join } from '../fill';
import type { EscalationItem, Overdue, RejectedItem, TaskItem } from '../protocol';
import { refKey } from '../refs';
import { moreItem, rowItem, themeIcon } from '../views/rowItem';
import { exactTime, relativeTime } from '../when';
import type { Alarms, EscalationNode, Folder } from './escalationsModel';
import { severityIcon, severityWords } from './severity';

export function escalationRow(node: EscalationNode, now: number): vscode.TreeItem {
  switch (node.kind) {
    case 'escalation':
      return opening(escalationItem(node.escalation, now));
    case 'overdue':
      return opening(overdueItem(node.overdue, now));
    case 'rejected':
      return opening(rejectedItem(node.rejected, now));
    case 'task':
      return opening(taskItem(node.task, now));
    case 'folder':
      return folderItem(node.folder, node.count);
    case 'more':
      return moreItem(`more ${node.list}`, 'signalbox.loadMoreEscalations', node.list);
  }
}

function opening(item: vscode.TreeItem): vscode.TreeItem {
  // Without arguments: VS Code forgets the arguments of a row when the list is
  // redrawn, and a click at that moment would do nothing.
  item.command = { command: 'signalbox.openSelectedEscalation', title: vscode.l10n.t('Open') };
  return item;
}

/** Counts what is critical and what is overdue. What there is none of is an empty text. */
export function alarmWords({ critical, overdue }: Alarms): readonly string[] {
  return [
    critical > 0 ? vscode.l10n.t('critical escalations: {0}', critical) : '',
    overdue > 0 ? vscode.l10n.t('overdue: {0}', overdue) : '',
  ];
}

/** Returns an escalation's label, marked if it is malformed. */
export function labelWords({ label, malformed }: EscalationItem): string {
  return malformed === true ? vscode.l10n.t('{0} (malformed)', label) : label;
}

function escalationItem(escalation: EscalationItem, now: number): vscode.TreeItem {
  const locale = vscode.env.language;
  const { severity, task, time, suspended, open, acked, late, answer, malformed } = escalation;
  const title = `${severityWords(severity)}: ${labelWords(escalation)}`;
  const waiting =
    !open || suspended.length === 0 ? '' : vscode.l10n.t('suspended: {0}', suspended.join(', '));
  return rowItem({
    id: refKey(escalation.ref),
    title,
    facts: [
      task.id,
      answer === undefined ? '' : vscode.l10n.t('answered'),
      open && acked > 0 ? vscode.l10n.t('acknowledged') : '',
      open && late ? vscode.l10n.t('ACK overdue') : '',
      relativeTime(time, now, locale),
      waiting,
    ],
    spoken: [escalation.title],
    icon: open ? severityIcon(severity) : themeIcon('check'),
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
}

/** Returns an escalation's context value. A malformed one has the menus of a rejected message: its file, and no answer. */
function contextOf({ malformed, task, open, acked }: EscalationItem): string {
  if (malformed === true) return `rejected.file${task.phase === '' ? '' : '.task'}`;
  return open ? `escalation.open.${acked > 0 ? 'acked' : 'new'}` : 'escalation.answered';
}

function overdueItem(overdue: Overdue, now: number): vscode.TreeItem {
  const locale = vscode.env.language;
  const { kind, ref, label, text, taskId, who, since } = overdue;
  return rowItem({
    id: `overdue ${kind} ${refKey(ref)}`,
    title: label,
    facts: [taskId, who, vscode.l10n.t('since {0}', relativeTime(since, now, locale))],
    spoken: [text],
    icon: themeIcon('watch', 'problemsWarningIcon.foreground'),
    context: 'overdue',
    tooltip: [label, text, taskId, exactTime(since, locale)],
  });
}

function rejectedItem(rejected: RejectedItem, now: number): vscode.TreeItem {
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

function taskItem(task: TaskItem, now: number): vscode.TreeItem {
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

function folderItem(folder: Folder, count: number): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const titles = {
    overdue: vscode.l10n.t('Overdue ({0})', count),
    rejected: vscode.l10n.t('Rejected ({0})', count),
    answered: vscode.l10n.t('Answered ({0})', count),
    tasks: vscode.l10n.t('Tasks ({0})', count),
  };
  const item = new vscode.TreeItem(titles[folder], folder === 'overdue' ? Expanded : Collapsed);
  item.id = `folder ${folder}`;
  item.contextValue = 'folder';
  return item;
}
