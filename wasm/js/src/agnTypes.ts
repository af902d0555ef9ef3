import type { Fault, Findings, Time } from './fault.js';
import type { Bytes, Json, NewJson } from './json.js';

/** The types of messages. */
export type TaskMessageType =
  'task_dispatch' | 'task_result' | 'review_request' | 'review_verdict' | 'escalation';

/**
 * A message of AMP/1.0. Members that are missing or of the wrong kind are empty,
 * and listed in faults: with any of these the message must not be acted upon.
 */
export interface TaskMessage extends Findings {
  readonly id: string;
  readonly version: string;
  /** What the message says, which need not be a type that there is. */
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly taskId: string;
  readonly time: Time;
  readonly requiresAck: boolean;
  /** The message's own, in seconds, or 0. */
  readonly ackTimeout: number;
  /** The one that holds, in seconds, or 0. */
  readonly timeout: number;
  readonly contextRef: readonly string[];
  readonly payload: TaskPayload;
  /**
   * What a message with faults says if it can be read as an escalation in any way,
   * with one of the three severities: its admin has to see it, though it counts for
   * nothing.
   */
  readonly distress?: Escalation;
}

/** The payload of one message: at most the member of its type is set. */
export interface TaskPayload {
  readonly dispatch?: Dispatch;
  readonly result?: TaskResult;
  readonly request?: ReviewRequest;
  readonly verdict?: Verdict;
  readonly escalation?: Escalation;
}

/** A payload without its envelope. */
export interface ReadPayload extends Findings {
  readonly payload: TaskPayload;
}

interface DispatchOf<Value> {
  readonly description: string;
  readonly repo: string;
  readonly branch: string;
  readonly subtasks: readonly {
    readonly id: string;
    readonly description: string;
    readonly estimatedLines: number;
  }[];
  readonly criteria: readonly string[];
  /** low, medium or high. */
  readonly risk: string;
  readonly forbidden?: readonly string[];
  readonly constraints?: Value;
}

/** The payload of a task_dispatch. Here and below an empty list is not a missing one. */
export type Dispatch = DispatchOf<Json>;

/** A dispatch to be written. */
export type NewDispatch = DispatchOf<NewJson>;

interface TaskResultOf<LogTime> {
  readonly subtaskId: string;
  /** complete, partial or failed. */
  readonly status: string;
  readonly files: readonly string[];
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** Has null for what the executor could not verify. */
  readonly criteriaMet: readonly (boolean | null)[];
  readonly notes: readonly string[];
  readonly log: readonly {
    readonly time: LogTime;
    readonly action: string;
    readonly file: string;
    readonly detail: string;
  }[];
  readonly commit?: string;
  readonly blockers?: readonly string[];
}

/** The payload of a task_result. */
export type TaskResult = TaskResultOf<Time>;

/** A result to be written: the times of its log are texts in ISO 8601 with an offset. */
export type NewTaskResult = TaskResultOf<string>;

/** The payload of a review_request. */
export interface ReviewRequest {
  readonly dispatchRef: string;
  readonly resultRef: string;
  /** full or incremental. */
  readonly scope: string;
  readonly diffUrl: string;
  readonly rejectCount: number;
  readonly notes?: string;
  readonly ci?: readonly { readonly name: string; readonly status: string }[];
}

/** The payload of a review_verdict. */
export interface Verdict {
  /** approved, approved_with_fix or rejected. */
  readonly decision: string;
  /** passed is null where it could not be verified. */
  readonly criteria: readonly {
    readonly text: string;
    readonly passed: boolean | null;
    readonly evidence: string;
  }[];
  /** A severity is critical, major or minor; a line counts from 1, and 0 stands for the whole file. */
  readonly issues?: readonly {
    readonly severity: string;
    readonly file: string;
    readonly line: number;
    readonly description: string;
    readonly suggestedFix: string;
  }[];
  readonly fixes?: readonly { readonly file: string; readonly change: string; readonly lines: number }[];
  readonly architecture?: string;
  /** Between 0 and 1. */
  readonly confidence: number;
}

/** The payload of an escalation. */
export interface Escalation {
  readonly kind: string;
  /** critical, warning or info. */
  readonly severity: string;
  readonly triggeredBy: string;
  readonly description: string;
  readonly affected: readonly string[];
  /** The state of the task when it was escalated. */
  readonly snapshot: {
    readonly taskStatus: string;
    readonly rejectCount: number;
    readonly lastSuccessful: string;
  };
  readonly suggested?: readonly string[];
  readonly suspended: boolean;
}

/** What a message shows together with the others of its task; unread counts texts that are no JSON object. */
export interface TaskCheck extends Findings {
  readonly unread: number;
}

/** The texts of what is known of a task, each list in any order. */
export interface TaskHistory {
  readonly messages: readonly Bytes[];
  readonly acks?: readonly Bytes[];
  readonly resumes?: readonly Bytes[];
}

/** Where a task can stand. */
export type Phase =
  | 'none'
  | 'dispatched'
  | 'in work'
  | 'result'
  | 'in review'
  | 'approved'
  | 'rejected'
  | 'locked'
  | 'suspended'
  | 'escalated'
  | 'resumed'
  | 'terminated';

/** Where a task stands at one moment. Times are Unix milliseconds. */
export interface TaskState {
  readonly taskId: string;
  readonly phase: Phase;
  /** Counts the task's rejections, and consecutive those in a row. */
  readonly rejects: number;
  readonly consecutive: number;
  readonly lockNear: boolean;
  /** The rule that locked the task, or empty, and the message. */
  readonly lock: string;
  readonly lockedBy: string;
  /** The escalations that nobody answered. */
  readonly open: readonly string[];
  /** The agents that must not do anything new. */
  readonly suspended: readonly string[];
  /** The messages whose ACK is missing. At the deadline it is still in time. */
  readonly waits: readonly { msgId: string; from: string; to: string; deadline: number; overdue: boolean }[];
  readonly lastWrite: number;
  readonly age: number;
  readonly silent: boolean;
  /** What has to happen next; who is empty where nothing is due. */
  readonly next: { readonly who: string; readonly do: string; readonly msgId: string };
  readonly notes: readonly Fault[];
  /** Counts the texts that are no JSON object, or no record. */
  readonly unread: number;
}

/** Something that the admin must be told and was not told yet. */
export interface Alarm {
  readonly kind: string;
  readonly severity: string;
  readonly msgId: string;
  readonly who: string;
  /** When it became true, in Unix milliseconds. */
  readonly since: number;
  readonly description: string;
  /** The newest message that reached its receiver. */
  readonly lastSuccessful: string;
  /** The payload that says it. */
  readonly escalation: Escalation;
}

/** A list of alarms; unread counts the texts that are no JSON object, or no record. */
export interface Alarms {
  readonly alarms: readonly Alarm[];
  readonly unread: number;
}

/** A message's id in its parts, which are empty if it is not valid. A valid one is safe as the name of a file. */
export interface TaskMessageId {
  readonly valid: boolean;
  readonly type: string;
  readonly taskId: string;
  readonly millis: number;
}

/** What a new message needs beside its payload. */
export interface TaskHead {
  readonly taskId: string;
  /** When the message is made, and the last part of its id. */
  readonly millis: number;
  /** Takes the place of millis in the id. */
  readonly number?: number;
  /** In seconds. Default: the type's. */
  readonly ackTimeout?: number;
  readonly contextRef?: readonly string[];
}

/** A receiver's word that a message arrived. */
export interface Ack {
  readonly msgId: string;
  readonly by: string;
  readonly millis: number;
}

/** The admin's answer: approve, redirect, split or terminate. */
export interface Resume {
  readonly msgId: string;
  readonly action: string;
  readonly text: string;
  readonly millis: number;
}

/** An answer to be written; a redirect needs a text. */
export type NewResume = Omit<Resume, 'text'> & { readonly text?: string };

/** What a task's own file says. */
export interface TaskRecord {
  readonly taskId: string;
  readonly title: string;
  readonly repo: string;
  readonly branch: string;
  readonly risk: string;
  readonly phase: string;
  readonly rejectCount: number;
  readonly messages: number;
  readonly lastMsgId: string;
  /** In Unix milliseconds. */
  readonly created: number;
  readonly updated: number;
}

/** A task's file to be written. */
export type NewTaskRecord = Partial<TaskRecord> &
  Pick<TaskRecord, 'taskId' | 'phase' | 'created' | 'updated'>;

/** A line of the error log. */
export interface Rejection {
  readonly millis: number;
  readonly source: string;
  readonly msgId: string;
  readonly taskId: string;
  /** The SHA-256 of the refused message in hexadecimal digits. */
  readonly digest: string;
  readonly faults: readonly Fault[];
  readonly text: string;
}

/** A line to be written. */
export type NewRejection = Partial<Rejection> & Pick<Rejection, 'millis' | 'source' | 'digest' | 'faults'>;
