// The problems of a compose document as diagnostics: the extension's own and the
// server's.

import * as vscode from 'vscode';
import { fields, type DraftText, type Place, type Problem } from './draft';
import type { ComposePreview, DraftWarning } from '../protocol';

/**
 * Returns the diagnostics of a document. `tried` means that the user tried to send. Before
 * that, empty fields are not shown as mistakes.
 */
export function diagnosticsOf(
  parsed: DraftText,
  problems: readonly Problem[],
  preview: ComposePreview,
  tried: boolean,
): vscode.Diagnostic[] {
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const own = problems.map((problem) => {
    // A message is not sent without a file that it names.
    const severity = problem.kind === 'noFolder' || problem.kind === 'noFile' ? Error : Warning;
    return new vscode.Diagnostic(rangeOf(problem.place), problemWords(problem), severity);
  });
  const shown = preview.warnings.filter((warning) => tried || !isBlank(fieldOf(warning), parsed));
  const theirs = shown.map((warning) => {
    const severity = warning.severity === 'error' ? Error : Warning;
    const diagnostic = new vscode.Diagnostic(rangeOf(placeOf(warning, parsed)), warning.message, severity);
    diagnostic.code = warning.rule;
    return diagnostic;
  });
  for (const diagnostic of [...own, ...theirs]) diagnostic.source = 'Signalbox';
  return [...own, ...theirs];
}

/** Returns the field that a warning is about. The sender has no header and is shown at To. */
function fieldOf({ field }: DraftWarning): keyof DraftText['places'] {
  const name = field.replace(/\[\d+\]$/, '');
  if (name === 'attachments') return 'attach';
  return fields.find((known) => known === name) ?? (name === 'body' ? name : 'to');
}

function isBlank(field: keyof DraftText['places'], parsed: DraftText): boolean {
  if (field === 'body') return parsed.body.trim() === '';
  return (field === 'to' || field === 'subject') && parsed[field] === '';
}

function placeOf(warning: DraftWarning, parsed: DraftText): Place {
  const field = fieldOf(warning);
  if (field !== 'attach') return parsed.places[field];
  const index = Number(/\[(\d+)\]/.exec(warning.field)?.[1] ?? 0);
  return parsed.attach[index]?.place ?? parsed.places.attach;
}

function rangeOf(place: Place): vscode.Range {
  return new vscode.Range(place.line, place.start, place.line, place.end);
}

export function problemWords({ kind, text }: Problem): string {
  return {
    unknownHeader: vscode.l10n.t(
      'There is no header "{0}": use To and Thread, or for signed mail To, Subject, Priority, Type, Attach and Context. The body begins after a blank line.',
      text,
    ),
    noColon: vscode.l10n.t(
      'A header line is "To: name" or "Thread: name". The body begins after a blank line.',
    ),
    repeated: vscode.l10n.t('"{0}" is here twice; the first one counts.', text),
    noBody: vscode.l10n.t('Leave a blank line after the header; the body begins there.'),
    signedOnly: vscode.l10n.t(
      '{0} is only for signed mail, to an address with an "@", and is left out.',
      text,
    ),
    noThread: vscode.l10n.t(
      'Signed mail has no Thread header: a reply stays in its thread. Write a Subject instead.',
    ),
    noFolder: vscode.l10n.t('Without an open folder a path must be absolute: {0}', text),
    noFile: vscode.l10n.t('The context cannot be read: {0}', text),
  }[kind];
}
