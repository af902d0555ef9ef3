// Cuts what a narrow row shows.

import { join } from '../fill';

/** A row of 300 pixels holds so many characters: a title is cut so that who and when can be read. */
const rowMost = 35;
const signWidth = 3;
const titleMost = 22;
const titleLeast = 12;
/** Some agents have very long names. */
const nameMost = 14;

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** Returns a title cut to what these facts, and the sign of an urgent row, leave of it. */
export function shortened(title: string, facts: readonly string[], urgent = false): string {
  const left = rowMost - join(facts, ' · ').length - (urgent ? signWidth : 0);
  return cut(title, Math.max(titleLeast, Math.min(titleMost, left)));
}

/** Returns a name as a row shows it. */
export function shortName(name: string): string {
  return cut(name, nameMost);
}
