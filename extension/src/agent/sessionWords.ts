// The state of a thread's agent, in words that rows, the thread page and commands share.

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

/** Returns an agent's state in words: "working", "waiting for Bash". Empty if it is not known. */
export function sessionState(
  { state, for: wanted = '' }: Pick<AgentThread, 'state' | 'for'>,
  words: SessionWords,
): string {
  if (state === undefined) return '';
  if (wanted !== '' && state === 'waiting') return fill(words.waitingFor, wanted);
  return wanted !== '' && state === 'failed' ? fill(words.failedFor, wanted) : words[state];
}
