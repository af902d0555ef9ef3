// Chooses the alarms that still need a notification. A reloaded window, or another window,
// must not show an alarm again.

import { refKey } from '../refs';
import type { EscalationItem, NeedItem, Overdue, Question } from '../protocol';

/** How many shown alarms are remembered. Older alarms were answered long ago. */
const rememberedMax = 500;

/** The content of a notification: urgent questions, open critical escalations and missed ACKs. */
export interface News {
  readonly questions: readonly Question[];
  readonly escalations: readonly EscalationItem[];
  readonly overdue: readonly Overdue[];
  readonly keys: readonly string[];
}

function questionKey({ message }: Question): string {
  return `question ${refKey(message)}`;
}

function overdueKey({ ref, kind }: Overdue): string {
  return `${kind} ${refKey(ref)}`;
}

/** Returns the alarms that were not shown yet. Silent tasks are left out: the badge counts them. */
export function newsIn(items: readonly NeedItem[], notified: readonly string[]): News {
  const shown = new Set(notified);
  const questions = items.flatMap(({ question }) =>
    question?.urgent === true && !shown.has(questionKey(question)) ? question : [],
  );
  const escalations = items.flatMap(({ escalation, urgent }) =>
    escalation?.open === true && urgent && !shown.has(refKey(escalation.ref)) ? escalation : [],
  );
  const overdue = items.flatMap(({ overdue: item }) =>
    item !== undefined && item.kind !== 'heartbeat_timeout' && !shown.has(overdueKey(item)) ? item : [],
  );
  return {
    questions,
    escalations,
    overdue,
    keys: [
      ...questions.map(questionKey),
      ...escalations.map(({ ref }) => refKey(ref)),
      ...overdue.map(overdueKey),
    ],
  };
}

/** Returns the remembered alarms with these added, at most the newest 500. */
export function remember(notified: readonly string[], keys: readonly string[]): readonly string[] {
  const added = new Set(keys);
  return [...notified.filter((key) => !added.has(key)), ...keys].slice(-rememberedMax);
}

/** Returns the strings in a stored value, which may be anything. */
export function readNotified(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((key) => typeof key === 'string') : [];
}
