// What happened while the window had no focus, in one line.

import { join, type Translate } from '../fill';
import type { AgentItem, AgentState, Group, NeedItem } from '../protocol';
import { linesWords } from './agentWords';
import type { NeedNode } from './model';

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

/** What the line is made of. */
export interface AwayFacts {
  agents(): Promise<readonly AgentItem[]>;
  needs(): Promise<readonly NeedItem[]>;
  groups(): Promise<readonly Group[]>;
}

/** Whether the user is away, and the line for one who came back. */
export class Away {
  readonly #t: Translate;
  readonly #facts: AwayFacts;
  #left: Leaving | undefined;
  #words = '';
  #turn = 0;

  constructor(t: Translate, facts: AwayFacts) {
    this.#t = t;
    this.#facts = facts;
  }

  /** The row of the line, until it is dismissed. */
  get rows(): readonly NeedNode[] {
    return this.#words === '' ? [] : [{ kind: 'away', words: this.#words }];
  }

  /** Notes what agents do when the user leaves, who may be back before the answer. */
  async leave(now: number): Promise<void> {
    const turn = ++this.#turn;
    const agents = await this.#facts.agents();
    if (turn === this.#turn) this.#left = leaving(now, agents);
  }

  /** Reports whether there is something new to tell the user, who is back. */
  async back(now: number): Promise<boolean> {
    this.#turn++;
    const left = this.#left;
    this.#left = undefined;
    if (left === undefined || !wasAway(left, now)) return false;
    const facts = this.#facts;
    const words = awayWords(this.#t, left, await facts.agents(), await facts.needs(), await facts.groups());
    if (words !== '') this.#words = words;
    return words !== '';
  }

  dismiss(): void {
    this.#words = '';
  }
}

/**
 * Says what is new since the user left: "While you were away: 3 agents finished
 * (+210 −40), 1 waits, 2 questions". It returns nothing if nothing is.
 */
export function awayWords(
  t: Translate,
  left: Leaving,
  agents: readonly AgentItem[],
  needs: readonly NeedItem[],
  groups: readonly Group[],
): string {
  const came = agents.filter(({ since }) => since > left.time);
  const finished = came.filter(({ key, state }) => atRest(state) && !atRest(left.agents.get(key)));
  const waiting = came.filter(({ state }) => state === 'waiting').length;
  const fresh = (kind: NeedItem['kind']): number =>
    needs.filter((need) => need.kind === kind && need.time > left.time).length;
  const questions = fresh('question');
  const escalations = fresh('escalation');
  const lines = changedBy(finished, groups);
  const ended = count(
    finished.length,
    t('1 agent finished'),
    t('{0} agents finished', String(finished.length)),
  );
  const words = join(
    [
      lines === '' || ended === '' ? ended : `${ended} (${lines})`,
      count(waiting, t('1 waits'), t('{0} wait', String(waiting))),
      count(questions, t('1 question'), t('{0} questions', String(questions))),
      count(escalations, t('1 escalation'), t('{0} escalations', String(escalations))),
    ],
    ', ',
  );
  return words === '' ? '' : t('While you were away: {0}', words);
}

/** Returns the lines that agents changed, as the rows of their worktrees have them: "+210 −40". */
function changedBy(agents: readonly AgentItem[], groups: readonly Group[]): string {
  const folders = new Set(agents.map(({ worktree, folder }) => worktree ?? folder));
  const own = groups.filter(({ kind, path = '' }) => kind === 'worktree' && folders.has(path));
  const sum = (of: 'added' | 'removed'): number =>
    own.reduce((all, { doing }) => all + (doing?.[of] ?? 0), 0);
  return linesWords(sum('added'), sum('removed'));
}

function atRest(state: AgentState | undefined): boolean {
  return state === 'idle' || state === 'ended';
}

function count(n: number, one: string, many: string): string {
  return n === 0 ? '' : n === 1 ? one : many;
}
