// Sums up in one line what happened while the user was away.

import { join, type Translate } from '../fill';
import type { AgentItem, AgentsPage, AgentState, NeedItem } from '../protocol';
import { linesWords } from '../agent/agentWords';

/** The shortest absence that counts. In a shorter one the user only looked at another window. */
export const awayMillis = 15 * 60_000;

/** The agents' states when the user left. */
export interface Departure {
  readonly time: number;
  readonly agents: ReadonlyMap<string, AgentState>;
}

export function leaving(time: number, agents: readonly AgentItem[]): Departure {
  return { time, agents: new Map(agents.map(({ key, state }) => [key, state])) };
}

/** Reports whether a user who comes back now was away. */
export function wasAway(left: Departure, now: number): boolean {
  return now - left.time >= awayMillis;
}

/** Whether a window has the focus, and whether it was used within the last minute. */
export interface WindowState {
  readonly focused: boolean;
  readonly active: boolean;
}

/** What the line is made from. */
export interface AwayFacts {
  agents(): Promise<AgentsPage>;
  needs(): Promise<readonly NeedItem[]>;
}

/** Tracks whether the user is away, and makes the line for a user who came back. */
export class Away {
  readonly #t: Translate;
  readonly #facts: AwayFacts;
  /** Set while the user is away. */
  #left: Promise<Departure> | undefined;
  #words = '';
  #focused = true;

  constructor(t: Translate, facts: AwayFacts) {
    this.#t = t;
    this.#facts = facts;
  }

  /** The line, or empty once it is dismissed. */
  get words(): string {
    return this.#words;
  }

  /**
   * Takes a change of the window's state, and reports whether the user came back to
   * something new. The user has left a window that lost the focus or was not used for a
   * minute. VS Code calls a window that has just got the focus inactive until a key or a
   * mouse button is pressed, but its user is already back.
   */
  async changed({ focused, active }: WindowState, now: number): Promise<boolean> {
    const came = focused && (active || !this.#focused);
    this.#focused = focused;
    if (!came) {
      // VS Code reports two changes: when the focus goes, and when the window was not used.
      await (this.#left ??= this.#leave(now));
      return false;
    }
    const left = this.#left;
    this.#left = undefined;
    return left !== undefined && this.#back(await left, now);
  }

  /** Forgets that the user left, since no server can tell what happened. */
  forget(): void {
    this.#left = undefined;
  }

  async #leave(now: number): Promise<Departure> {
    const { agents } = await this.#facts.agents();
    return leaving(now, agents);
  }

  async #back(left: Departure, now: number): Promise<boolean> {
    if (!wasAway(left, now)) return false;
    const facts = this.#facts;
    const words = awayWords(this.#t, left, await facts.agents(), await facts.needs());
    if (words !== '') this.#words = words;
    return words !== '';
  }

  dismiss(): void {
    this.#words = '';
  }
}

/**
 * Returns what is new since the user left: "3 agents finished (+210 −40), 1 waits, 2
 * questions". The text is empty if nothing is new.
 */
export function awayWords(
  t: Translate,
  left: Departure,
  page: Pick<AgentsPage, 'agents'>,
  needs: readonly NeedItem[],
): string {
  const agents = page.agents.filter(
    ({ key, since, state }) =>
      since > left.time && (state === 'done' || (atRest(state) && !atRest(left.agents.get(key)))),
  );
  const sum = (of: 'added' | 'removed'): number => agents.reduce((all, one) => all + (one[of] ?? 0), 0);
  const lines = linesWords(sum('added'), sum('removed'));
  const finished = agents.length;
  const ended = count(finished, t('1 agent finished'), t('{0} agents finished', String(finished)));
  const fresh = needs.filter(({ time }) => time > left.time);
  const countOf = (kind: NeedItem['kind'], state?: AgentState): number =>
    fresh.filter((need) => need.kind === kind && (state === undefined || stateOf(need) === state)).length;
  const waiting = countOf('agent', 'waiting');
  const failed = countOf('agent', 'failed');
  const questions = countOf('question');
  const escalations = countOf('escalation');
  return join(
    [
      lines === '' || ended === '' ? ended : `${ended} (${lines})`,
      count(waiting, t('1 waits'), t('{0} wait', String(waiting))),
      count(failed, t('1 failed'), t('{0} failed', String(failed))),
      count(questions, t('1 question'), t('{0} questions', String(questions))),
      count(escalations, t('1 escalation'), t('{0} escalations', String(escalations))),
    ],
    ', ',
  );
}

function stateOf({ agent, thread }: NeedItem): AgentState | undefined {
  return agent?.state ?? thread?.agent?.state;
}

function atRest(state: AgentState | undefined): boolean {
  return state === 'idle' || state === 'ended' || state === 'done';
}

function count(n: number, one: string, many: string): string {
  return n === 0 ? '' : n === 1 ? one : many;
}
