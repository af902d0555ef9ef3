// Complete protocol values for tests about items that need the user. Tests may change members.

import type { AgentItem, AgentRequest, NeedItem, NeedsPage, Question } from '../src/protocol';
import { message, thread } from './samples';

export function agent(key: string, change: Partial<AgentItem> = {}): AgentItem {
  return {
    key,
    client: 'claude',
    alias: 'coder',
    state: 'idle',
    since: 0,
    unread: 0,
    folder: '/repo',
    processes: [],
    ...change,
  };
}

export function question(id: string, change: Partial<Question> = {}): Question {
  const { ref } = message(id, 0);
  return { thread: thread(id), message: ref, from: 'planner', text: 'Which licence?', time: 0, ...change };
}

/** Returns one item that needs the user, of the kind that `change` has. */
export function need(change: Omit<Partial<NeedItem>, 'kind'>): NeedItem {
  const { question: asked, reply, agent: waiting, escalation, thread: stuck } = change;
  const kind = reply
    ? 'reply'
    : asked
      ? 'question'
      : (waiting ?? stuck)
        ? 'agent'
        : escalation
          ? 'escalation'
          : 'overdue';
  return { kind, section: asked === undefined ? 'blocked' : 'questions', urgent: false, time: 0, ...change };
}

export function needsPage(items: readonly NeedItem[], change: Partial<NeedsPage> = {}): NeedsPage {
  return {
    items,
    unanswered: [],
    total: items.length,
    blocked: 0,
    questions: items.length,
    unansweredTotal: 0,
    revision: 1,
    warnings: [],
    ...change,
  };
}

export function request(id: string, change: Partial<AgentRequest> = {}): AgentRequest {
  return {
    id,
    hash: `hash of ${id}`,
    kind: 'permission',
    tool: 'Bash',
    input: [{ name: 'command', text: 'npm test' }],
    since: 0,
    until: 0,
    ...change,
  };
}
