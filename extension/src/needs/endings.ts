// How a request ended that was not answered here, by the server's sentence.

import type { NeedItem } from '../protocol';
import type { OutcomeWords } from './needsWords';
import type { Ending } from './outcomes';

/**
 * Says where a request was answered. `open` is set if its thread is open in this window: then
 * an answer in an editor was most likely given there.
 */
export function overEnding(sentence: string, words: OutcomeWords, open: boolean): Ending {
  if (sentence.includes('not the one that was shown'))
    return { words: words.changed, icon: 'warn', tone: 'blocked', over: true };
  const where = / in the (editor|terminal) before$/.exec(sentence)?.[1];
  const said = { editor: open ? words.inThread : words.inWindow, terminal: words.onCommandLine };
  const known = where === 'editor' || where === 'terminal' ? said[where] : words.inTerminal;
  return { words: known, icon: where === undefined ? 'terminal' : 'done', tone: 'quiet', over: true };
}

/** So long an agent may seem to wait after its request was answered: until its program goes on. */
export const goesOnMillis = 10_000;

/** What became of the requests of agents, to tell what is new from what is only late. */
export class AnsweredAgents {
  /** The agents whose request is over, and since when. */
  readonly #since = new Map<string, number>();

  /** Notes that the request of an agent is over. */
  note(agent: string, now: number): void {
    for (const [key, since] of this.#since) if (now - since >= goesOnMillis) this.#since.delete(key);
    this.#since.set(agent, now);
  }

  /** Reports whether an item says merely that an agent waits whose request was just answered. */
  late({ agent, request }: NeedItem, now: number): boolean {
    if (agent?.state !== 'waiting' || request !== undefined) return false;
    return now - (this.#since.get(agent.key) ?? -Infinity) < goesOnMillis;
  }
}
