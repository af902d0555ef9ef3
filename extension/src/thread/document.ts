// A thread as a read-only Markdown document.

import { concerns, refKey } from '../refs';
import * as vscode from 'vscode';
import { Limit } from '../protocol';
import type { Server } from '../server/client';
import { signedWords } from '../signed/signedWords';
import { TextDocuments } from '../views/textDocuments';
import { threadAsMarkdown } from './text';

export function threadDocuments(server: Server): TextDocuments {
  return new TextDocuments(server, {
    scheme: 'signalbox-thread',
    ending: 'md',
    name: 'thread',
    noRef: vscode.l10n.t('this address does not name a thread'),
    concerns: (change, ref) => concerns(change, refKey(ref)),
    write: async (ref) => {
      // Only the newest messages are shown.
      const page = await server.request('signalbox/thread/get', { ref, limit: Limit.page });
      return threadAsMarkdown(page, {
        older: vscode.l10n.t('Older messages are not shown here.'),
        truncated: vscode.l10n.t('This message is longer than what is shown.'),
        gap: vscode.l10n.t('Line {0} is not a message: {1}', '{0}', '{1}'),
        sessionGap: vscode.l10n.t('Something here is not a message: {0}', '{0}'),
        keysHidden: vscode.l10n.t('Keys hidden'),
        signed: signedWords(vscode.l10n.t),
      });
    },
  });
}
