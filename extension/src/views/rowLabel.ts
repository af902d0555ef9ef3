// The label of a row: how old it is, who it is from, and its whole title. VS Code cuts it
// at the row's end, so a find in the list finds all of it.

/** A space as wide as a digit. */
const digitSpace = '\u2007';

/** Returns "4m planner: Need a decision". Ages of one digit begin where those of two have the second. */
export function rowLabel(when: string, who: string, title: string): string {
  const padded = /^\d(?!\d)/.test(when) ? `${digitSpace}${when}` : when;
  return who === '' ? `${padded} ${title}` : `${padded} ${who}: ${title}`;
}
