// The lines above the inbox's list: why it is limited, and warnings.

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
  // No hint at these messages is needed while they are shown.
  const suspicious = model.filter.suspicious;
  const warnings = model.warnings.filter(({ rule }) => !suspicious || rule !== 'L4');
  // A changed key is the gravest of them.
  const warning = warnings.find(({ rule }) => rule === 'SIG-7') ?? warnings[0];
  if (warning !== undefined) notes.push(breakable(warning.message));
  else if (model.suspicious > 0 && !suspicious) {
    notes.push(vscode.l10n.t('Messages that may be forged are kept out of the inbox: {0}', model.suspicious));
  }
  return notes;
}

/** Returns a text whose long words, such as paths, may wrap. The view would cut them off. */
function breakable(text: string): string {
  return text.replace(/\S{16}(?=\S)/g, '$&\u200b');
}
