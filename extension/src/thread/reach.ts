// How an agent is reached, in words. The server decides it; rows, boxes and commands say it
// alike.

import type { Translate } from '../fill';
import type { Reach, ThreadItem } from '../protocol';

export type ReachWords = Readonly<Record<Reach, { readonly button: string; readonly note: string }>>;

/** Says for each way what the button does, and what happens then. */
export function reachWords(t: Translate): ReachWords {
  return {
    send: { button: t('Send'), note: t('At work: it sees this at its next step') },
    wake: { button: t('Send and Wake'), note: t('Idle: this wakes it') },
    type: { button: t('Send and Type'), note: t('Idle: a line is typed into its terminal') },
    wait: { button: t('Send'), note: t('Idle: it reads this when somebody goes on there') },
    continue: { button: t('Continue in Terminal'), note: t('Ended: its program goes on with this') },
    setUp: { button: t('Set Up…'), note: t('Not connected: it gets no messages') },
    begin: { button: t('Send'), note: t('No agent is at work: the next one reads this') },
  };
}

/** Reports whether the thread of an agent has a box: something reaches the agent. */
export function hasBox({ agent }: Pick<ThreadItem, 'agent'>): boolean {
  const reach = agent?.session?.reach;
  return reach !== undefined && reach !== 'setUp';
}
