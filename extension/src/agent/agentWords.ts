// The state of an agent's program, in words.

import { fill, join, type Translate } from '../fill';
import type { AgentItem } from '../protocol';
import { folderName } from '../refs';
import { startable } from './startLine';

/** Returns an agent's state in words: "claude works", "codex waits: Bash", "claude is idle, 2 unread". */
export function agentWords(
  t: Translate,
  { state, for: wanted = '', unread = 0 }: Partial<AgentItem> & Pick<AgentItem, 'state'>,
  name: string,
): string {
  switch (state) {
    case 'working':
      return t('{0} works', name);
    case 'waiting':
      return wanted === '' ? t('{0} waits', name) : t('{0} waits: {1}', name, wanted);
    case 'idle':
      return unread > 0 ? t('{0} is idle, {1} unread', name, String(unread)) : t('{0} is idle', name);
    case 'ended':
      return t('{0} has ended', name);
    case 'done':
      return t('{0} is done', name);
    case 'silent':
      return t('{0} is silent', name);
    case 'stopped':
      return t('{0} may have stopped', name);
    case 'none':
      return t('No agent');
    case 'failed':
      return wanted === '' ? t('{0} has failed', name) : t('{0} has failed: {1}', name, wanted);
  }
}

/** Returns how many lines were changed: "+210 −40", or nothing. */
export function linesWords(added = 0, removed = 0): string {
  return added + removed === 0 ? '' : `+${added} −${removed}`;
}

/** Returns what people call an agent's program: "Claude Code". */
export function programName(client: string): string {
  return startable.find(([command]) => command === client)?.[1] ?? client;
}

/** Lists in one line the agents that work and those that are idle: "coder, docs work · planner idle". */
export function doingWords(t: Translate, agents: readonly AgentItem[]): string {
  const names = (...states: readonly AgentItem['state'][]): readonly string[] => [
    ...new Set(agents.filter(({ state }) => states.includes(state)).map(nameOf)),
  ];
  const work = names('working');
  const idle = names('idle', 'done');
  const group = (list: readonly string[], one: string, many: string): string =>
    list.length === 0 ? '' : fill(list.length === 1 ? one : many, list.join(', '));
  return join(
    [
      group(work, t('{0} works', '{0}'), t('{0} work', '{0}')),
      group(idle, t('{0} idle', '{0}'), t('{0} idle', '{0}')),
    ],
    ' · ',
  );
}

/** Returns an agent's name: the first that is set of its alias, its program and its place. */
export function nameOf(agent: AgentItem): string {
  return agent.alias || programName(agent.client) || placeOf(agent);
}

/** Returns an agent's name with its program: "planner (Codex)". */
export function fullName(agent: AgentItem): string {
  const { alias, client } = agent;
  return alias === '' || alias === client ? nameOf(agent) : `${alias} (${programName(client)})`;
}

/** Returns an agent's place: its branch, or its folder's name if it has none. */
export function placeOf(agent: AgentItem): string {
  return agent.branch ?? folderName(folderOf(agent));
}

/** Returns the folder that an agent works in. */
export function folderOf({ folder, worktree }: AgentItem): string {
  return worktree ?? folder;
}
