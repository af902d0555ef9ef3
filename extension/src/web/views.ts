// The two trees: threads by folder, and the tasks' part of "Needs You". They have the ids of the
// desktop's views.

import * as vscode from 'vscode';
import { exactTime, relativeTime } from '../when';
import type { Mailroom } from './mailroom';
import type { AlarmRow, Group, Key, RejectedRow, TaskRow, ThreadRow } from './model';
import { join } from '../fill';
import { Registrations } from '../registrations';
import { severityIcon, severityWords } from '../task/severity';
import { appendLines } from '../strangers';
import { rowItem, themeIcon } from '../views/rowItem';

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

/** Returns the key of what a row opens, or undefined. */
export function keyOf(node: Node): Key | undefined {
  return 'row' in node ? node.row.key : undefined;
}

export class Tree extends Registrations implements vscode.TreeDataProvider<Node> {
  readonly #mailroom: Mailroom;
  readonly #roots: () => Promise<readonly Node[]>;
  readonly #emitter = new vscode.EventEmitter<undefined>();

  readonly onDidChangeTreeData = this.#emitter.event;

  constructor(mailroom: Mailroom, roots: () => Promise<readonly Node[]>) {
    super();
    this.#mailroom = mailroom;
    this.#roots = roots;
    this.register(
      this.#emitter,
      mailroom.onDidChange(() => this.#emitter.fire(undefined)),
    );
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) {
      try {
        return [...(await this.#roots())];
      } catch {
        return []; // the welcome text gives the reason
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

/** Sets the context keys of the welcome texts. */
async function setContexts(mailroom: Mailroom): Promise<void> {
  const { last, state } = mailroom;
  const inbox = state === 'shown' && last?.groups.length === 0 ? 'nothing' : state;
  const tasks = state === 'shown' ? 'nothing' : state;
  await vscode.commands.executeCommand('setContext', 'signalbox.webInbox', inbox);
  await vscode.commands.executeCommand('setContext', 'signalbox.webTasks', tasks);
}

export async function inboxRoots(mailroom: Mailroom): Promise<readonly Node[]> {
  const { groups } = await mailroom.look();
  return groups.map((group) => ({ kind: 'group', group }));
}

export async function needRoots(mailroom: Mailroom): Promise<readonly Node[]> {
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
 * The context values of rows. With these the manifest's menus offer opening and
 * copying, and neither answering nor marking.
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
    case 'thread': {
      const { row } = node;
      return openingItem(row, now, threadIcon(row), contexts.thread, [], row.fault);
    }
    case 'alarm': {
      const { row } = node;
      const context = row.key.kind === 'escalation' ? contexts.escalation : contexts.overdue;
      const severity = severityWords(row.severity);
      const item = openingItem(row, now, severityIcon(row.severity), context, [severity]);
      return row.malformed === true ? leadingToFile(item, row) : item;
    }
    case 'rejected':
      return rejectedItem(node.row);
    case 'task':
      return openingItem(node.row, now, themeIcon('git-commit'), contexts.task);
    case 'folder':
      return folderItem(node.folder, node.nodes.length);
    case 'note': {
      const item = new vscode.TreeItem(node.text);
      item.iconPath = themeIcon('info');
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
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Expanded);
  item.description = `${formats[format]} · ${threads.length}`;
  item.iconPath = themeIcon(format === 'atsf' ? 'git-branch' : 'mail');
  item.tooltip = new vscode.MarkdownString();
  appendLines(item.tooltip, [title, formats[format], ...notes]);
  return item;
}

function openingItem(
  row: ThreadRow | AlarmRow | TaskRow,
  now: number,
  icon: vscode.ThemeIcon,
  context: string,
  first: readonly string[] = [],
  fault = '',
): vscode.TreeItem {
  const locale = vscode.env.language;
  const { key, title, time, facts } = row;
  const shown = [...first, time > 0 ? relativeTime(time, now, locale) : '', ...facts];
  const item = rowItem({
    id: JSON.stringify([context, key, title, time]),
    title,
    facts: shown,
    icon,
    context,
    tooltip: [title, ...facts, time > 0 ? exactTime(time, locale) : '', fault],
  });
  item.accessibilityInformation = { label: join([title, ...shown, fault], ', ') };
  item.command = { command: 'signalbox.web.open', title: vscode.l10n.t('Open'), arguments: [key] };
  return item;
}

function rejectedItem({ title, rule, reason, file, key }: RejectedRow): vscode.TreeItem {
  const why = `${rule}: ${reason}`;
  const item = rowItem({
    id: `rejected ${file}`,
    title,
    facts: [why],
    icon: themeIcon('circle-slash'),
    context: key === undefined ? contexts.rejected : contexts.rejectedOfTask,
    tooltip: [title, why],
  });
  item.accessibilityInformation = { label: [vscode.l10n.t('Rejected'), title, why].join(', ') };
  item.command = openFileCommand(file, key);
  return item;
}

/** Makes the row of a malformed escalation open its file, which has to be repaired. */
function leadingToFile(item: vscode.TreeItem, { file, key }: AlarmRow): vscode.TreeItem {
  item.id = `malformed ${file}`;
  item.contextValue = contexts.rejected;
  item.command = openFileCommand(file, key);
  return item;
}

function openFileCommand(file: string, key: Key | undefined): vscode.Command {
  return { command: 'signalbox.web.openFile', title: vscode.l10n.t('Open File'), arguments: [file, key] };
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
  if (fault !== '') return themeIcon('warning', 'list.warningForeground');
  return themeIcon(key.kind === 'atsf' ? 'comment-discussion' : 'mail');
}
