// The problems of a compose document as diagnostics: the extension's own and the
// server's.

import * as vscode from 'vscode';
import type { DraftText, Field, Place, Problem } from './draft';
import type { ComposePreview, DraftWarning } from '../protocol';

/**
 * Returns the diagnostics of a document. `tried` means that the user tried to
 * send; before that, empty fields are no mistakes.
 */
export function diagnosticsOf(
  parsed: DraftText,
  problems: readonly Problem[],
  preview: ComposePreview,
  tried: boolean,
): vscode.Diagnostic[] {
  const own = problems.map(
    (problem) =>
      new vscode.Diagnostic(
        rangeOf(problem.place),
        problemWords(problem),
        // A message is not sent without a file that it names.
        problem.kind === 'noFolder' || problem.kind === 'noFile'
          ? vscode.DiagnosticSeverity.Error
          : vscode.DiagnosticSeverity.Warning,
      ),
  );
  const shown = preview.warnings.filter((warning) => tried || !isBlank(fieldOf(warning), parsed));
  const theirs = shown.map((warning) => {
    const severity =
      warning.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
    const diagnostic = new vscode.Diagnostic(rangeOf(placeOf(warning, parsed)), warning.message, severity);
    diagnostic.code = warning.rule;
    return diagnostic;
  });
  for (const diagnostic of [...own, ...theirs]) diagnostic.source = 'Signalbox';
  return [...own, ...theirs];
}

/** Returns the header that a warning is about. The sender has none and is shown at To. */
function fieldOf({ field }: DraftWarning): Field | 'body' {
  const name = field.replace(/\[\d+\]$/, '');
  switch (name) {
    case 'thread':
    case 'subject':
    case 'priority':
    case 'type':
    case 'context':
    case 'body':
      return name;
    case 'attachments':
      return 'attach';
    default:
      return 'to';
  }
}

function isBlank(field: Field | 'body', parsed: DraftText): boolean {
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

export function problemWords(problem: Problem): string {
  switch (problem.kind) {
    case 'unknownHeader':
      return vscode.l10n.t(
        'There is no header "{0}": use To and Thread, or for signed mail To, Subject, Priority, Type, Attach and Context. The body begins after a blank line.',
        problem.text,
      );
    case 'noColon':
      return vscode.l10n.t(
        'A header line is "To: name" or "Thread: name". The body begins after a blank line.',
      );
    case 'repeated':
      return vscode.l10n.t('"{0}" is here twice; the first one counts.', problem.text);
    case 'noBody':
      return vscode.l10n.t('Leave a blank line after the header; the body begins there.');
    case 'signedOnly':
      return vscode.l10n.t(
        '{0} is only for signed mail, to an address with an "@", and is left out.',
        problem.text,
      );
    case 'noThread':
      return vscode.l10n.t(
        'Signed mail has no Thread header: a reply stays in its thread. Write a Subject instead.',
      );
    case 'noFolder':
      return vscode.l10n.t('Without an open folder a path must be absolute: {0}', problem.text);
    case 'noFile':
      return vscode.l10n.t('The context cannot be read: {0}', problem.text);
  }
}
