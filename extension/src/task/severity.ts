// Severities of escalations, in words and as icons.

import * as vscode from 'vscode';
import type { EscalationSeverity } from '../protocol';
import { themeIcon } from '../views/rowItem';
import { severityTable } from './words';

/** Returns a severity in the user's language. */
export function severityWords(severity: EscalationSeverity): string {
  return severityTable(vscode.l10n.t)[severity];
}

export function severityIcon(severity: EscalationSeverity): vscode.ThemeIcon {
  return {
    critical: themeIcon('error', 'problemsErrorIcon.foreground'),
    warning: themeIcon('warning', 'problemsWarningIcon.foreground'),
    info: themeIcon('info', 'problemsInfoIcon.foreground'),
  }[severity];
}
