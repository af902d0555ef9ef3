// The words for the ways to reach an agent. The server chooses the way; rows, boxes and
// commands share the words.

import type { Translate } from '../fill';
import type { Reach, ThreadItem } from '../protocol';

export type ReachWords = Readonly<Record<Reach, { readonly button: string; readonly note: string }>>;

/** Returns for each way the label of its button, and a note on what happens then. */
export function reachWords(t: Translate): ReachWords {
  const wake = t('Send and Wake');
  return {
    send: { button: t('Send at Next Step'), note: t('Reaches it at its next step.') },
    wake: { button: wake, note: t('This wakes it.') },
    type: { button: wake, note: t('A line in its terminal wakes it.') },
    wait: { button: t('Leave Message'), note: t('It reads this when somebody goes on there.') },
    continue: { button: t('Continue Here…'), note: t('Its program goes on with this in a terminal.') },
    setUp: { button: t('Set Up…'), note: t('It gets no messages and cannot ask you here.') },
    begin: { button: t('Leave Message'), note: t('No agent is at work: the next one reads this.') },
  };
}

/** Reports whether an agent's thread has a reply box: whether a message can reach the agent. */
export function hasBox({ agent }: Pick<ThreadItem, 'agent'>): boolean {
  const reach = agent?.session?.reach;
  return reach !== undefined && reach !== 'setUp';
}
