// What an agent's program is doing, in words.

import type { Translate } from '../fill';
import type { AgentItem } from '../protocol';

/** Says what an agent does: "claude works", "codex waits: Bash", "claude is idle, 2 unread". */
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
    case 'failed':
      return wanted === '' ? t('{0} has failed', name) : t('{0} has failed: {1}', name, wanted);
  }
}

/** Says what the first of a worktree's agents does, which is one that waits if any does, and counts the others. */
export function agentsWords(t: Translate, agents: readonly AgentItem[]): string {
  const [first, ...others] = agents;
  if (first === undefined) return '';
  const words = agentWords(t, first, first.client);
  return others.length === 0 ? words : t('{0} and {1} more', words, String(others.length));
}

/** Returns how many lines were changed: "+210 −40", or nothing. */
export function linesWords(added = 0, removed = 0): string {
  return added + removed === 0 ? '' : `+${added} −${removed}`;
}

/** Returns the name of an agent: its alias, or its program if it has none. */
export function nameOf({ alias, client }: Pick<AgentItem, 'alias' | 'client'>): string {
  return alias === '' ? client : alias;
}

/** Returns an agent's name with its program: "planner (codex)". */
export function fullName(agent: Pick<AgentItem, 'alias' | 'client'>): string {
  const name = nameOf(agent);
  return name === agent.client ? name : `${name} (${agent.client})`;
}
