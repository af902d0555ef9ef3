// The messages between the view of a task and the extension.

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
import type { CommonMessage } from '../views/messages';

/** Whether something can be done, and if not, why. */
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

/** All that the page shows of a task. */
export interface ShownTask {
  readonly type: 'task';
  /** What is shown: an escalation or a task. */
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
  /** Absent where there is nothing to answer. */
  readonly answer: Able | undefined;
  /** Absent where there is nothing to acknowledge. */
  readonly acknowledge: Able | undefined;
}

export type ToTaskView =
  | ShownTask
  | { readonly type: 'reveal'; readonly event: Ref }
  | { readonly type: 'notReached' }
  | { readonly type: 'focusAnswer' }
  | {
      readonly type: 'preview';
      readonly answer: Answer;
      readonly preview: RespondPreview | { readonly fault: string };
    }
  | { readonly type: 'sent' }
  | { readonly type: 'sendFailed'; readonly message: string }
  /** Empty where nothing of the task can be shown: what stands there is another's. */
  | { readonly type: 'failed'; readonly message: string; readonly empty: boolean };

export type FromTaskView =
  | CommonMessage
  | { readonly type: 'acknowledge' }
  | { readonly type: 'preview'; readonly answer: Answer }
  | { readonly type: 'send'; readonly answer: Answer }
  /** Leads to a step of the timeline. */
  | { readonly type: 'mention'; readonly ref: Ref }
  /** Opens the file of a message. The page names no path. */
  | { readonly type: 'file'; readonly ref: Ref }
  | { readonly type: 'rejectedFile'; readonly index: number }
  | { readonly type: 'escalation'; readonly ref: Ref }
  | { readonly type: 'task' };
