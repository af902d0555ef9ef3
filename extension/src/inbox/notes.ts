// What limits the inbox, in lines above the list.

import * as vscode from 'vscode';
import { browserPlace, readOnlyNote } from '../places';
import type { Status } from '../protocol';
import type { InboxModel } from './model';

/** Returns the lines. `sample` is set if the list shows the sample mail. */
export function listNotes(status: Status, model: InboxModel, sample: boolean): readonly string[] {
  const notes: string[] = [];
  if (sample)
    notes.push(vscode.l10n.t('Sample mail: none of it is yours, and nothing you do here reaches anybody.'));
  const name = browserPlace()?.writesAs() ?? '';
  if (status.readOnly) notes.push(readOnlyNote());
  else if (name !== '') notes.push(vscode.l10n.t('You write here as {0}.', name));
  if (!status.aliasValid && browserPlace() === undefined) {
    notes.push(
      vscode.l10n.t(
        'Your name cannot be used: run "Signalbox: Your Name…" to see your mail and to answer it.',
      ),
    );
  }
  // Whoever looks at these messages need not be sent to them.
  const looking = model.filter.suspicious;
  const warnings = model.warnings.filter(({ rule }) => !looking || rule !== 'L4');
  // A key that changed is the gravest of them.
  const warning = warnings.find(({ rule }) => rule === 'SIG-7') ?? warnings[0];
  if (warning !== undefined) notes.push(breakable(warning.message));
  else if (model.suspicious > 0 && !looking) {
    notes.push(vscode.l10n.t('Messages that may be forged are kept out of the inbox: {0}', model.suspicious));
  }
  return notes;
}

/** A text whose long words, such as fingerprints and paths, may go on in a next line: the view cuts them off else. */
function breakable(text: string): string {
  return text.replace(/\S{16}(?=\S)/g, '$&\u200b');
}
