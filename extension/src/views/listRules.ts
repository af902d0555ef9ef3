// Which rows of a list are made, and which one keys are about. It knows nothing of the page.

/** So many rows are made at once: more than a side bar shows. The others follow. */
const sliceRows = 60;

/** Returns the rows that are shown now: those that are there, and the next ones up to a number. */
export function sliceOf<R extends { readonly key: string }>(
  rows: readonly R[],
  there: (key: string) => boolean,
  most = sliceRows,
): readonly R[] {
  let made = 0;
  return rows.filter(({ key }) => there(key) || made++ < most);
}

/** What is known of a list when it is shown again. */
export interface Shift {
  /** The row that keys were about. */
  readonly current: string;
  /** Whether that row is open. */
  readonly open: boolean;
  /** Whether nothing was listed before, or nothing in sight. */
  readonly first: boolean;
  /** The rows in sight before and now, and all there are now, folded away or not. */
  readonly before: readonly string[];
  readonly now: readonly string[];
  readonly all: ReadonlySet<string>;
}

/**
 * Returns the row that keys are about from now on, and whether it opens: in place of a row
 * that is gone, one opens if that was open. A row that is merely folded away opens nothing.
 */
export function shifted({ all, before, current, first, now, open }: Shift): {
  readonly current: string;
  readonly opens: boolean;
} {
  if (now.includes(current)) return { current, opens: false };
  const at = before.indexOf(current);
  const next = now[Math.min(Math.max(at, 0), now.length - 1)];
  if (next === undefined) return { current, opens: false };
  return { current: next, opens: !all.has(current) && (first || (at !== -1 && open)) };
}
