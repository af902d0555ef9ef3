import type { OpName } from './abi.js';
import type {
  Ack,
  Alarms,
  Escalation,
  NewDispatch,
  NewRejection,
  NewResume,
  NewTaskRecord,
  NewTaskResult,
  ReadPayload,
  Rejection,
  Resume,
  ReviewRequest,
  TaskCheck,
  TaskHead,
  TaskHistory,
  TaskMessage,
  TaskMessageId,
  TaskMessageType,
  TaskRecord,
  TaskState,
  Verdict,
} from './agnTypes.js';
import { measured, Ops } from './caller.js';
import type { Caller } from './caller.js';
import type { Bytes } from './json.js';

/** The ops of AMP/1.0 tasks. Every method is one call of the module. */
export class Agn {
  readonly #ops: Ops;

  constructor(caller: Caller) {
    this.#ops = new Ops(caller);
  }

  /** Reads a message, also one that is invalid. */
  message(message: Bytes): TaskMessage {
    return this.#ops.json('agn.message', {}, message);
  }

  /** Reads a payload without its envelope, as one of the given type. */
  payload(type: TaskMessageType, payload: Bytes): ReadPayload {
    return this.#ops.json('agn.payload', { type }, payload);
  }

  /** Holds a message without faults against the others of its task, in any order. */
  check(message: Bytes, history: readonly Bytes[]): TaskCheck {
    const { parts, lengths } = measured('agn.check', [message, ...history]);
    const [messageLength, ...others] = lengths;
    return this.#ops.json('agn.check', { messageLength, history: others }, parts);
  }

  /** Follows a task to the moment now, in Unix milliseconds. */
  state(taskId: string, history: TaskHistory, now: number): TaskState {
    const { parts, lists } = gathered('agn.state', history);
    return this.#ops.json('agn.state', { taskId, now, ...lists }, parts);
  }

  /** Lists what the admin must be told at the moment now and was not told yet; refused messages count for nothing. */
  alarms(taskId: string, history: TaskHistory, now: number, refused: readonly Bytes[] = []): Alarms {
    const { parts, lists } = gathered('agn.alarms', history);
    const more = measured('agn.alarms', refused);
    return this.#ops.json('agn.alarms', { taskId, now, ...lists, refused: more.lengths }, [
      ...parts,
      ...more.parts,
    ]);
  }

  /** Takes a message's id apart. */
  id(id: string): TaskMessageId {
    return this.#ops.json('agn.id', {}, id);
  }

  /** Tells whether an id has the form T-YYYY-NNN. One that has is safe as the name of a file. */
  validTaskId(id: string): boolean {
    return this.#ops.json('agn.validTaskId', {}, id).valid;
  }

  /** Makes a task_dispatch. This and the next four make no message that message would find fault with. */
  buildDispatch(head: TaskHead, dispatch: NewDispatch): Uint8Array {
    return this.#ops.bytes('agn.buildDispatch', { ...head, dispatch });
  }

  /** Makes a task_result. */
  buildResult(head: TaskHead, result: NewTaskResult): Uint8Array {
    return this.#ops.bytes('agn.buildResult', { ...head, result });
  }

  /** Makes a review_request. */
  buildRequest(head: TaskHead, request: ReviewRequest): Uint8Array {
    return this.#ops.bytes('agn.buildRequest', { ...head, request });
  }

  /** Makes a review_verdict. */
  buildVerdict(head: TaskHead, verdict: Verdict): Uint8Array {
    return this.#ops.bytes('agn.buildVerdict', { ...head, verdict });
  }

  /** Makes an escalation from the given party to the admin. */
  buildEscalation(head: TaskHead, from: string, escalation: Escalation): Uint8Array {
    return this.#ops.bytes('agn.buildEscalation', { ...head, from, escalation });
  }

  /** Reads an ACK. */
  ack(record: Bytes): Ack {
    return this.#ops.json('agn.ack', {}, record);
  }

  /** Reads the admin's answer. */
  resume(record: Bytes): Resume {
    return this.#ops.json('agn.resume', {}, record);
  }

  /** Reads a task's file. */
  record(record: Bytes): TaskRecord {
    return this.#ops.json('agn.record', {}, record);
  }

  /** Reads a line of the error log. */
  rejection(line: Bytes): Rejection {
    return this.#ops.json('agn.rejection', {}, line);
  }

  /** Makes an ACK. */
  buildAck(ack: Ack): Uint8Array {
    return this.#ops.bytes('agn.buildAck', ack);
  }

  /** Makes the admin's answer. */
  buildResume(resume: NewResume): Uint8Array {
    return this.#ops.bytes('agn.buildResume', resume);
  }

  /** Makes a task's file. */
  buildRecord(record: NewTaskRecord): Uint8Array {
    return this.#ops.bytes('agn.buildRecord', record);
  }

  /** Makes a line of the error log, with its line end. */
  buildRejection(rejection: NewRejection): Uint8Array {
    return this.#ops.bytes('agn.buildRejection', rejection);
  }
}

/** The texts of a history one after the other, and their lengths by list. */
function gathered(
  op: OpName,
  history: TaskHistory,
): { parts: Uint8Array[]; lists: { messages: number[]; acks: number[]; resumes: number[] } } {
  const messages = measured(op, history.messages);
  const acks = measured(op, history.acks ?? []);
  const resumes = measured(op, history.resumes ?? []);
  return {
    parts: [...messages.parts, ...acks.parts, ...resumes.parts],
    lists: { messages: messages.lengths, acks: acks.lengths, resumes: resumes.lengths },
  };
}
