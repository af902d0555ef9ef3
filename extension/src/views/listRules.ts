// Chooses the rows of a list that are made, and the row that keys act on. It has no access to
// the page.

/** The most rows that are made at once: more than a side bar shows. The others follow. */
const sliceRows = 60;

/** Returns the rows to show now: the ones that are made already, and at most `most` new ones. */
export function sliceOf<R extends { readonly key: string }>(
  rows: readonly R[],
  isMade: (key: string) => boolean,
  most = sliceRows,
): readonly R[] {
  let made = 0;
  return rows.filter(({ key }) => isMade(key) || made++ < most);
}

/** The state of a list before and after it is shown again. */
export interface Shift {
  /** The row that keys acted on. */
  readonly current: string;
  /** Whether that row is open. */
  readonly open: boolean;
  /** Whether nothing was listed or visible before. */
  readonly first: boolean;
  /** The visible rows before and now, and all rows now, folded away or not. */
  readonly before: readonly string[];
  readonly now: readonly string[];
  readonly all: ReadonlySet<string>;
}

/**
 * Returns the row that keys act on from now on, and whether it opens. A row opens in place of
 * an open row that is gone, but not in place of a row that is merely folded away.
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
