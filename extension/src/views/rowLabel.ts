// The label of a row: its age, its sender and its whole title. VS Code cuts the label only on
// the screen, so a search in the list finds all of it.

/** A space as wide as a digit. */
const digitSpace = '\u2007';

/** Returns "4m planner: Need a decision". A space as wide as a digit pads a one-digit age. */
export function rowLabel(when: string, who: string, title: string): string {
  const padded = /^\d(?!\d)/.test(when) ? `${digitSpace}${when}` : when;
  return who === '' ? `${padded} ${title}` : `${padded} ${who}: ${title}`;
}
