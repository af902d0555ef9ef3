// What the view of a task holds: the pages of its timeline fetched so far,
// joined without gaps or doubles, and what an answer begins with.

import { refKey } from '../refs';
import type {
  Action,
  EscalationItem,
  EscalationPage,
  Overdue,
  Ref,
  RejectedItem,
  Suggestion,
  TaskEvent,
  TaskItem,
  TaskPage,
  Warning,
} from '../protocol';

/** An immutable view of one task. The timeline is oldest first. */
export interface TaskState {
  readonly task: TaskItem;
  readonly timeline: readonly TaskEvent[];
  readonly before: string | undefined;
  /** The newest page in words. */
  readonly text: string;
  readonly rejected: readonly RejectedItem[];
  readonly warnings: readonly Warning[];
}

/** Equal for the same step of a task: an answer has the ref of what it answers. */
export function eventKey({ kind, ref }: Pick<TaskEvent, 'kind' | 'ref'>): string {
  return `${kind} ${refKey(ref)}`;
}

export function firstTaskPage(page: TaskPage): TaskState {
  const { task, timeline, before, text, rejected, warnings } = page;
  return { task, timeline, before, text, rejected, warnings };
}

/** The state with an older page put before what is there. */
export function withOlderEvents(state: TaskState, page: TaskPage): TaskState {
  const known = new Set(state.timeline.map(eventKey));
  const older = page.timeline.filter((event) => !known.has(eventKey(event)));
  return { ...state, task: page.task, timeline: [...older, ...state.timeline], before: page.before };
}

/**
 * The state after the newest page was fetched again: what is older than the
 * page stays. Where the page shares nothing with what is there, something was
 * missed between the two, and only the page is kept.
 */
export function withNewestEvents(state: TaskState, page: TaskPage): TaskState {
  const fresh = new Set(page.timeline.map(eventKey));
  const overlap = state.timeline.findIndex((event) => fresh.has(eventKey(event)));
  const fetched = firstTaskPage(page);
  if (overlap <= 0) return fetched;
  const first = page.timeline[0];
  const older = state.timeline
    .slice(0, overlap)
    .filter((event) => first === undefined || event.time <= first.time);
  return older.length === 0
    ? fetched
    : { ...fetched, timeline: [...older, ...page.timeline], before: state.before };
}

/** The step that a mention leads to, if it is among those fetched so far. */
export function eventOf(state: TaskState, ref: Ref): TaskEvent | undefined {
  const key = refKey(ref);
  return state.timeline.find((event) => event.kind === 'message' && refKey(event.ref) === key);
}

/** What is overdue in a task and nobody escalated. */
export function overdueIn(page: EscalationPage, task: Ref): readonly Overdue[] {
  const key = refKey(task);
  return page.overdue.filter((overdue) => refKey(overdue.task) === key);
}

/**
 * What an answer given in this view would be to: the escalation that is shown,
 * while it is open; else the message that locked the task, if nobody escalated it.
 */
export function answerable(
  escalation: EscalationItem | undefined,
  overdue: readonly Overdue[],
): Ref | undefined {
  if (escalation !== undefined) return escalation.open ? escalation.ref : undefined;
  return overdue.find(({ kind }) => kind === 'hallucination_lock')?.ref;
}

/** An answer that is being written. */
export interface Answer {
  readonly action: Action | undefined;
  readonly body: string;
  /** The suggestion it began with. */
  readonly suggested: number | undefined;
}

export const noAnswer: Answer = { action: undefined, body: '', suggested: undefined };

/**
 * The answer after a suggestion was chosen. It takes the place of nothing and
 * of another suggestion; what somebody wrote stays, and the suggestion follows it.
 */
export function prefill(answer: Answer, suggestions: readonly Suggestion[], index: number): Answer {
  const chosen = suggestions[index];
  if (chosen === undefined) return answer;
  const last = answer.suggested === undefined ? undefined : suggestions[answer.suggested]?.text;
  const written = answer.body.trim();
  const untouched = written === '' || written === last?.trim();
  const body = untouched ? chosen.text : `${answer.body.trimEnd()}\n\n${chosen.text}`;
  return { action: chosen.action, body, suggested: index };
}

/** Whether there is something to show what would be written of. */
export function begun({ action, body }: Answer): boolean {
  return action !== undefined || body.trim() !== '';
}
