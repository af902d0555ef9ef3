// Makes strangers' text safe for the places that show it: a preview, label, notification or
// tooltip shows the text and never acts on it.

import type * as vscode from 'vscode';

/** Returns the lines of a code fence around a text that nothing in the text can close. */
export function fenced(text: string, language = 'text'): readonly string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return [`${fence}${language}`, text, fence];
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), (match) => match[0].length));
}

/**
 * Returns a text as one line with all Markdown escaped. Underscores inside words
 * are not markup and are left alone: ids are full of them.
 */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(markup, '\\$&');
}

const markup = /[\\`*{}[\]()#!<>|~&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Returns a text in which a label shows no icon: VS Code reads "$(name)" as an icon. */
export function withoutIcons(text: string): string {
  return text.replace(/\$\(/g, '$ (');
}

/** Control and direction-changing characters. The server shows them the same way. */
const invisible = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns a stranger's words as one short line without links. A notification
 * would turn `[text](command:…)` into a link that runs a command.
 */
export function noticeText(text: string, max = 160): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\](?=\()/g, '] ')
    .replace(
      invisible,
      (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    );
  return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`;
}

/**
 * Appends a text that is shown as it is. VS Code's own appendText escapes markup
 * but leaves mail and web addresses, which become links.
 */
export function appendPlain(tooltip: vscode.MarkdownString, text: string): void {
  const before = tooltip.value;
  tooltip.value = '';
  tooltip.appendText(text);
  tooltip.value = before + withoutLinks(tooltip.value);
}

/** Returns Markdown in which no address becomes a link: entities replace the "@", ":" and ".". */
export function withoutLinks(markdown: string): string {
  return markdown
    .replace(/@/g, '&#64;')
    .replace(/:(?=\/\/)/g, '&#58;')
    .replace(/\bwww\./gi, (www) => `${www.slice(0, 3)}&#46;`);
}

/**
 * Returns a link that runs one of our commands with a string argument. Nothing in the link's
 * text, which a stranger wrote, is markup, and the argument cannot end the link.
 */
export function commandLink(text: string, command: string, argument: string): string {
  const sent = encodeURIComponent(JSON.stringify([argument])).replace(/[()]/g, (sign) =>
    sign === '(' ? '%28' : '%29',
  );
  return `[${withoutLinks(inline(text))}](command:${command}?${sent})`;
}

/** Appends each line of plain text as a paragraph, leaving out empty lines. */
export function appendLines(tooltip: vscode.MarkdownString, lines: readonly string[]): void {
  for (const line of lines) {
    if (line === '') continue;
    if (tooltip.value !== '') tooltip.appendMarkdown('\n\n');
    appendPlain(tooltip, line);
  }
}
