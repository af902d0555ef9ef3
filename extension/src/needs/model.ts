// What needs the user, as the server lists it.

import { refKey } from '../refs';
import {
  Limit,
  type AgentItem,
  type NeedItem,
  type NeedsPage,
  type Requests,
  type Status,
  type ThreadItem,
  type Warning,
} from '../protocol';

/** Returns a name of a row that stays the same while it needs the user for the same thing. */
export function keyOf({ agent, escalation, overdue, question, reply, request, thread }: NeedItem): string {
  if (question !== undefined) return `question ${refKey(question.message)}`;
  if (agent !== undefined)
    return ['agent', agent.key, ...(request === undefined ? [] : [request.id, request.hash])].join(' ');
  if (escalation !== undefined) return `escalation ${refKey(escalation.ref)}`;
  if (overdue !== undefined) return `overdue ${refKey(overdue.task)}`;
  const one = reply ?? thread;
  return one === undefined ? '' : `thread ${refKey(one.ref)}`;
}

/** Returns the thread that something is about, where it is about one. */
export function threadOf({ question, reply, thread }: NeedItem): ThreadItem | undefined {
  return question?.thread ?? reply ?? thread;
}

/** How much of each kind there is, listed or not. */
export interface NeedCounts {
  readonly blocked: number;
  readonly questions: number;
  readonly unanswered: number;
}

/** No revision is as small. */
const none = -1;

const noCounts: NeedCounts = { blocked: 0, questions: 0, unanswered: 0 };

/** How the model asks the server. */
export type FetchNeeds = (params: Requests['signalbox/needs/list']['params']) => Promise<NeedsPage>;

/** What was fetched. Callers wait for one call before the next. */
export class NeedsModel {
  readonly #fetch: FetchNeeds;
  #page: NeedsPage | undefined;
  #turn = 0;

  constructor(fetch: FetchNeeds) {
    this.#fetch = fetch;
  }

  /** What needs the user and counts, in the server's order; none before the first fetch. */
  get items(): readonly NeedItem[] {
    // A list of nothing may come as none.
    return (this.#page?.items as NeedsPage['items'] | null | undefined) ?? [];
  }

  /** The same, and what is merely unanswered. */
  get all(): readonly NeedItem[] {
    return [...this.items, ...(this.#page?.unanswered ?? [])];
  }

  get counts(): NeedCounts {
    if (this.#page === undefined) return noCounts;
    const { blocked, questions, unansweredTotal } = this.#page;
    return { blocked, questions, unanswered: unansweredTotal };
  }

  /** Whether anything was fetched. */
  get loaded(): boolean {
    return this.#page !== undefined;
  }

  /** The revision of the rows; less than any before the first fetch, and for a server that is gone. */
  get revision(): number {
    return this.#page?.revision ?? none;
  }

  get warnings(): readonly Warning[] {
    return this.#page?.warnings ?? [];
  }

  /** Returns what a row of this key is about. */
  itemOf(key: string): NeedItem | undefined {
    return this.all.find((item) => keyOf(item) === key);
  }

  /** Fetches what needs the user. Returns the page, or undefined if a later call overtook this one. */
  async reload(): Promise<NeedsPage | undefined> {
    const turn = ++this.#turn;
    const page = await this.#fetch({ limit: Limit.needs });
    if (turn !== this.#turn) return undefined;
    this.#page = page;
    return page;
  }

  /** Forgets what a server said that is gone: the next one counts its revisions from the beginning. */
  forgetRevision(): void {
    this.#turn++;
    if (this.#page !== undefined) this.#page = { ...this.#page, revision: none };
  }
}

/**
 * Reports whether something alarms until the user has seen it: an urgent question or mail,
 * or a critical escalation. An agent that waits for permission does so many times an hour.
 */
export function alarms({ urgent, kind }: NeedItem): boolean {
  return urgent && kind !== 'agent';
}

/** Reports whether an agent can be nudged: it has unread mail, and a line typed into its terminal reaches it. */
export function canNudge({ reach, unread }: AgentItem, terminal: boolean): boolean {
  return terminal && reach === 'type' && unread > 0;
}

/** Whether agents can ask here: the user set that up, or there is a place where they write. */
export function canAsk({ person, directories, mailRoots, ssots }: Status): boolean {
  const there = [...directories, ...mailRoots].some(({ exists }) => exists);
  return person !== undefined || there || ssots.length > 0;
}
