// A thread as a Markdown document, to read without a webview or to copy.

import { refKey } from '../refs';
import { fenced, inline } from '../strangers';
import { type MessageItem, type ThreadPage } from '../protocol';
import { isMasked } from './model';
import { signedFacts, signedMore } from '../signed/signedText';
import type { SignedWords } from '../signed/signedWords';
import { fill, join } from '../fill';
import { isoTime } from '../when';

/** The words the document needs, translated by the caller. */
export interface TextWords {
  readonly older: string;
  readonly truncated: string;
  /** {0} is the line's number and {1} the reason. */
  readonly gap: string;
  /** {0} is the reason. */
  readonly sessionGap: string;
  readonly keysHidden: string;
  readonly signed: SignedWords;
}

/**
 * Returns the document. Bodies are in code fences, so that a Markdown preview shows them as
 * they were written and never renders them.
 */
export function threadAsMarkdown(page: ThreadPage, words: TextWords): string {
  const parts = [`# ${inline(page.thread.title)}`, ''];
  for (const warning of page.warnings)
    parts.push(`> ${inline(warning.message)} (${inline(warning.rule)})`, '');
  const { fault } = page.thread.agent ?? {};
  if (fault !== undefined) parts.push(`> ${inline(fault)}`, '');
  if (page.before !== undefined) parts.push(`_${words.older}_`, '');
  const names = new Map(page.messages.map(({ ref, from }) => [refKey(ref), from]));
  for (const message of page.messages) {
    const { parent } = message.amp ?? {};
    const answered = parent === undefined ? '' : (names.get(refKey(parent)) ?? '');
    parts.push(...messageAsMarkdown(message, words, answered), '');
  }
  return `${parts.join('\n').trimEnd()}\n`;
}

function messageAsMarkdown(message: MessageItem, words: TextWords, answered: string): readonly string[] {
  const { turn } = message;
  if (turn?.gap !== undefined) {
    const { line } = message.origin;
    const text = line > 0 ? fill(words.gap, String(line), turn.gap) : fill(words.sessionGap, turn.gap);
    return [`> ${inline(text)}`];
  }
  const marks = isMasked(message) ? [words.keysHidden] : message.marks;
  const signed = signedFacts(message, words.signed, answered);
  const facts =
    turn === undefined
      ? // The trust of signed mail follows below, with its reason.
        [message.id, ...message.marks, signed.length === 0 ? message.trust.label : '']
      : [message.id, turn.role === message.from ? '' : turn.role, turn.model ?? '', ...marks];
  return [
    `## ${join([message.from, message.to].map(inline), ' → ')}, ${isoTime(message.time)}`,
    '',
    join(facts.map(inline), ' · '),
    '',
    ...(signed.length === 0 ? [] : [...signed, '']),
    // The text of a turn is Markdown, with lists of tool calls and diffs.
    ...fenced(message.text, turn === undefined ? 'text' : 'markdown'),
    ...signedMore(message, words.signed),
    ...(message.truncated ? ['', `_${words.truncated}_`] : []),
  ];
}
