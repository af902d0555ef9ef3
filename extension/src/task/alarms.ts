// Which alarms still need a notification. A reloaded window, or another window,
// must not show one again.

import { refKey } from '../refs';
import type { EscalationItem, Overdue } from '../protocol';

/** How many shown alarms are remembered. Older ones were answered long ago. */
const rememberedMax = 500;

/** The content of a notification: open critical escalations and missed ACKs. */
export interface News {
  readonly escalations: readonly EscalationItem[];
  readonly overdue: readonly Overdue[];
  readonly keys: readonly string[];
}

function overdueKey({ ref, kind }: Overdue): string {
  return `${kind} ${refKey(ref)}`;
}

/** Returns the alarms of a page that were not shown yet. Silent tasks are left out: the badge counts them. */
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

/** Returns the remembered alarms with more of them, cut to the newest. */
export function remember(told: readonly string[], keys: readonly string[]): readonly string[] {
  const fresh = new Set(keys);
  return [...told.filter((key) => !fresh.has(key)), ...keys].slice(-rememberedMax);
}

/** Returns the strings in a stored value, which may be anything. */
export function readTold(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((key) => typeof key === 'string') : [];
}
