// What a session that an agent's program recorded is doing, in words. Rows, the
// thread page and commands say it alike.

import { fill, type Translate } from '../fill';
import type { SessionThread } from '../protocol';

export type SessionWords = Readonly<ReturnType<typeof sessionWords>>;

export function sessionWords(t: Translate) {
  return {
    working: t('working'),
    waiting: t('waiting'),
    /** {0} is what it waits for. */
    waitingFor: t('waiting for {0}', '{0}'),
    idle: t('idle'),
    ended: t('ended'),
  };
}

/** Says what a session does: "working", "waiting for Bash". Returns an empty text where that is not known. */
export function sessionState(
  { state, for: wanted = '' }: Pick<SessionThread, 'state' | 'for'>,
  words: SessionWords,
): string {
  if (state === undefined) return '';
  return state === 'waiting' && wanted !== '' ? fill(words.waitingFor, wanted) : words[state];
}
