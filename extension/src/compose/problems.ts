// What is wrong with a compose document, as diagnostics: what the extension
// reads in it itself, and what the server says of the fields.

import * as vscode from 'vscode';
import type { DraftText, Field, Place, Problem } from './draft';
import type { ComposePreview, DraftWarning } from '../protocol';

/**
 * The diagnostics. `tried` tells that the user tried to send: only then is
 * what is still empty a mistake.
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
        // What is named and not there is not sent without it.
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

/** The header that a warning is about. Who it is from has none, and stands with whom it is to. */
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
      return vscode.l10n.t('"{0}" stands here twice; the first one counts.', problem.text);
    case 'noBody':
      return vscode.l10n.t('Leave a blank line after the header; the body begins there.');
    case 'signedOnly':
      return vscode.l10n.t(
        '{0} is for signed mail, to an address with an "@". Here it is left out.',
        problem.text,
      );
    case 'noThread':
      return vscode.l10n.t(
        'Signed mail names no thread: a reply stays in its own. Thread is left out here; write a Subject.',
      );
    case 'noFolder':
      return vscode.l10n.t('Without an open folder a path must be absolute: {0}', problem.text);
    case 'noFile':
      return vscode.l10n.t('The context cannot be read: {0}', problem.text);
  }
}
