// What the task view requests from the server: the timeline and the task's
// escalations.

import { refKey } from '../refs';
import type { Server } from '../server/client';
import { Limit, type EscalationItem, type EscalationPage, type Overdue, type Ref } from '../protocol';
import { overdueIn, withOlderEvents, type TaskState } from './model';

const eventsAtFirst = 50;
/** How many pages are searched for one escalation or message at most. */
const pagesMax = 10;

/** A task's escalations, and what is overdue in it. */
export interface TaskEscalations {
  /** The requested escalation, if the ref named one. */
  readonly escalation: EscalationItem | undefined;
  /** The task's escalations that were found: all open ones and some answered ones. */
  readonly all: readonly EscalationItem[];
  readonly overdue: readonly Overdue[];
}

/**
 * Fetches the escalation that a ref names, and the task's others. The server
 * lists open ones first, so the search can end early.
 */
export async function fetchEscalations(server: Server, ref: Ref, task: Ref): Promise<TaskEscalations> {
  const [wanted, ofTask] = [refKey(ref), refKey(task)];
  const all: EscalationItem[] = [];
  let overdue: readonly Overdue[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < pagesMax; pages++) {
    const page: EscalationPage = await server.request('signalbox/escalation/list', {
      limit: Limit.page,
      task,
      ...(cursor === undefined ? {} : { cursor }),
    });
    all.push(...page.items.filter((item) => refKey(item.task.ref) === ofTask));
    overdue = overdueIn(page, task);
    cursor = page.nextCursor;
    const found = wanted === ofTask || all.some((item) => refKey(item.ref) === wanted);
    if (cursor === undefined || (found && page.items.some(({ open }) => !open))) break;
  }
  return { escalation: all.find((item) => refKey(item.ref) === wanted), all, overdue };
}

/** Returns how many steps to fetch so that all shown ones are among them. */
export function eventsWanted(state: TaskState | undefined): number {
  return Math.min(Limit.page, Math.max(eventsAtFirst, state?.timeline.length ?? 0));
}

export async function fetchOlder(server: Server, ref: Ref, state: TaskState): Promise<TaskState> {
  if (state.before === undefined) return state;
  const page = await server.request('signalbox/task/get', {
    ref,
    before: state.before,
    limit: eventsAtFirst,
  });
  return withOlderEvents(state, page);
}

/** Fetches older pages until a condition holds, up to a limit. */
export async function fetchUntil(
  server: Server,
  ref: Ref,
  state: TaskState,
  reached: (state: TaskState) => boolean,
): Promise<TaskState> {
  let fetched = state;
  for (let pages = 0; pages < pagesMax && fetched.before !== undefined && !reached(fetched); pages++) {
    fetched = await fetchOlder(server, ref, fetched);
  }
  return fetched;
}
