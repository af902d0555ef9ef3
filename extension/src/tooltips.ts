// Tooltips made of strangers' words.

import type * as vscode from 'vscode';

/**
 * Appends a text as text. VS Code's own appendText escapes markup, and still
 * makes links of addresses: of mail, and of the web in any scheme.
 */
export function appendPlain(tooltip: vscode.MarkdownString, text: string): void {
  const before = tooltip.value;
  tooltip.value = '';
  tooltip.appendText(text);
  tooltip.value = before + withoutLinks(tooltip.value);
}

/** Markdown in which no address is taken for a link: what it is known by is written as an entity. */
export function withoutLinks(markdown: string): string {
  return markdown
    .replace(/@/g, '&#64;')
    .replace(/:(?=\/\/)/g, '&#58;')
    .replace(/\bwww\./gi, (www) => `${www.slice(0, 3)}&#46;`);
}

/** One line below the other, as text and never as markup; empty ones are left out. */
export function appendLines(tooltip: vscode.MarkdownString, lines: readonly string[]): void {
  for (const line of lines) {
    if (line === '') continue;
    if (tooltip.value !== '') tooltip.appendMarkdown('\n\n');
    appendPlain(tooltip, line);
  }
}
