// A task's timeline as a read-only document of at most 80 columns, like the output
// of `signalbox task show`.

import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { Limit, type Ref, type TaskPage } from '../protocol';
import { TextDocuments } from '../views/textDocuments';

/** How many pages are shown at most: the newest ones. */
const pagesMax = 10;

export function taskDocuments(server: Server): TextDocuments {
  return new TextDocuments(server, {
    scheme: 'signalbox-task',
    ending: 'txt',
    name: 'task',
    noRef: vscode.l10n.t('this address does not name a task'),
    concerns: (change) => change.kinds.includes('tasks'),
    write: (ref) => taskText(server, ref),
  });
}

async function taskText(server: Server, ref: Ref): Promise<string> {
  const texts: string[] = [];
  let before: string | undefined;
  do {
    const page: TaskPage = await server.request('signalbox/task/get', {
      ref,
      limit: Limit.page,
      ...(before === undefined ? {} : { before }),
    });
    texts.unshift(page.text.trimEnd());
    before = page.before;
  } while (before !== undefined && texts.length < pagesMax);
  if (before !== undefined) texts.unshift(vscode.l10n.t('Older steps are not shown here.'));
  return `${texts.join('\n\n')}\n`;
}
