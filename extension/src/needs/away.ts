// What happened while the window had no focus, in one line.

import { join, type Translate } from '../fill';
import type { AgentItem, AgentState, NeedItem } from '../protocol';

/** A window without focus for less is not away: its user only looked at another one. */
export const awayMillis = 15 * 60_000;

/** What the server said when the user left. */
export interface Leaving {
  readonly time: number;
  readonly agents: ReadonlyMap<string, AgentState>;
}

export function leaving(time: number, agents: readonly AgentItem[]): Leaving {
  return { time, agents: new Map(agents.map(({ key, state }) => [key, state])) };
}

/** Reports whether a user who comes back at that time was away. */
export function wasAway(left: Leaving, now: number): boolean {
  return now - left.time >= awayMillis;
}

/**
 * Says what is new since the user left: "While you were away: 3 agents finished, 1
 * waits, 2 questions". It returns nothing if nothing is.
 */
export function awayWords(
  t: Translate,
  left: Leaving,
  agents: readonly AgentItem[],
  needs: readonly NeedItem[],
): string {
  const came = agents.filter(({ since }) => since > left.time);
  const finished = came.filter(({ key, state }) => atRest(state) && !atRest(left.agents.get(key))).length;
  const waiting = came.filter(({ state }) => state === 'waiting').length;
  const fresh = (kind: NeedItem['kind']): number =>
    needs.filter((need) => need.kind === kind && need.time > left.time).length;
  const questions = fresh('question');
  const escalations = fresh('escalation');
  const words = join(
    [
      count(finished, t('1 agent finished'), t('{0} agents finished', String(finished))),
      count(waiting, t('1 waits'), t('{0} wait', String(waiting))),
      count(questions, t('1 question'), t('{0} questions', String(questions))),
      count(escalations, t('1 escalation'), t('{0} escalations', String(escalations))),
    ],
    ', ',
  );
  return words === '' ? '' : t('While you were away: {0}', words);
}

function atRest(state: AgentState | undefined): boolean {
  return state === 'idle' || state === 'ended';
}

function count(n: number, one: string, many: string): string {
  return n === 0 ? '' : n === 1 ? one : many;
}
