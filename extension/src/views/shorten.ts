// Cuts what a narrow row shows.

import { join } from '../fill';

/** A row of 300 pixels holds so many characters: a title is cut so that who and when can be read. */
const rowMost = 35;
const titleMost = 22;
const titleLeast = 12;
/** Some agents have very long names. */
const nameMost = 14;
const ageWidth = ' · 5m'.length;

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** What takes room of a row besides its words: a sign, number or twistie; in a group, the indent and a number. */
export const taken = { sign: 3, group: 7 };

/** Returns a title cut to what these facts, and what else takes room, leave of it. */
export function shortened(title: string, facts: readonly string[], width = 0): string {
  const left = rowMost - join(facts, ' · ').length - width;
  return cut(title, Math.max(titleLeast, Math.min(titleMost, left)));
}

/** Returns a name as a row shows it, cut to what the shortest title and an age leave of it. */
export function shortName(name: string, width = 0): string {
  return cut(name, Math.min(nameMost, rowMost - titleLeast - ageWidth - width));
}
