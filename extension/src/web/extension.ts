// The entry point in a browser, where no server can run. It reads the files of the
// opened workspace; other commands say that they need the desktop. Activation only
// registers: the module is loaded when a view, a hover or an open file needs it.

import * as vscode from 'vscode';
import { Checks } from './checks';
import { desktopCommands, type Manifest } from './desktopOnly';
import { Documents } from './documents';
import { Hover } from './hover';
import { parseKey, type Look } from './look';
import { Mailroom } from './mailroom';
import type { Key } from './model';
import { inboxRoots, needRoots, keyOf, Tree, type Node } from './views';
import { uriOf } from './workspaceFiles';
import { join } from '../fill';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('Signalbox', { log: true });
  const mailroom = new Mailroom(context.extensionUri, log);
  const documents = new Documents(mailroom);
  const open = (key: Key, beside = false): Thenable<void> =>
    documents.show(key, mailroom.last === undefined ? '' : titleOf(mailroom.last, key), beside);
  const inbox = new Tree(mailroom, () => inboxRoots(mailroom));
  const needs = new Tree(mailroom, () => needRoots(mailroom));
  const inboxView = vscode.window.createTreeView('signalbox.inboxView', { treeDataProvider: inbox });
  const needsView = vscode.window.createTreeView('signalbox.webNeedsView', { treeDataProvider: needs });
  inboxView.message = vscode.l10n.t('In the browser, read only.');
  context.subscriptions.push(
    ...[log, mailroom, documents, inbox, needs, inboxView, needsView],
    new Hover(mailroom, log, (key) => void open(key)),
    new Checks(mailroom, log),
  );

  const openNode = (node: unknown, beside = false): Thenable<void> | undefined => {
    const key = keyOfArgument(node ?? inboxView.selection[0] ?? needsView.selection[0]);
    return key === undefined ? undefined : open(key, beside);
  };
  const refresh = (): void => mailroom.refresh();
  const commands: Readonly<Record<string, (argument: unknown, more: unknown) => unknown>> = {
    'signalbox.web.open': (key) => openNode(key),
    'signalbox.web.openFile': async (path, key) => {
      if (!(await openFile(path))) await openNode(key);
    },
    'signalbox.openThread': (node) => openNode(node),
    'signalbox.openThreadToSide': (node) => openNode(node, true),
    'signalbox.openThreadAsText': (node) => openNode(node),
    'signalbox.openEscalation': (node) => openNode(node),
    'signalbox.openTask': (node) => openNode(taskOfNode(node) ?? node),
    'signalbox.openTaskAsText': (node) => openNode(taskOfNode(node) ?? node),
    'signalbox.openMessageFile': async (node) => {
      if (!(await openFile(fileOfNode(node)))) await openNode(node);
    },
    'signalbox.copyTaskId': async (node) => {
      const task = taskOfNode(node);
      if (task !== undefined) await vscode.env.clipboard.writeText(task.id);
    },
    'signalbox.goToThread': () => goToThread(mailroom, open),
    'signalbox.refresh': refresh,
    'signalbox.refreshNeeds': refresh,
    'signalbox.showLog': () => log.show(),
  };
  for (const [name, run] of Object.entries(commands))
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  context.subscriptions.push(
    ...desktopCommands(context.extension.packageJSON as Manifest, new Set(Object.keys(commands))),
  );
  await vscode.commands.executeCommand('setContext', 'signalbox.web', true);
  log.info('started in the web extension host, without a server');
}

function titleOf({ groups, tasks }: Look, key: Key): string {
  const rows = [...groups.flatMap(({ threads }) => threads), ...tasks.tasks, ...tasks.open];
  const { kind, folder, id } = key;
  return (
    rows.find((row) => row.key.kind === kind && row.key.folder === folder && row.key.id === id)?.title ?? id
  );
}

/** Returns the key in a command's argument: a key or a row. It may come from anybody. */
function keyOfArgument(argument: unknown): Key | undefined {
  const key = isNode(argument) ? keyOf(argument) : argument;
  return key === undefined ? undefined : parseKey(JSON.stringify(key));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'row' in value;
}

function taskOfNode(node: unknown): Key | undefined {
  if (!isNode(node)) return undefined;
  const key = keyOf(node);
  if (node.kind === 'alarm' && key !== undefined)
    return { kind: 'task', folder: key.folder, id: node.row.taskId };
  return key?.kind === 'task' ? key : undefined;
}

function fileOfNode(node: unknown): string | undefined {
  return isNode(node) && (node.kind === 'alarm' || node.kind === 'rejected') ? node.row.file : undefined;
}

async function openFile(path: unknown): Promise<boolean> {
  const uri = typeof path === 'string' && path !== '' ? uriOf(path) : undefined;
  if (uri === undefined) return false;
  await vscode.window.showTextDocument(uri, { preview: true });
  return true;
}

async function goToThread(mailroom: Mailroom, open: (key: Key) => Thenable<void>): Promise<void> {
  const { groups } = await mailroom.look();
  const picks = groups.flatMap(({ title, threads }) =>
    threads.map((row) => ({
      label: row.title,
      description: join([title, ...row.facts], ' · '),
      key: row.key,
    })),
  );
  const pick = await vscode.window.showQuickPick(picks, { placeHolder: vscode.l10n.t('Open a thread') });
  if (pick !== undefined) await open(pick.key);
}
