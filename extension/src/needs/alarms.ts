// Which alarms still need a notification. A reloaded window, or another window,
// must not show one again.

import { refKey } from '../refs';
import type { EscalationItem, NeedItem, Overdue, Question } from '../protocol';

/** How many shown alarms are remembered. Older ones were answered long ago. */
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

/** Returns the alarms among what needs the user that were not shown yet. Silent tasks are left out: the badge counts them. */
export function newsIn(items: readonly NeedItem[], told: readonly string[]): News {
  const known = new Set(told);
  const questions = items.flatMap(({ question }) =>
    question?.urgent === true && !known.has(questionKey(question)) ? question : [],
  );
  const escalations = items.flatMap(({ escalation, urgent }) =>
    escalation?.open === true && urgent && !known.has(refKey(escalation.ref)) ? escalation : [],
  );
  const overdue = items.flatMap(({ overdue: item }) =>
    item !== undefined && item.kind !== 'heartbeat_timeout' && !known.has(overdueKey(item)) ? item : [],
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

/** Returns the remembered alarms with more of them, cut to the newest. */
export function remember(told: readonly string[], keys: readonly string[]): readonly string[] {
  const fresh = new Set(keys);
  return [...told.filter((key) => !fresh.has(key)), ...keys].slice(-rememberedMax);
}

/** Returns the strings in a stored value, which may be anything. */
export function readTold(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((key) => typeof key === 'string') : [];
}
