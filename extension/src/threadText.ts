// A thread as a Markdown document, for reading without a webview: with a
// screen reader, a terminal-like eye, or to copy from.

import type { MessageItem, ThreadPage } from './protocol';

/** The words the document needs, translated by the caller. */
export interface TextWords {
  readonly older: string;
  readonly truncated: string;
}

/**
 * The document. Bodies stand in code fences: a Markdown preview of this
 * document then shows what was said and never acts on it.
 */
export function threadAsMarkdown(page: ThreadPage, words: TextWords): string {
  const parts = [`# ${inline(page.thread.title)}`, ''];
  for (const warning of page.warnings)
    parts.push(`> ${inline(warning.message)} (${inline(warning.rule)})`, '');
  if (page.before !== undefined) parts.push(`_${words.older}_`, '');
  for (const message of page.messages) parts.push(...messageAsMarkdown(message, words), '');
  return `${parts.join('\n').trimEnd()}\n`;
}

function messageAsMarkdown(message: MessageItem, words: TextWords): readonly string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(message.text) + 1));
  const facts = [message.id, ...message.marks, message.trust.label].filter((fact) => fact !== '').map(inline);
  return [
    `## ${inline(message.from)} → ${inline(message.to)}, ${isoTime(message.time)}`,
    '',
    facts.join(' · '),
    '',
    `${fence}text`,
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
