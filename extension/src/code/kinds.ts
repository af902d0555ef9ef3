// The kinds of words in code that are coloured. The page has a class for each; a theme
// has a colour for each, under the names of its grammars.

/** The kinds, by the number under which they are sent. 0 is text without a colour. */
export const codeKinds = [
  'plain',
  'comment',
  'string',
  'number',
  'keyword',
  'storage',
  'literal',
  'function',
  'type',
  'tag',
  'attribute',
  'property',
  'variable',
  'meta',
  'heading',
  'inserted',
  'deleted',
] as const;

export type CodeKind = (typeof codeKinds)[number];

/** Pieces of a text in their order: the length of each, and the number of its kind. */
export type Runs = readonly (readonly [length: number, kind: number])[];

/** The longest code that gets colours, in UTF-16 code units. Longer code gets none. */
const codeMost = 10_000;

/**
 * The longest line that gets colours. The time that some grammars take grows with the square
 * of a line made for it; with these limits the worst that was found takes 0.4 s.
 */
const lineMost = 400;

/** Reports whether a code is short enough for colours. */
export function isColourable(code: string): boolean {
  return code.length <= codeMost && code.split('\n').every((line) => line.length <= lineMost);
}
