// What a list says that cannot be brought up to date.

import * as vscode from 'vscode';

/** Says that a list is old, why, and what to do. */
export function staleWords(problem: string): string {
  const why = problem.replace(/\.$/, '');
  return vscode.l10n.t(
    'Not up to date: the server does not run ({0}). "Signalbox: Restart Server" starts it.',
    why,
  );
}
