// The commands about escalations and tasks: on a row, a comment thread, the tab in
// front, the selected row, or from the palette.

import * as vscode from 'vscode';
import { uriOfPath } from '../places';
import type { Server } from '../server/client';
import { labelWords } from './escalationRows';
import { severityWords } from './severity';
import type { Tasks } from './tree';
import { factsOf, refOfRow, type TaskRow } from './treeModel';
import type { Issues } from './issues';
import { Limit, type EscalationItem, type Ref, type RejectedItem } from '../protocol';
import { readRef } from '../refs';
import { fetchUntil } from './fetch';
import { eventOf, firstTaskPage } from './model';
import type { TaskViews } from './tabs';
import type { TextDocuments } from '../views/textDocuments';

export interface TaskParts {
  readonly server: Server;
  readonly tree: Tasks;
  readonly views: TaskViews;
  readonly documents: TextDocuments;
  readonly issues: Issues;
  readonly acknowledge: (ref: Ref, label: string) => Promise<void>;
}

/** How many pages of tasks are searched for one task at most. */
const pagesMax = 20;

export function taskCommands(parts: TaskParts): Record<string, (argument: unknown) => unknown> {
  const { server, tree, views, documents, issues, acknowledge } = parts;
  const rowOf = (argument: unknown): TaskRow | undefined =>
    // A key of the tree passes 'tasks'.
    isRow(argument) ? argument : argument === 'tasks' ? tree.selected : undefined;
  /** Returns what a command is about: its argument, or the tab in front. */
  const refOf = (argument: unknown): Ref | undefined =>
    readRef(argument) ?? issues.taskOf(argument) ?? refOfRow(rowOf(argument)) ?? views.active?.ref;
  const openRow = (node: TaskRow | undefined): Promise<void> => openTaskRow(node, views);
  return {
    openSelectedTask: async () => {
      const row = await tree.clicked();
      if (row?.kind === 'more') await tree.more(row.list);
      else await openRow(row);
    },
    openEscalation: async (argument) => {
      if (isRow(argument)) return openRow(rowOf(argument));
      const escalation = await choose(server, () => true);
      if (escalation !== undefined) await openRow({ kind: 'escalation', escalation });
    },
    respondToEscalation: async (argument) => {
      const row = rowOf(argument);
      if (malformedFile(row) !== undefined || row?.kind === 'rejected') return openRow(row);
      const ref = refOfRow(row) ?? views.active?.openEscalation ?? (await choose(server, answerable))?.ref;
      if (ref !== undefined) views.open(ref, { focusAnswer: true });
    },
    acknowledgeEscalation: async (argument) => {
      const row = rowOf(argument);
      if (malformedFile(row) !== undefined) return openRow(row);
      const listed = row?.kind === 'escalation' ? row.escalation : undefined;
      const active = views.active?.openEscalation;
      if (listed !== undefined) await acknowledge(listed.ref, listed.label);
      else if (active !== undefined) await acknowledge(active, views.active?.title ?? '');
      else {
        const item = await choose(server, answerable);
        if (item !== undefined) await acknowledge(item.ref, item.label);
      }
    },
    openTask: async (argument) => {
      const ref = issues.taskOf(argument) ?? (await taskOf(server, rowOf(argument))) ?? refOf(argument);
      if (ref !== undefined) views.open(ref);
    },
    openTaskAsText: async (argument) => {
      const row = rowOf(argument);
      const ref = refOf(argument);
      if (ref !== undefined) await documents.show(ref, factsOf(row)?.taskId ?? views.active?.title ?? '');
    },
    openMessageFile: async (argument) => {
      const row = rowOf(argument);
      if (row?.kind === 'rejected') return openRow(row);
      const path = malformedFile(row);
      if (path !== undefined) return openFile(path);
      const ref = refOf(argument);
      if (ref !== undefined) await openMessage(server, ref);
    },
    copyTaskId: async (argument) => {
      const row = rowOf(argument);
      const id = row?.kind === 'rejected' ? row.rejected.id : factsOf(row)?.id;
      if (id !== undefined && id !== '') await vscode.env.clipboard.writeText(id);
    },
  };
}

/** Opens the task of a row, its escalation, or the file of a rejected message. Other rows open nothing. */
async function openTaskRow(node: TaskRow | undefined, views: TaskViews): Promise<void> {
  if (node?.kind === 'rejected') return openRejected(node.rejected);
  const ref = refOfRow(node);
  if (ref !== undefined) views.open(ref);
}

/** Opens a file of a task directory in an editor. */
export async function openFile(path: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOfPath(path));
  await vscode.window.showTextDocument(document, { preview: true });
}

async function openRejected(rejected: RejectedItem): Promise<void> {
  if (rejected.path !== '') return openFile(rejected.path);
  throw new Error(vscode.l10n.t('{0} is outside the task directory', rejected.source));
}

async function openMessage(server: Server, ref: Ref): Promise<void> {
  const page = await server.request('signalbox/task/get', { ref, limit: Limit.page });
  const state = await fetchUntil(
    server,
    ref,
    firstTaskPage(page),
    (fetched) => eventOf(fetched, ref) !== undefined,
  );
  const path = eventOf(state, ref)?.path ?? '';
  if (path === '') throw new Error(vscode.l10n.t('this message has no file of its own'));
  await openFile(path);
}

/** Returns a row's task. A rejected message may name a task that does not exist. */
async function taskOf(server: Server, row: TaskRow | undefined): Promise<Ref | undefined> {
  return row?.kind === 'rejected' ? namedTask(server, row.rejected) : factsOf(row)?.task;
}

async function namedTask(server: Server, { store, taskId }: RejectedItem): Promise<Ref> {
  let cursor: string | undefined;
  for (let pages = 0; pages < pagesMax; pages++) {
    const page = await server.request('signalbox/task/list', {
      limit: Limit.page,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const found = page.tasks.find(({ id, ref }) => id === taskId && ref.store === store);
    if (found !== undefined) return found.ref;
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  throw new Error(vscode.l10n.t('there is no task {0}', taskId));
}

/** Reports whether an escalation can be acknowledged and answered. */
function answerable({ malformed }: EscalationItem): boolean {
  return malformed !== true;
}

/** Returns the file of a malformed escalation, which can only be read. */
function malformedFile(row: TaskRow | undefined): string | undefined {
  return row?.kind === 'escalation' && !answerable(row.escalation) ? (row.escalation.path ?? '') : undefined;
}

/** Lets the user choose among the open escalations. */
async function choose(
  server: Server,
  fits: (escalation: EscalationItem) => boolean,
): Promise<EscalationItem | undefined> {
  const { items } = await server.request('signalbox/escalation/list', { open: true, limit: Limit.page });
  const rows = items.filter(fits).map((escalation) => ({
    label: `${severityWords(escalation.severity)}: ${labelWords(escalation)}`,
    description: escalation.task.id,
    detail: escalation.title,
    escalation,
  }));
  if (rows.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Signalbox: no escalation waits for you.'));
    return undefined;
  }
  const placeHolder = vscode.l10n.t('Open escalations, the most severe first');
  return (await vscode.window.showQuickPick(rows, { placeHolder, matchOnDescription: true }))?.escalation;
}

/** Reports whether an argument is a row of "Needs You" or of "Tasks": refs and comment threads have no kind. */
export function isRow(argument: unknown): argument is TaskRow {
  return typeof argument === 'object' && argument !== null && 'kind' in argument;
}
