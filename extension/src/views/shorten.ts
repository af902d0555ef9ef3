// Cuts what a narrow row shows.

import { join } from '../fill';

/** A row of 300 pixels holds so many characters: a title is cut so that who and when can be read. */
const rowMost = 35;
const titleMost = 22;
const titleLeast = 12;
/** Some agents have very long names. */
const nameMost = 14;

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** Returns a title cut to what these facts leave of a row. */
export function shortened(title: string, facts: readonly string[]): string {
  const left = rowMost - join(facts, ' · ').length;
  return cut(title, Math.max(titleLeast, Math.min(titleMost, left)));
}

/** Returns a name as a row shows it. */
export function shortName(name: string): string {
  return cut(name, nameMost);
}
