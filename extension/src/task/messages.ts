// The messages between the task page and the extension.

import type {
  EscalationItem,
  Overdue,
  Ref,
  RejectedItem,
  RespondPreview,
  EscalationSeverity,
  TaskEvent,
  TaskItem,
  Warning,
} from '../protocol';
import type { Answer } from './model';
import type { Failure } from '../server/failureWords';
import type { KeyAct } from '../keys';
import type { CommonMessage } from '../views/messages';

/** Whether something can be done, and why not. */
export interface Able {
  readonly can: boolean;
  readonly reason: string;
}

/** Another escalation of the same task. */
export interface EscalationLink {
  readonly ref: Ref;
  readonly label: string;
  readonly severity: EscalationSeverity;
  readonly open: boolean;
}

/** Everything that the page shows of a task. */
export interface ShownTask {
  readonly type: 'task';
  /** The escalation or task that is shown. */
  readonly ref: Ref;
  readonly task: TaskItem;
  readonly escalation: EscalationItem | undefined;
  readonly others: readonly EscalationLink[];
  readonly timeline: readonly TaskEvent[];
  readonly older: boolean;
  readonly text: string;
  readonly rejected: readonly RejectedItem[];
  readonly overdue: readonly Overdue[];
  readonly warnings: readonly Warning[];
  /** Undefined if there is nothing to answer. */
  readonly answer: Able | undefined;
  /** Undefined if there is nothing to acknowledge. */
  readonly acknowledge: Able | undefined;
}

export type ToTaskView =
  | ShownTask
  | { readonly type: 'reveal'; readonly event: Ref }
  | { readonly type: 'notReached' }
  | { readonly type: 'focusAnswer' }
  /** Fills the answer in with a suggestion. */
  | { readonly type: 'suggest'; readonly index: number }
  | {
      readonly type: 'preview';
      readonly answer: Answer;
      readonly preview: RespondPreview | { readonly fault: string };
    }
  | { readonly type: 'sent' }
  | { readonly type: 'sendFailed'; readonly failure: Failure }
  /** `empty` if nothing of the task can be shown: the page may still show another task. */
  | { readonly type: 'failed'; readonly failure: Failure; readonly empty: boolean };

export type FromTaskView =
  | CommonMessage
  | { readonly type: 'acknowledge' }
  /** A key that acts on more than this page. */
  | { readonly type: 'key'; readonly act: KeyAct }
  | { readonly type: 'preview'; readonly answer: Answer }
  | { readonly type: 'send'; readonly answer: Answer }
  /** Wants to see a step of the timeline. */
  | { readonly type: 'mention'; readonly ref: Ref }
  /** Wants the file of a message. The page never names a path. */
  | { readonly type: 'file'; readonly ref: Ref }
  | { readonly type: 'rejectedFile'; readonly index: number }
  /** Wants the file of the escalation, which is malformed. */
  | { readonly type: 'malformedFile' }
  | { readonly type: 'escalation'; readonly ref: Ref }
  | { readonly type: 'task' };
