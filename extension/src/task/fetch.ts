// What the view of a task asks the server for: the timeline, and the
// escalations of the task.

import { refKey } from '../refs';
import type { Server } from '../server/client';
import { type EscalationItem, type EscalationPage, type Overdue, type Ref } from '../protocol';
import { overdueIn, withOlderEvents, type TaskState } from './model';

const eventsAtFirst = 50;
/** The server's limit of a page. */
export const pageMax = 200;
/** So many pages are looked through at most for one escalation or message. */
const pagesMax = 10;

/** What is said of a task beside its timeline. */
export interface Alarmed {
  /** The escalation that was asked for, if the ref named one. */
  readonly escalation: EscalationItem | undefined;
  /** The task's escalations that were met on the way: all that are open, and answered ones. */
  readonly all: readonly EscalationItem[];
  readonly overdue: readonly Overdue[];
}

/**
 * Looks for the escalation a ref names, and for others of the task. Open ones
 * come first in the server's list, so that looking ends early for those; a
 * server that knows nothing of `task` gives the others' too.
 */
export async function fetchAlarmed(server: Server, ref: Ref, task: Ref): Promise<Alarmed> {
  const [wanted, ofTask] = [refKey(ref), refKey(task)];
  const all: EscalationItem[] = [];
  let overdue: readonly Overdue[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < pagesMax; pages++) {
    const page: EscalationPage = await server.request('signalbox/escalation/list', {
      limit: pageMax,
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

/** How many steps to fetch so that what is shown is fetched again. */
export function eventsWanted(state: TaskState | undefined): number {
  return Math.min(pageMax, Math.max(eventsAtFirst, state?.timeline.length ?? 0));
}

/** The state with the next older steps. */
export async function fetchOlder(server: Server, ref: Ref, state: TaskState): Promise<TaskState> {
  if (state.before === undefined) return state;
  const page = await server.request('signalbox/task/get', {
    ref,
    before: state.before,
    limit: eventsAtFirst,
  });
  return withOlderEvents(state, page);
}

/** The state with as many older pages as it takes to come to a step; all there are, up to a limit, where it is not there. */
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
