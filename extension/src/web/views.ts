// The two trees: threads by folder, and escalations. Their ids are those of the
// desktop's views, and what cannot be done here is said above them.

import * as vscode from 'vscode';
import { exactTime, relativeTime } from '../when';
import type { Mailroom } from './mailroom';
import type { AlarmRow, Group, Key, RejectedRow, Severity, TaskRow, ThreadRow } from './model';
import { appendLines } from '../tooltips';

/** A row of either tree. */
export type Node =
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'thread'; readonly row: ThreadRow }
  | { readonly kind: 'alarm'; readonly row: AlarmRow }
  | { readonly kind: 'rejected'; readonly row: RejectedRow }
  | { readonly kind: 'task'; readonly row: TaskRow }
  | {
      readonly kind: 'folder';
      readonly folder: 'overdue' | 'rejected' | 'tasks';
      readonly nodes: readonly Node[];
    }
  | { readonly kind: 'note'; readonly text: string };

/** The key of what a row opens, or undefined. */
export function keyOf(node: Node): Key | undefined {
  switch (node.kind) {
    case 'thread':
    case 'alarm':
    case 'rejected':
    case 'task':
      return node.row.key;
    case 'group':
    case 'folder':
    case 'note':
      return undefined;
  }
}

/** One of the two trees. */
export class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #mailroom: Mailroom;
  readonly #roots: () => Promise<readonly Node[]>;
  readonly #emitter = new vscode.EventEmitter<undefined>();
  readonly #heard: vscode.Disposable;

  readonly onDidChangeTreeData = this.#emitter.event;

  constructor(mailroom: Mailroom, roots: () => Promise<readonly Node[]>) {
    this.#mailroom = mailroom;
    this.#roots = roots;
    this.#heard = mailroom.onDidChange(() => {
      this.#emitter.fire(undefined);
    });
  }

  dispose(): void {
    this.#heard.dispose();
    this.#emitter.dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) {
      try {
        return [...(await this.#roots())];
      } catch {
        return []; // the welcome text says why
      } finally {
        await setContexts(this.#mailroom);
      }
    }
    if (node.kind === 'group')
      return [
        ...node.group.threads.map((row): Node => ({ kind: 'thread', row })),
        ...node.group.notes.map((text): Node => ({ kind: 'note', text })),
      ];
    return node.kind === 'folder' ? [...node.nodes] : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return itemOf(node, Date.now());
  }
}

/** Tells the welcome texts what to say. */
async function setContexts(mailroom: Mailroom): Promise<void> {
  const { last, state } = mailroom;
  const inbox = state === 'shown' && last?.groups.length === 0 ? 'nothing' : state;
  const folders = last?.tasks.folders.length ?? 0;
  const tasks = state === 'shown' ? (folders === 0 ? 'noSsot' : 'nothing') : state;
  await vscode.commands.executeCommand('setContext', 'signalbox.webInbox', inbox);
  await vscode.commands.executeCommand('setContext', 'signalbox.webTasks', tasks);
}

/** The rows at the top of the inbox. */
export async function inboxRoots(mailroom: Mailroom): Promise<readonly Node[]> {
  const { groups } = await mailroom.look();
  return groups.map((group) => ({ kind: 'group', group }));
}

/** The rows at the top of the tree of escalations. */
export async function escalationRoots(mailroom: Mailroom): Promise<readonly Node[]> {
  const { tasks } = await mailroom.look();
  const folders: Node[] = [
    { kind: 'folder', folder: 'overdue', nodes: tasks.overdue.map((row) => ({ kind: 'alarm', row })) },
    { kind: 'folder', folder: 'rejected', nodes: tasks.rejected.map((row) => ({ kind: 'rejected', row })) },
    { kind: 'folder', folder: 'tasks', nodes: tasks.tasks.map((row) => ({ kind: 'task', row })) },
  ];
  return [
    ...tasks.open.map((row): Node => ({ kind: 'alarm', row })),
    ...tasks.notes.map((text): Node => ({ kind: 'note', text })),
    ...folders.filter((node) => node.kind === 'folder' && node.nodes.length > 0),
  ];
}

/**
 * What rows are called in the conditions of the manifest's menus, so that
 * opening and copying are offered, and answering and marking are not. Those of
 * tasks begin as on the desktop and end in another way.
 */
const contexts = {
  thread: 'web.thread',
  escalation: 'escalation.web',
  overdue: 'overdue.web',
  task: 'task.web',
  rejected: 'rejected.web.file',
  rejectedOfTask: 'rejected.web.task.file',
} as const;

function itemOf(node: Node, now: number): vscode.TreeItem {
  switch (node.kind) {
    case 'group':
      return groupItem(node.group);
    case 'thread':
      return rowItem(node.row, now, threadIcon(node.row), contexts.thread, node.row.fault);
    case 'alarm': {
      const { row } = node;
      const item = rowItem(
        row,
        now,
        severityIcon(row.severity),
        row.key.kind === 'escalation' ? contexts.escalation : contexts.overdue,
        '',
      );
      const severity = severityWord(row.severity);
      item.description = [severity, item.description].join(' · ');
      item.accessibilityInformation = { label: [row.title, item.description].join(', ') };
      return row.malformed === true ? leadingToFile(item, row) : item;
    }
    case 'rejected':
      return rejectedItem(node.row);
    case 'task':
      return rowItem(node.row, now, new vscode.ThemeIcon('git-commit'), contexts.task, '');
    case 'folder':
      return folderItem(node.folder, node.nodes.length);
    case 'note': {
      const item = new vscode.TreeItem(node.text);
      item.iconPath = new vscode.ThemeIcon('info');
      item.tooltip = node.text;
      return item;
    }
  }
}

function groupItem({ title, format, threads, notes }: Group): vscode.TreeItem {
  const formats = {
    atsf: vscode.l10n.t("Agents' threads"),
    samp: vscode.l10n.t('Message logs'),
    amp: vscode.l10n.t('Signed mail'),
  };
  const icons = { atsf: 'git-branch', samp: 'mail', amp: 'mail' };
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Expanded);
  item.description = [formats[format], String(threads.length)].join(' · ');
  item.iconPath = new vscode.ThemeIcon(icons[format]);
  item.tooltip = plain([title, formats[format], ...notes]);
  return item;
}

function rowItem(
  row: ThreadRow | AlarmRow | TaskRow,
  now: number,
  icon: vscode.ThemeIcon,
  context: string,
  fault: string,
): vscode.TreeItem {
  const locale = vscode.env.language;
  const item = new vscode.TreeItem(row.title);
  item.id = JSON.stringify([context, row.key, row.title, row.time]);
  const time = row.time > 0 ? relativeTime(row.time, now, locale) : '';
  const said = [time, ...row.facts].filter((fact) => fact !== '');
  item.description = said.join(' · ');
  item.iconPath = icon;
  item.contextValue = context;
  item.tooltip = plain([row.title, ...row.facts, row.time > 0 ? exactTime(row.time, locale) : '', fault]);
  item.accessibilityInformation = {
    label: [row.title, ...said, fault].filter((part) => part !== '').join(', '),
  };
  item.command = { command: 'signalbox.web.open', title: vscode.l10n.t('Open'), arguments: [row.key] };
  return item;
}

function rejectedItem({ title, rule, reason, file, key }: RejectedRow): vscode.TreeItem {
  const item = new vscode.TreeItem(title);
  item.description = `${rule}: ${reason}`;
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  item.contextValue = key === undefined ? contexts.rejected : contexts.rejectedOfTask;
  item.tooltip = plain([title, `${rule}: ${reason}`]);
  item.accessibilityInformation = { label: `${vscode.l10n.t('Rejected')}, ${title}, ${rule}: ${reason}` };
  item.command = {
    command: 'signalbox.web.openFile',
    title: vscode.l10n.t('Open File'),
    arguments: [file, key],
  };
  return item;
}

/** A malformed escalation is read in its file, which has to be mended. */
function leadingToFile(item: vscode.TreeItem, { file, key }: AlarmRow): vscode.TreeItem {
  item.id = `malformed ${file}`;
  item.contextValue = contexts.rejected;
  item.command = {
    command: 'signalbox.web.openFile',
    title: vscode.l10n.t('Open File'),
    arguments: [file, key],
  };
  return item;
}

function folderItem(folder: 'overdue' | 'rejected' | 'tasks', count: number): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const names = {
    overdue: vscode.l10n.t('Overdue'),
    rejected: vscode.l10n.t('Rejected'),
    tasks: vscode.l10n.t('Tasks'),
  };
  const item = new vscode.TreeItem(names[folder], folder === 'overdue' ? Expanded : Collapsed);
  item.id = `web.${folder}`;
  item.description = String(count);
  return item;
}

function threadIcon({ fault, key }: ThreadRow): vscode.ThemeIcon {
  if (fault !== '') return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  return new vscode.ThemeIcon(key.kind === 'atsf' ? 'comment-discussion' : 'mail');
}

function severityIcon(severity: Severity): vscode.ThemeIcon {
  switch (severity) {
    case 'critical':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'warning':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case 'info':
      return new vscode.ThemeIcon('info');
  }
}

function severityWord(severity: Severity): string {
  const words = {
    critical: vscode.l10n.t('Critical'),
    warning: vscode.l10n.t('Warning'),
    info: vscode.l10n.t('Info'),
  };
  return words[severity];
}

/** Lines of text, none of which is markup. */
function plain(lines: readonly string[]): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString('');
  appendLines(tooltip, lines);
  return tooltip;
}
