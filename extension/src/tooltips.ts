// Tooltips made of strangers' words.

import type * as vscode from 'vscode';

/** One line below the other, as text and never as markup; empty ones are left out. */
export function appendLines(tooltip: vscode.MarkdownString, lines: readonly string[]): void {
  for (const line of lines) {
    if (line === '') continue;
    if (tooltip.value !== '') tooltip.appendMarkdown('\n\n');
    tooltip.appendText(line);
  }
}
