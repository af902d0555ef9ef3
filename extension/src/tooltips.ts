// Tooltips made of strangers' words.

import type * as vscode from 'vscode';

/**
 * Appends a text that is shown as it is. VS Code's own appendText escapes markup
 * but still turns mail and web addresses into links.
 */
export function appendPlain(tooltip: vscode.MarkdownString, text: string): void {
  const before = tooltip.value;
  tooltip.value = '';
  tooltip.appendText(text);
  tooltip.value = before + withoutLinks(tooltip.value);
}

/** Returns Markdown in which no address becomes a link: the telling characters are written as entities. */
export function withoutLinks(markdown: string): string {
  return markdown
    .replace(/@/g, '&#64;')
    .replace(/:(?=\/\/)/g, '&#58;')
    .replace(/\bwww\./gi, (www) => `${www.slice(0, 3)}&#46;`);
}

/** Appends lines of plain text, one below the other. Empty lines are left out. */
export function appendLines(tooltip: vscode.MarkdownString, lines: readonly string[]): void {
  for (const line of lines) {
    if (line === '') continue;
    if (tooltip.value !== '') tooltip.appendMarkdown('\n\n');
    appendPlain(tooltip, line);
  }
}
