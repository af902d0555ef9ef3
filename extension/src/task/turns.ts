// Whose turn it is in a task, and who is late, in words.

import { fill, join } from '../fill';
import type { Overdue, TaskItem } from '../protocol';

/** The user's name in tasks: whoever is asked to answer escalations. */
const admin = 'admin';

interface Words {
  readonly next: string;
  readonly nextYou: string;
  readonly notConfirmed: string;
  readonly silent: string;
}

/** Returns whose turn it is, and for what, or an empty text if it is nobody's. */
export function nextWords({ nextWho, nextDo }: Pick<TaskItem, 'nextWho' | 'nextDo'>, words: Words): string {
  if (nextWho === admin) return words.nextYou;
  const next = join([nextWho, nextDo], ': ');
  return next === '' ? '' : fill(words.next, next);
}

/** Returns who is late with what. `long` says for how long. */
export function overdueText(
  { kind, label, who, title }: Pick<Overdue, 'kind' | 'label' | 'who' | 'title'>,
  words: Words,
  long: string,
): string {
  if (kind === 'ack_timeout') return fill(words.notConfirmed, who, title);
  return kind === 'heartbeat_timeout' ? fill(words.silent, who, long, title) : join([label, who], ': ');
}
