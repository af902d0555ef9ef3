// Opens the files that messages name.

import * as vscode from 'vscode';
import { pathOfUri, uriOfPath } from '../../places';
import type { ThreadItem } from '../../protocol';
import type { Server } from '../../server/client';
import { placeIn } from './fileName';
import { fileWithin } from './fileNames';

/**
 * Opens the file that a message of a thread names, if it is in the thread's worktree or in an
 * opened folder. For any other name Quick Open shows similar names.
 */
export async function openNamed(server: Server, name: string, thread: ThreadItem | undefined): Promise<void> {
  const place = placeIn(name);
  if (place === undefined) return;
  const worktree = await worktreeOf(server, thread);
  const opened = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => pathOfUri(uri));
  const roots = worktree === undefined ? opened : [worktree, ...opened];
  const file = await fileWithin(place.path, thread?.agent?.session?.folder ?? '', roots);
  if (file === undefined) {
    await vscode.commands.executeCommand('workbench.action.quickOpen', place.path);
    return;
  }
  const line = Math.max(0, (place.line ?? 1) - 1);
  const document = await vscode.workspace.openTextDocument(uriOfPath(file));
  await vscode.window.showTextDocument(document, {
    preview: true,
    ...(place.line === undefined ? {} : { selection: new vscode.Range(line, 0, line, 0) }),
  });
}

async function worktreeOf(server: Server, thread: ThreadItem | undefined): Promise<string | undefined> {
  if (thread?.agent === undefined) return undefined;
  const { groups } = await server.request('signalbox/inbox/list', { limit: 1 });
  return groups.find(({ id, kind }) => kind === 'worktree' && id === thread.group)?.path;
}
