// How an agent is reached, in words. The server decides it; rows, boxes and commands say it
// alike.

import type { Translate } from '../fill';
import type { Reach, ThreadItem } from '../protocol';

export type ReachWords = Readonly<Record<Reach, { readonly button: string; readonly note: string }>>;

/** Says for each way what the button does, and what happens then. */
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

/** Reports whether the thread of an agent has a box: something reaches the agent. */
export function hasBox({ agent }: Pick<ThreadItem, 'agent'>): boolean {
  const reach = agent?.session?.reach;
  return reach !== undefined && reach !== 'setUp';
}
