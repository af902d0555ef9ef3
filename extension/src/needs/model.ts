// The items that need the user, as the server lists them.

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

/** Returns a row's key. It stays the same while the row needs the user for the same thing. */
export function keyOf({ agent, escalation, overdue, question, reply, request, thread }: NeedItem): string {
  if (question !== undefined) return `question ${refKey(question.message)}`;
  if (agent !== undefined)
    return ['agent', agent.key, ...(request === undefined ? [] : [request.id, request.hash])].join(' ');
  if (escalation !== undefined) return `escalation ${refKey(escalation.ref)}`;
  if (overdue !== undefined) return `overdue ${refKey(overdue.task)}`;
  const one = reply ?? thread;
  return one === undefined ? '' : `thread ${refKey(one.ref)}`;
}

/** Returns the thread that an item is about, or undefined. */
export function threadOf({ question, reply, thread }: NeedItem): ThreadItem | undefined {
  return question?.thread ?? reply ?? thread;
}

/** How many items there are of each kind, listed or not. */
export interface NeedCounts {
  readonly blocked: number;
  readonly questions: number;
  readonly unanswered: number;
}

/** Less than any revision. */
const noRevision = -1;

const noCounts: NeedCounts = { blocked: 0, questions: 0, unanswered: 0 };

/** Requests the list from the server. */
export type FetchNeeds = (params: Requests['signalbox/needs/list']['params']) => Promise<NeedsPage>;

/** The list that was fetched last. Callers make one call at a time. */
export class NeedsModel {
  readonly #fetch: FetchNeeds;
  #page: NeedsPage | undefined;
  #turn = 0;

  constructor(fetch: FetchNeeds) {
    this.#fetch = fetch;
  }

  /** The items that need the user, in the server's order. Empty before the first fetch. */
  get items(): readonly NeedItem[] {
    // The server may send null for an empty list.
    return (this.#page?.items as NeedsPage['items'] | null | undefined) ?? [];
  }

  /** These items and the ones that are merely unanswered. */
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

  /** The revision of the rows. It is -1 before the first fetch and after forgetRevision. */
  get revision(): number {
    return this.#page?.revision ?? noRevision;
  }

  get warnings(): readonly Warning[] {
    return this.#page?.warnings ?? [];
  }

  /** Returns the item of the row with this key. */
  itemOf(key: string): NeedItem | undefined {
    return this.all.find((item) => keyOf(item) === key);
  }

  /** Fetches the list. Returns the page, or undefined if a later call overtook this one. */
  async reload(): Promise<NeedsPage | undefined> {
    const turn = ++this.#turn;
    const page = await this.#fetch({ limit: Limit.needs });
    if (turn !== this.#turn) return undefined;
    this.#page = page;
    return page;
  }

  /** Forgets the revision of a stopped server: the next server counts from the beginning. */
  forgetRevision(): void {
    this.#turn++;
    if (this.#page !== undefined) this.#page = { ...this.#page, revision: noRevision };
  }
}

/**
 * Reports whether an item is an alarm until the user has seen it: an urgent question or mail,
 * or a critical escalation. Agents are not: they wait for permission many times an hour.
 */
export function isAlarm({ urgent, kind }: NeedItem): boolean {
  return urgent && kind !== 'agent';
}

/** Reports whether an agent has unread mail and can be reached by typing into its terminal. */
export function canNudge({ reach, unread }: AgentItem, terminal: boolean): boolean {
  return terminal && reach === 'type' && unread > 0;
}

/** Reports whether agents can ask here: it was set up, or a place where they write exists. */
export function canAsk({ person, directories, mailRoots, ssots }: Status): boolean {
  const hasMail = [...directories, ...mailRoots].some(({ exists }) => exists);
  return person !== undefined || hasMail || ssots.length > 0;
}
