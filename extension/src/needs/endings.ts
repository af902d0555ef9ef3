// Describes how a request ended that was not answered here.

import { detailOf } from '../server/failures';
import type { OutcomeWords } from './needsWords';
import type { Ending } from './outcomes';

/**
 * Returns how a request ended that the server no longer has, from the server's error. `open` is
 * set if its thread is open in this window. An answer given in an editor was then most likely
 * given in that thread.
 */
export function overEnding(error: unknown, words: OutcomeWords, open: boolean): Ending {
  const how = detailOf(error);
  if (how === 'shown') return { words: words.changed, icon: 'warn', tone: 'blocked', over: true };
  const answered = { icon: 'done', tone: 'quiet', over: true } as const;
  if (how === 'editor') return { ...answered, words: open ? words.inThread : words.inWindow };
  if (how === 'terminal') return { ...answered, words: words.onCommandLine };
  return { ...answered, icon: 'terminal', words: words.inTerminal };
}
