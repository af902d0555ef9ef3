// What the agent of a thread is at, in words. Rows, the thread page and commands say it
// alike.

import { fill, type Translate } from '../fill';
import type { AgentThread } from '../protocol';

export type SessionWords = Readonly<ReturnType<typeof sessionWords>>;

export function sessionWords(t: Translate) {
  return {
    working: t('working'),
    waiting: t('waiting'),
    /** {0} is what it waits for. */
    waitingFor: t('waiting for {0}', '{0}'),
    idle: t('idle'),
    ended: t('ended'),
    silent: t('silent'),
    stopped: t('stopped?'),
    failed: t('failed'),
    /** {0} is why it failed. */
    failedFor: t('failed: {0}', '{0}'),
    done: t('done'),
    none: t('no agent'),
  };
}

/** Says what an agent is at: "working", "waiting for Bash". Returns an empty text where that is not known. */
export function sessionState(
  { state, for: wanted = '' }: Pick<AgentThread, 'state' | 'for'>,
  words: SessionWords,
): string {
  if (state === undefined) return '';
  if (wanted !== '' && state === 'waiting') return fill(words.waitingFor, wanted);
  return wanted !== '' && state === 'failed' ? fill(words.failedFor, wanted) : words[state];
}
