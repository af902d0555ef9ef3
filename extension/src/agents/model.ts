// The rows of "Agents": their texts and their actions. This file depends on neither VS Code nor
// the page.

import type { AgentItem } from '../protocol';
import { folderOf, nameOf, placeOf } from '../agent/agentWords';

/** The state that a row shows: one of the server's states, or asking. */
export type RowState = AgentItem['state'] | 'asks';

/** An action on a row. */
export type AgentAct =
  'message' | 'continue' | 'start' | 'setUp' | 'changes' | 'terminal' | 'window' | 'open';

/** A row as the page shows it. */
export interface AgentRow {
  readonly key: string;
  readonly name: string;
  readonly place: string;
  /** When it began, if another row has the same name and place; otherwise empty. */
  readonly clock: string;
  readonly state: RowState;
  /** What it waits for, or its last message, or why it failed. */
  readonly text: string;
  /** Whether the text is what it waits for. */
  readonly waits: boolean;
  readonly since: number;
  readonly unread: number;
  readonly added: number;
  readonly removed: number;
  readonly gone: boolean;
  readonly needs: boolean;
  /** The actions that have a button, the main one first. */
  readonly acts: readonly AgentAct[];
  readonly thread: boolean;
  readonly reach: AgentItem['reach'] | undefined;
}

/** What the page shows. */
export interface AgentsShown {
  readonly rows: readonly AgentRow[];
  readonly older: readonly AgentRow[];
  readonly needing: number;
  readonly working: number;
  readonly done: number;
  readonly added: number;
  readonly removed: number;
}

/** What a row depends on besides the agents. */
export interface AgentContext {
  readonly now: number;
  /** Whether the program runs in a terminal of this window. */
  inTerminal(agent: AgentItem): boolean;
  /** The clock time at which a thread began, to tell agents of the same name apart. */
  clock(time: number): string;
}

const day = 24 * 60 * 60_000;

/** Returns the rows in the server's order. Rows older than a day are in a list of their own. */
export function shownOf(agents: readonly AgentItem[], context: AgentContext): AgentsShown {
  const names = agents.map(nameOf);
  const rows = agents.map((agent, at) => {
    const begun = agent.begun ?? 0;
    const alike = agents.some(
      (other, index) => index !== at && names[index] === names[at] && placeOf(other) === placeOf(agent),
    );
    return { agent, row: rowOf(agent, context, alike && begun > 0 ? context.clock(begun) : '') };
  });
  const old = ({ agent }: (typeof rows)[number]): boolean => isOld(agent, context.now);
  const recent = rows.filter((one) => !old(one)).map(({ row }) => row);
  const count = (means: (row: AgentRow) => boolean): number => recent.filter(means).length;
  return {
    rows: recent,
    older: rows.filter(old).map(({ row }) => row),
    needing: count(({ needs }) => needs),
    working: count(({ state }) => state === 'working'),
    done: count(({ state }) => state === 'done'),
    added: recent.reduce((sum, { added }) => sum + added, 0),
    removed: recent.reduce((sum, { removed }) => sum + removed, 0),
  };
}

/** Reports whether nothing happened for a day, and the agent neither works nor waits. */
function isOld({ since, state, needs }: AgentItem, now: number): boolean {
  return since > 0 && now - since > day && needs !== true && state !== 'working' && state !== 'waiting';
}

function rowOf(agent: AgentItem, context: AgentContext, clock: string): AgentRow {
  const { added = 0, asks, gone = false, key, needs = false, reach, removed = 0 } = agent;
  // The state already shows that it waits for a permission.
  const wanted = agent.permission ?? agent.for ?? '';
  const state = agent.state === 'waiting' && asks === true ? 'asks' : agent.state;
  const said = agent.said ?? '';
  const waits = agent.state === 'waiting' && wanted !== '';
  return {
    ...{ key, clock, state, added, removed, gone, needs, reach },
    name: nameOf(agent),
    place: placeOf(agent),
    text: waits || (agent.state === 'failed' && said === '') ? wanted : said,
    waits,
    since: agent.since,
    unread: agent.unread,
    thread: agent.thread !== undefined,
    acts: actsOf(agent, context.inTerminal(agent)),
  };
}

/** Returns an agent's actions, the main one first. If the agent is done, that is showing its changes. */
function actsOf(agent: AgentItem, terminal: boolean): readonly AgentAct[] {
  const there = agent.gone !== true && folderOf(agent) !== '';
  const reach = reachAct(agent);
  const acts: readonly (AgentAct | undefined)[] = [
    reach,
    there || agent.thread !== undefined ? 'changes' : undefined,
    terminal ? 'terminal' : undefined,
    there && agent.opened !== true ? 'window' : undefined,
  ];
  const all = acts.filter((act) => act !== undefined);
  if (agent.state !== 'done' || !all.includes('changes')) return all;
  return ['changes', ...all.filter((act) => act !== 'changes')];
}

/** Returns the action that gets a message to an agent, or the step that comes before it. */
function reachAct({ alias, reach, state, thread }: AgentItem): AgentAct | undefined {
  if (state === 'none') return 'start';
  if (reach === 'setUp') return 'setUp';
  if (reach === 'continue') return thread === undefined ? undefined : 'continue';
  return reach === undefined || alias === '' ? undefined : 'message';
}

/** A file in the open row. */
export interface RowFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}
