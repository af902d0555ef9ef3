// The message above a list that is out of date.

import * as vscode from 'vscode';

/** Returns a message that says why a list is out of date, and what to do. */
export function staleWords(problem: string): string {
  const why = problem.replace(/\.$/, '');
  return vscode.l10n.t(
    'Not up to date: the server is not running ({0}). Run "Signalbox: Restart Server".',
    why,
  );
}
