// Finds ids and thread names in any text, with the server's patterns.

import type { LinkPattern } from '../protocol';

export interface Token {
  readonly text: string;
  /** UTF-16 code units within the line. */
  readonly start: number;
  readonly end: number;
}

/** Only this much of a line on either side of the pointer is searched: minified files have huge lines. */
const reach = 256;

/** The schemes of documents without links: logs and our own documents. */
export const withoutMentions: readonly string[] = ['output', 'signalbox-compose', 'signalbox-doctor'];

/** Compiles the server's patterns. A pattern that JavaScript refuses is reported and left out. */
export function compilePatterns(
  patterns: readonly LinkPattern[],
  refused: (pattern: LinkPattern, error: unknown) => void,
): readonly RegExp[] {
  const compiled: RegExp[] = [];
  for (const pattern of patterns) {
    try {
      const flags = new Set(pattern.flags.replace(/[dgy]/g, ''));
      compiled.push(new RegExp(pattern.pattern, [...flags].join('') + 'dg'));
    } catch (error) {
      refused(pattern, error);
    }
  }
  return compiled;
}

/** Returns the tokens that cover a character of a line, longest first, each text once. */
export function tokensAt(line: string, character: number, patterns: readonly RegExp[]): readonly Token[] {
  const from = Math.max(0, character - reach);
  const slice = line.slice(from, character + reach);
  const tokens = new Map<string, Token>();
  for (const { text, start, end } of matches(slice, patterns)) {
    if (from + start > character || from + end < character) continue;
    tokens.set(text, { text, start: from + start, end: from + end });
  }
  return [...tokens.values()].sort((a, b) => b.text.length - a.text.length);
}

/** Returns the first tokens in a text, in the order of the patterns. Offsets are UTF-16 code units. */
export function tokensIn(text: string, patterns: readonly RegExp[], most: number): readonly Token[] {
  const tokens: Token[] = [];
  for (const token of matches(text, patterns)) {
    if (tokens.length >= most) break;
    tokens.push(token);
  }
  return tokens;
}

export function withoutOverlaps(tokens: readonly Token[]): readonly Token[] {
  const longest = [...tokens].sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start);
  const kept: Token[] = [];
  for (const token of longest) {
    if (kept.every((other) => token.end <= other.start || token.start >= other.end)) kept.push(token);
  }
  return kept.sort((a, b) => a.start - b.start);
}

function* matches(text: string, patterns: readonly RegExp[]): Generator<Token> {
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      // In a pattern with a group, the group is the token.
      const token = match[1] ?? match[0];
      const start = match.indices?.[match[1] === undefined ? 0 : 1]?.[0] ?? match.index;
      if (token !== '') yield { text: token, start, end: start + token.length };
    }
  }
}

/** What the user is typing at the cursor. */
export interface Completing {
  readonly kind: 'recipient' | 'thread' | 'id';
  /** The part that is typed already. */
  readonly prefix: string;
}

/**
 * Returns what can be completed after this text of a line: threads after
 * "[thread:", recipients after "to:" in prose, and, if the user asked for
 * completion, ids.
 */
export function completionAt(before: string, asked: boolean, prose: boolean): Completing | undefined {
  const end = before.slice(-reach);
  const thread = /\[thread:([^\]\r\n]*)$/.exec(end)?.[1];
  if (thread !== undefined) return { kind: 'thread', prefix: thread };
  const header = prose ? /^\s*thread:\s*(\S*)$/i.exec(end)?.[1] : undefined;
  if (header !== undefined) return { kind: 'thread', prefix: header };
  const to = prose ? /(?:^\s*to:\s*|"to"\s*:\s*")([^\s"]*)$/i.exec(end)?.[1] : undefined;
  if (to !== undefined) return { kind: 'recipient', prefix: to };
  const id = asked ? /(?:^|[^A-Za-z0-9_-])(msg_\w*|T-[\w-]*|[0-9a-f]{4,16})$/.exec(end)?.[1] : undefined;
  return id === undefined ? undefined : { kind: 'id', prefix: id };
}
