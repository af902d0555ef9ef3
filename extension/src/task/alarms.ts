// Which alarms a notification is for, and which were told already. A reload of
// the window, or another window, must not tell them again.

import type { EscalationItem, Overdue } from '../protocol';
import { refKey } from '../protocol';

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

/** Characters that are not seen, and change what is: control characters, and those that turn a line around. The server shows them in the same way. */
const unseen = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A stranger's words as they may stand in a notification, which turns
 * `[text](command:…)` into a link that runs commands.
 */
export function noticeText(text: string, max = 160): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\](?=\()/g, '] ')
    .replace(
      unseen,
      (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    );
  return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`;
}
