// Finding ids and thread names in a line of any text, with the patterns the
// server gave.

import type { LinkPattern } from './protocol';

export interface Token {
  readonly text: string;
  /** UTF-16 code units within the line. */
  readonly start: number;
  readonly end: number;
}

/** Only this much of a line on either side of the pointer is looked at: lines of minified files are huge. */
const reach = 256;

/** Compiles the server's patterns. One that this JavaScript engine refuses is left out and reported. */
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

/** The tokens that cover this character of a line, longest first, each text once. */
export function tokensAt(line: string, character: number, patterns: readonly RegExp[]): readonly Token[] {
  const from = Math.max(0, character - reach);
  const slice = line.slice(from, character + reach);
  const tokens = new Map<string, Token>();
  for (const pattern of patterns) {
    for (const match of slice.matchAll(pattern)) {
      // A pattern with a group has to look at what stands around the mention.
      const text = match[1] ?? match[0];
      const start = from + (match.indices?.[match[1] === undefined ? 0 : 1]?.[0] ?? match.index);
      if (text === '' || start > character || start + text.length < character) continue;
      tokens.set(text, { text, start, end: start + text.length });
    }
  }
  return [...tokens.values()].sort((a, b) => b.text.length - a.text.length);
}
