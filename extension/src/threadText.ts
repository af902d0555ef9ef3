// A thread as a Markdown document, for reading without a webview: with a
// screen reader, a terminal-like eye, or to copy from.

import type { MessageItem, ThreadPage } from './protocol';

/** The words the document needs, translated by the caller. */
export interface TextWords {
  readonly older: string;
  readonly truncated: string;
  /** Holds {0} where the line's number goes and {1} for the reason. */
  readonly gap: string;
}

/**
 * The document. Bodies stand in code fences: a Markdown preview of this
 * document then shows what was said and never acts on it.
 */
export function threadAsMarkdown(page: ThreadPage, words: TextWords): string {
  const parts = [`# ${inline(page.thread.title)}`, ''];
  for (const warning of page.warnings)
    parts.push(`> ${inline(warning.message)} (${inline(warning.rule)})`, '');
  const { fault } = page.thread.agent ?? {};
  if (fault !== undefined) parts.push(`> ${inline(fault)}`, '');
  if (page.before !== undefined) parts.push(`_${words.older}_`, '');
  for (const message of page.messages) parts.push(...messageAsMarkdown(message, words), '');
  return `${parts.join('\n').trimEnd()}\n`;
}

function messageAsMarkdown(message: MessageItem, words: TextWords): readonly string[] {
  const { turn } = message;
  if (turn?.gap !== undefined) {
    const gap = words.gap
      .replace('{0}', () => String(message.origin.line))
      .replace('{1}', () => turn.gap ?? '');
    return [`> ${inline(gap)}`];
  }
  const fence = '`'.repeat(Math.max(3, longestRun(message.text) + 1));
  const who = [message.from, message.to].filter((name) => name !== '').map(inline);
  const facts =
    turn === undefined
      ? [message.id, ...message.marks, message.trust.label]
      : [message.id, turn.role === message.from ? '' : turn.role, turn.model ?? '', ...message.marks];
  return [
    `## ${who.join(' → ')}, ${isoTime(message.time)}`,
    '',
    facts
      .filter((fact) => fact !== '')
      .map(inline)
      .join(' · '),
    '',
    // What the server says of a turn is Markdown: its tool calls and diffs.
    `${fence}${turn === undefined ? 'text' : 'markdown'}`,
    message.text,
    fence,
    ...(message.truncated ? ['', `_${words.truncated}_`] : []),
  ];
}

/** The time in UTC to the second, or the number itself where no calendar reaches it. */
export function isoTime(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString().replace(/\.\d+Z$/, 'Z');
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), (match) => match[0].length));
}

/** One line with every character escaped that Markdown could read as markup. */
function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()#!<>|~&]/g, '\\$&');
}
