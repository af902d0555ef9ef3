// Which alarms a notification is for, and which were told already. A reload of
// the window, or another window, must not tell them again.

import { refKey } from '../refs';
import type { EscalationItem, Overdue } from '../protocol';

/** So many are remembered; older ones have long been answered. */
const rememberedMax = 500;

/** What a notification says: open critical escalations, and missed ACKs. */
export interface News {
  readonly escalations: readonly EscalationItem[];
  readonly overdue: readonly Overdue[];
  readonly keys: readonly string[];
}

function overdueKey({ ref, kind }: Overdue): string {
  return `${kind} ${refKey(ref)}`;
}

/** What of a page was not told yet. Silence alone is no reason to disturb: the badge counts it. */
export function newsIn(
  page: { readonly items: readonly EscalationItem[]; readonly overdue: readonly Overdue[] },
  told: readonly string[],
): News {
  const known = new Set(told);
  const escalations = page.items.filter(
    ({ open, severity, ref }) => open && severity === 'critical' && !known.has(refKey(ref)),
  );
  const overdue = page.overdue.filter(
    (item) => item.kind !== 'heartbeat_timeout' && !known.has(overdueKey(item)),
  );
  return {
    escalations,
    overdue,
    keys: [...escalations.map(({ ref }) => refKey(ref)), ...overdue.map(overdueKey)],
  };
}

/** What was told, with more of it: the newest ones, at most so many. */
export function remember(told: readonly string[], keys: readonly string[]): readonly string[] {
  const fresh = new Set(keys);
  return [...told.filter((key) => !fresh.has(key)), ...keys].slice(-rememberedMax);
}

/** The strings in a value that was stored, which may be anything. */
export function readTold(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((key) => typeof key === 'string') : [];
}
