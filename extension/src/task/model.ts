// The state of a task view: the fetched pages of its timeline, joined without gaps
// and duplicates, and the answer that is being written.

import { refKey } from '../refs';
import type {
  Action,
  EscalationItem,
  EscalationPage,
  Overdue,
  Ref,
  RejectedItem,
  Status,
  Suggestion,
  TaskEvent,
  TaskItem,
  TaskPage,
  Warning,
} from '../protocol';

/** An immutable state of one task. The timeline is oldest first. */
export interface TaskState {
  readonly task: TaskItem;
  readonly timeline: readonly TaskEvent[];
  readonly before: string | undefined;
  /** The newest page in words. */
  readonly text: string;
  readonly rejected: readonly RejectedItem[];
  readonly warnings: readonly Warning[];
}

/** Returns a key that is the same for the same step. An answer has the ref of what it answers, so the kind counts. */
export function eventKey({ kind, ref }: Pick<TaskEvent, 'kind' | 'ref'>): string {
  return `${kind} ${refKey(ref)}`;
}

export function firstTaskPage(page: TaskPage): TaskState {
  const { task, timeline, before, text, rejected, warnings } = page;
  return { task, timeline, before, text, rejected, warnings };
}

export function withOlderEvents(state: TaskState, page: TaskPage): TaskState {
  const known = new Set(state.timeline.map(eventKey));
  const older = page.timeline.filter((event) => !known.has(eventKey(event)));
  return { ...state, task: page.task, timeline: [...older, ...state.timeline], before: page.before };
}

/**
 * Returns the state after the newest page was fetched again. Steps older than the
 * page stay. If the page shares no step with the state, something between the
 * two was missed, and only the page is kept.
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

/** Returns the step of a message, if it was fetched. */
export function eventOf(state: TaskState, ref: Ref): TaskEvent | undefined {
  const key = refKey(ref);
  return state.timeline.find((event) => event.kind === 'message' && refKey(event.ref) === key);
}

/** Returns what is overdue in a task and not escalated. */
export function overdueIn(page: EscalationPage, task: Ref): readonly Overdue[] {
  const key = refKey(task);
  return page.overdue.filter((overdue) => refKey(overdue.task) === key);
}

/**
 * Returns the message that an answer in this view is for: the shown escalation while it is
 * open; without one, the message that locked the task if it was not escalated.
 */
export function answerable(
  escalation: EscalationItem | undefined,
  overdue: readonly Overdue[],
): Ref | undefined {
  if (escalation !== undefined)
    return escalation.open && escalation.malformed !== true ? escalation.ref : undefined;
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
 * Returns the answer after a suggestion was chosen. The suggestion replaces an
 * empty text or another suggestion. It is appended to what the user wrote.
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

/** Reports whether anything was chosen or written. */
export function hasContent({ action, body }: Answer): boolean {
  return action !== undefined || body.trim() !== '';
}

/** Returns why nothing can be written to a ref's directory, or undefined if it can. */
export function whyReadOnly(
  status: Status | undefined,
  ref: Ref,
): 'stopped' | 'untrusted' | 'notWritable' | undefined {
  if (status === undefined) return 'stopped';
  if (status.readOnly) return 'untrusted';
  const ssot = status.ssots.find(({ store }) => store === ref.store);
  return ssot?.writable === true ? undefined : 'notWritable';
}
