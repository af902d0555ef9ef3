// The rows of the escalations tree. Everything a message says goes in as text:
// appendLines escapes all markup.

import { refKey } from '../refs';
import * as vscode from 'vscode';
import { severityTable } from './words';
import type { EscalationNode, Folder, PagedList } from './escalationsModel';
import {
  type EscalationItem,
  type Overdue,
  type RejectedItem,
  type EscalationSeverity,
  type TaskItem,
} from '../protocol';
import { appendLines } from '../tooltips';
import { exactTime, relativeTime } from '../when';

/** What a row of the tree looks like. */
export function escalationRow(node: EscalationNode, now: number): vscode.TreeItem {
  const item = itemOf(node, now);
  if (node.kind !== 'folder' && node.kind !== 'more') {
    // Without arguments: VS Code forgets those of a row as soon as the list is
    // renewed, and a click at that moment would do nothing.
    item.command = { command: 'signalbox.openSelectedEscalation', title: vscode.l10n.t('Open') };
  }
  return item;
}

function itemOf(node: EscalationNode, now: number): vscode.TreeItem {
  switch (node.kind) {
    case 'escalation':
      return escalationItem(node.escalation, now);
    case 'overdue':
      return overdueItem(node.overdue, now);
    case 'rejected':
      return rejectedItem(node.rejected, now);
    case 'task':
      return taskItem(node.task, now);
    case 'folder':
      return folderItem(node.folder, node.count);
    case 'more':
      return moreItem(node.list);
  }
}

/** Returns a severity in words. */
export function severityWords(severity: EscalationSeverity): string {
  return severityTable(vscode.l10n.t)[severity];
}

/** What an escalation is about in words, and whether it is malformed. */
export function labelWords({ label, malformed }: EscalationItem): string {
  return malformed === true ? vscode.l10n.t('{0} (malformed)', label) : label;
}

function severityIcon(severity: EscalationSeverity): vscode.ThemeIcon {
  switch (severity) {
    case 'critical':
      return icon('error', 'problemsErrorIcon.foreground');
    case 'warning':
      return icon('warning', 'problemsWarningIcon.foreground');
    case 'info':
      return icon('info', 'problemsInfoIcon.foreground');
  }
}

function icon(id: string, color?: string): vscode.ThemeIcon {
  return color === undefined
    ? new vscode.ThemeIcon(id)
    : new vscode.ThemeIcon(id, new vscode.ThemeColor(color));
}

function escalationItem(escalation: EscalationItem, now: number): vscode.TreeItem {
  const locale = vscode.env.language;
  const { severity, task, time, suspended, open, acked, late, answer, malformed } = escalation;
  const title = `${severityWords(severity)}: ${labelWords(escalation)}`;
  const item = new vscode.TreeItem(title);
  item.id = refKey(escalation.ref);
  const marks = [
    answer === undefined ? '' : vscode.l10n.t('answered'),
    open && acked > 0 ? vscode.l10n.t('acknowledged') : '',
    open && late ? vscode.l10n.t('ACK overdue') : '',
  ];
  const waiting =
    !open || suspended.length === 0 ? '' : vscode.l10n.t('suspended: {0}', suspended.join(', '));
  const facts = [task.id, ...marks, relativeTime(time, now, locale), waiting].filter((fact) => fact !== '');
  item.description = facts.join(' · ');
  item.iconPath = open ? severityIcon(severity) : icon('check');
  // A malformed one has the menus of what was rejected: its file, and not an answer.
  if (malformed === true) item.contextValue = `rejected.file${task.phase === '' ? '' : '.task'}`;
  else item.contextValue = open ? `escalation.open.${acked > 0 ? 'acked' : 'new'}` : 'escalation.answered';
  const tooltip = new vscode.MarkdownString();
  appendLines(tooltip, [
    title,
    escalation.title,
    ...(malformed === true ? escalation.warnings.map(({ rule, message }) => `${rule}: ${message}`) : []),
    `${task.id} ${task.title}`,
    waiting,
    answer === undefined ? '' : vscode.l10n.t('Answered: {0}', answer.action),
    acked > 0 ? vscode.l10n.t('Acknowledged: {0}', exactTime(acked, locale)) : '',
    exactTime(time, locale),
  ]);
  item.tooltip = tooltip;
  item.accessibilityInformation = {
    label: [title, escalation.title, ...facts].join(', '),
  };
  return item;
}

function overdueItem(overdue: Overdue, now: number): vscode.TreeItem {
  const locale = vscode.env.language;
  const item = new vscode.TreeItem(overdue.label);
  item.id = `overdue ${overdue.kind} ${refKey(overdue.ref)}`;
  const since = vscode.l10n.t('since {0}', relativeTime(overdue.since, now, locale));
  const facts = [overdue.taskId, overdue.who, since].filter((fact) => fact !== '');
  item.description = facts.join(' · ');
  item.iconPath = icon('watch', 'problemsWarningIcon.foreground');
  item.contextValue = 'overdue';
  const tooltip = new vscode.MarkdownString();
  appendLines(tooltip, [overdue.label, overdue.text, overdue.taskId, exactTime(overdue.since, locale)]);
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: [overdue.label, overdue.text, ...facts].join(', ') };
  return item;
}

function rejectedItem(rejected: RejectedItem, now: number): vscode.TreeItem {
  const locale = vscode.env.language;
  const { faults, source, taskId, path } = rejected;
  const said = faults.map(
    ({ rule, field, reason }) => `${rule}: ${[field, reason].filter((part) => part !== '').join(': ')}`,
  );
  const item = new vscode.TreeItem(said[0] ?? source);
  item.id = `rejected ${JSON.stringify([rejected.store, source, rejected.id, rejected.time])}`;
  const more = faults.length > 1 ? vscode.l10n.t('{0} faults', faults.length) : '';
  const facts = [more, taskId, relativeTime(rejected.time, now, locale), source].filter(
    (fact) => fact !== '',
  );
  item.description = facts.join(' · ');
  item.iconPath = icon('circle-slash');
  item.contextValue = `rejected${path === '' ? '' : '.file'}${taskId === '' ? '' : '.task'}`;
  const tooltip = new vscode.MarkdownString();
  appendLines(tooltip, [
    source,
    ...said,
    rejected.logged ? vscode.l10n.t('errors.jsonl has it.') : '',
    exactTime(rejected.time, locale),
  ]);
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: [vscode.l10n.t('Rejected'), ...said, ...facts].join(', ') };
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
  const item = new vscode.TreeItem(`${task.id} ${task.title}`);
  item.id = refKey(task.ref);
  const next = [task.nextWho, task.nextDo].filter((part) => part !== '').join(': ');
  const facts = [task.state, next, relativeTime(task.lastTime, now, locale)].filter((fact) => fact !== '');
  item.description = facts.join(' · ');
  item.iconPath = icon(phaseIcons[task.phase] ?? 'circle-outline');
  item.contextValue = 'task';
  const tooltip = new vscode.MarkdownString();
  appendLines(tooltip, [
    `${task.id} ${task.title}`,
    task.state,
    next,
    [task.repo, task.branch].filter((part) => part !== '').join(' · '),
    vscode.l10n.t('rejections: {0} of {1}', task.rejects, task.rejectLimit),
    exactTime(task.lastTime, locale),
  ]);
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: [`${task.id} ${task.title}`, ...facts].join(', ') };
  return item;
}

function folderItem(folder: Folder, count: number): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(folderWords(folder, count), folder === 'overdue' ? Expanded : Collapsed);
  item.id = `folder ${folder}`;
  item.contextValue = 'folder';
  return item;
}

function folderWords(folder: Folder, count: number): string {
  switch (folder) {
    case 'overdue':
      return vscode.l10n.t('Overdue ({0})', count);
    case 'rejected':
      return vscode.l10n.t('Rejected ({0})', count);
    case 'answered':
      return vscode.l10n.t('Answered ({0})', count);
    case 'tasks':
      return vscode.l10n.t('Tasks ({0})', count);
  }
}

function moreItem(list: PagedList): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Load more…'));
  item.id = `more ${list}`;
  item.command = {
    command: 'signalbox.loadMoreEscalations',
    title: vscode.l10n.t('Load more…'),
    arguments: [list],
  };
  item.contextValue = 'more';
  item.iconPath = icon('ellipsis');
  return item;
}
