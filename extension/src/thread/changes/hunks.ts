// The lines of a change, read from a unified diff without its head.

/** A line with its sign as first character. A skipped line represents unchanged lines. */
export interface ChangedLine {
  readonly kind: 'plus' | 'minus' | 'same' | 'skipped';
  readonly text: string;
}

/** Returns the lines of hunks without their line numbers: the text may be a part of the file. */
export function linesOf(hunks: string): readonly ChangedLine[] {
  const lines = hunks.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.flatMap((text, index): readonly ChangedLine[] => {
    if (!text.startsWith('@')) return [{ kind: kinds.get(text[0] ?? '') ?? 'same', text }];
    return index === 0 ? [] : [{ kind: 'skipped', text: '⋯' }];
  });
}

const kinds: ReadonlyMap<string, ChangedLine['kind']> = new Map([
  ['+', 'plus'],
  ['-', 'minus'],
]);
