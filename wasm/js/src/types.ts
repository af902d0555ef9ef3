// The JSON that the module's ops take and answer; only this file describes it. A type that is
// written in another form than it is read has a second type, New…, for that form. A test compares
// the types of results with the module's answers.
import type { Bytes, Json, Mode, NewJson } from './json.js';

/** Time is a timestamp as a message has it. It is written as its text. */
export interface Time {
  /** What the message says, also where it cannot be read. */
  readonly text: string;
  /** In Unix milliseconds. */
  readonly millis: number;
  /** Whether the text could be read. */
  readonly ok: boolean;
}

/**
 * TaskMessage is a message of AMP/1.0. Members that are missing or of the wrong kind
 * are zero, and listed in the faults. A message with faults must not be acted upon.
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
  /** The timeout in the message, in seconds, or 0. */
  readonly ackTimeout: number;
  /** The timeout that applies, in seconds, or 0. */
  readonly timeout: number;
  readonly contextRef: readonly string[];
  readonly payload: TaskPayload;
  /**
   * A message with faults as an escalation, if it can be read as one in any way, with one of
   * the three severities. The admin has to see it, though it has no effect.
   */
  readonly distress?: Escalation;
}

/** TaskPayload is the payload of one message. At most the member of the message's type is set. */
export interface TaskPayload {
  readonly dispatch?: Dispatch;
  readonly result?: TaskResult;
  readonly request?: ReviewRequest;
  readonly verdict?: Verdict;
  readonly escalation?: Escalation;
}

/** ReadPayload is a payload without its envelope. */
export interface ReadPayload extends Findings {
  readonly payload: TaskPayload;
}

/** Dispatch is the payload of a task_dispatch. Here and below an empty list is not a missing one. */
export interface Dispatch {
  readonly description: string;
  readonly repo: string;
  readonly branch: string;
  readonly subtasks: readonly Subtask[];
  readonly criteria: readonly string[];
  /** One of low, medium and high. */
  readonly risk: string;
  readonly forbidden?: readonly string[];
  /** The message's own object. It is written without white space. */
  readonly constraints?: Json;
}

/** NewDispatch is the payload of a task_dispatch. Here and below an empty list is not a missing one. */
export interface NewDispatch {
  readonly description: string;
  readonly repo: string;
  readonly branch: string;
  readonly subtasks: readonly Subtask[];
  readonly criteria: readonly string[];
  /** One of low, medium and high. */
  readonly risk: string;
  readonly forbidden?: readonly string[];
  /** The message's own object. It is written without white space. */
  readonly constraints?: NewJson;
}

/** Subtask is one step of a dispatch. */
export interface Subtask {
  readonly id: string;
  readonly description: string;
  readonly estimatedLines: number;
}

/** TaskResult is the payload of a task_result. */
export interface TaskResult {
  readonly subtaskId: string;
  /** One of complete, partial and failed. */
  readonly status: string;
  readonly files: readonly string[];
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** null for a criterion that the executor could not verify. */
  readonly criteriaMet: readonly (boolean | null)[];
  readonly notes: readonly string[];
  readonly log: readonly LogEntry[];
  readonly commit?: string;
  readonly blockers?: readonly string[];
}

/** NewTaskResult is the payload of a task_result. */
export interface NewTaskResult {
  readonly subtaskId: string;
  /** One of complete, partial and failed. */
  readonly status: string;
  readonly files: readonly string[];
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** null for a criterion that the executor could not verify. */
  readonly criteriaMet: readonly (boolean | null)[];
  readonly notes: readonly string[];
  readonly log: readonly NewLogEntry[];
  readonly commit?: string;
  readonly blockers?: readonly string[];
}

/** LogEntry is one step of a result's work log. */
export interface LogEntry {
  readonly time: Time;
  readonly action: string;
  readonly file: string;
  readonly detail: string;
}

/** NewLogEntry is one step of a result's work log. */
export interface NewLogEntry {
  readonly time: string;
  readonly action: string;
  readonly file: string;
  readonly detail: string;
}

/** ReviewRequest is the payload of a review_request. */
export interface ReviewRequest {
  readonly dispatchRef: string;
  readonly resultRef: string;
  /** Either full or incremental. */
  readonly scope: string;
  readonly diffUrl: string;
  readonly rejectCount: number;
  readonly notes?: string;
  readonly ci?: readonly CIBuild[];
}

/** CIBuild is one member of a request's ci_status. */
export interface CIBuild {
  readonly name: string;
  readonly status: string;
}

/** Verdict is the payload of a review_verdict. */
export interface Verdict {
  /** One of approved, approved_with_fix and rejected. */
  readonly decision: string;
  readonly criteria: readonly Criterion[];
  readonly issues?: readonly Issue[];
  readonly fixes?: readonly Fix[];
  readonly architecture?: string;
  /** Between 0 and 1. */
  readonly confidence: number;
}

/** Criterion is the judgement on one acceptance criterion. */
export interface Criterion {
  readonly text: string;
  /** null where it could not be verified. */
  readonly passed: boolean | null;
  readonly evidence: string;
}

/** Issue is one finding of a review. */
export interface Issue {
  /** One of critical, major and minor. */
  readonly severity: string;
  readonly file: string;
  /** Counts from 1; 0 means the whole file. */
  readonly line: number;
  readonly description: string;
  readonly suggestedFix: string;
}

/** Fix is what a reviewer repaired directly. */
export interface Fix {
  readonly file: string;
  readonly change: string;
  readonly lines: number;
}

/** Escalation is the payload of an escalation. */
export interface Escalation {
  readonly kind: string;
  /** One of critical, warning and info. */
  readonly severity: string;
  readonly triggeredBy: string;
  readonly description: string;
  readonly affected: readonly string[];
  readonly snapshot: Snapshot;
  readonly suggested?: readonly string[];
  readonly suspended: boolean;
}

/** Snapshot is the state of a task when it was escalated. */
export interface Snapshot {
  readonly taskStatus: string;
  readonly rejectCount: number;
  readonly lastSuccessful: string;
}

/** TaskCheck holds the findings on a message together with the others of its task. */
export interface TaskCheck extends Findings {
  /** Counts the texts that are not JSON objects. */
  readonly unread: number;
}

/** TaskHistory holds the texts that are known about a task, each list in any order. */
export interface TaskHistory {
  readonly messages: readonly Bytes[];
  readonly acks?: readonly Bytes[];
  readonly resumes?: readonly Bytes[];
}

/** Phase is how far a task has come. */
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

/** TaskState is the state of a task at one moment. Times are Unix milliseconds. */
export interface TaskState {
  readonly taskId: string;
  readonly phase: Phase;
  /** Counts the task's rejections, and its rejections in a row. */
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
  readonly waits: readonly Wait[];
  readonly lastWrite: number;
  readonly age: number;
  readonly silent: boolean;
  readonly next: NextAction;
  readonly notes: readonly Fault[];
  /** Counts the texts that are not JSON objects, or not records. */
  readonly unread: number;
}

/** Wait is a message whose ACK is missing. */
export interface Wait {
  readonly msgId: string;
  readonly from: string;
  readonly to: string;
  /** In Unix milliseconds. At the deadline the ACK is still in time. */
  readonly deadline: number;
  readonly overdue: boolean;
}

/** NextAction is what has to happen next, and who has to do it. Both are empty if nothing is due. */
export interface NextAction {
  readonly who: string;
  readonly do: string;
  readonly msgId: string;
}

/** Alarm is something that must be reported to the admin and was not reported yet. */
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
  /** The payload that reports it. */
  readonly escalation: Escalation;
}

/** Alarms lists what must be reported to the admin. */
export interface Alarms {
  readonly alarms: readonly Alarm[];
  /** Counts the texts that are not JSON objects, or not records. */
  readonly unread: number;
}

/**
 * MessageId is a message's id in its parts, which are empty if it is not valid. A valid
 * one is safe as the name of a file.
 */
export interface MessageId {
  readonly valid: boolean;
  readonly type: string;
  readonly taskId: string;
  readonly millis: number;
}

/**
 * TaskHead holds what a new message needs besides its payload. The id, the parties and
 * whether an ACK is asked for follow from the type.
 */
export interface TaskHead {
  readonly taskId: string;
  /** When the message is made, and the last part of its id. */
  readonly millis: number;
  /** Takes the place of the time in the id. */
  readonly number?: number;
  /** In seconds, by default the type's. */
  readonly ackTimeout?: number;
  readonly contextRef?: readonly string[];
}

/** Ack confirms that a message reached its receiver. */
export interface Ack {
  readonly msgId: string;
  readonly by: string;
  readonly millis: number;
}

/** Resume is the admin's answer. A redirect needs a text. */
export interface Resume {
  readonly msgId: string;
  /** One of approve, redirect, split and terminate. */
  readonly action: string;
  readonly text: string;
  readonly millis: number;
}

/** NewResume is the admin's answer. A redirect needs a text. */
export interface NewResume {
  readonly msgId: string;
  /** One of approve, redirect, split and terminate. */
  readonly action: string;
  readonly text?: string;
  readonly millis: number;
}

/** TaskRecord is the content of a task's own file. */
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

/** NewTaskRecord is the content of a task's own file. */
export interface NewTaskRecord {
  readonly taskId: string;
  readonly title?: string;
  readonly repo?: string;
  readonly branch?: string;
  readonly risk?: string;
  readonly phase: string;
  readonly rejectCount?: number;
  readonly messages?: number;
  readonly lastMsgId?: string;
  /** In Unix milliseconds. */
  readonly created: number;
  readonly updated: number;
}

/** Rejection is a line of the error log. */
export interface Rejection {
  readonly millis: number;
  readonly source: string;
  readonly msgId: string;
  readonly taskId: string;
  /** The SHA-256 of the refused message in hexadecimal digits. */
  readonly digest: string;
  readonly faults: readonly Fault[];
  /** The message itself, where nothing else keeps it. */
  readonly text: string;
}

/** NewRejection is a line of the error log. */
export interface NewRejection {
  readonly millis: number;
  readonly source: string;
  readonly msgId?: string;
  readonly taskId?: string;
  /** The SHA-256 of the refused message in hexadecimal digits. */
  readonly digest: string;
  readonly faults: readonly Fault[];
  /** The message itself, where nothing else keeps it. */
  readonly text?: string;
}

/**
 * Mail is a message of amp/0.1 as it is stored. Members that are missing or of the
 * wrong kind are zero, and listed in the faults. The sender, receiver, subject,
 * priority, inReplyTo and payload are signed; anybody can have written the rest.
 */
export interface Mail extends Findings {
  readonly version: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** One of urgent, high, normal and low. */
  readonly priority: string;
  readonly time: Time;
  readonly expires: Time;
  /** In base64, and empty where the message is not signed. */
  readonly signature: string;
  /** Names the signature, so that it is found again under another message's id. */
  readonly signatureId: string;
  readonly inReplyTo: string;
  readonly threadId: string;
  readonly idempotencyKey: string;
  readonly payload: MailPayload;
  readonly local: MailLocal;
  readonly security: MailSecurity;
}

/** MailPayload is the content of a message. */
export interface MailPayload {
  readonly type: string;
  /** The message itself, as it is stored, a trust wrapper included. */
  readonly text: string;
  /** The message's own object. Its bytes are signed: see verify. */
  readonly context: Json;
  readonly attachments: readonly MailAttachment[];
}

/**
 * MailAttachment describes a file of a message, which is stored elsewhere. Its content
 * is safe to open only after checkAttachment.
 */
export interface MailAttachment {
  readonly id: string;
  /** Safe to use only through filename. */
  readonly filename: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** sha256: and 64 hexadecimal digits. */
  readonly digest: string;
  /** Never fetched by itself. */
  readonly url: string;
  readonly scanStatus: string;
  readonly uploaded: Time;
  readonly expires: Time;
}

/**
 * NewMailAttachment describes a file of a message, which is stored elsewhere. Its
 * content is safe to open only after checkAttachment.
 */
export interface NewMailAttachment {
  readonly id: string;
  /** Safe to use only through filename. */
  readonly filename: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** sha256: and 64 hexadecimal digits. */
  readonly digest: string;
  /** Never fetched by itself. */
  readonly url: string;
  readonly scanStatus: string;
  readonly uploaded: string;
  readonly expires: string;
}

/** MailLocal is what the receiver's client stores with a message. */
export interface MailLocal {
  readonly received: Time;
  readonly readAt: Time;
  /** One of unread, read and archived. */
  readonly status: string;
  /** How the message came. */
  readonly method: string;
  /** Set by whoever stored the message. It proves nothing. */
  readonly verified: boolean;
}

/**
 * MailSecurity is somebody else's assessment of a message when it was stored:
 * information, and never a reason to trust it.
 */
export interface MailSecurity {
  readonly trustLevel: string;
  readonly flags: readonly string[];
  readonly quarantineId: string;
  readonly windowScan: string;
  /** From 0 to 100, or -1 if there is none. */
  readonly riskScore: number;
  readonly riskLevel: string;
  readonly wrapped: boolean;
}

/** MailVerdict is the result of verifying a signature. */
export interface MailVerdict {
  readonly verified: boolean;
  /**
   * The form in which the message was signed: "as stored", "without the empty
   * attachments" or "without the trust wrapper", each perhaps followed by ", with" and
   * what its sender wrote in another way; or "not verified".
   */
  readonly step: string;
  /**
   * The payload as it was hashed, and the text that was signed. Both are empty where
   * the signature does not fit.
   */
  readonly payload: string;
  readonly signed: string;
  /** What is wrong. */
  readonly fault: Fault | null;
}

/** MailKnown is what a reader knows when a message is judged. */
export interface MailKnown {
  /** In Unix milliseconds. */
  readonly now: number;
  /** The sender's keys, in PEM or DER. */
  readonly keys?: readonly Bytes[];
  /** The fingerprint of the key that was first seen of the sender. */
  readonly pin?: string;
  /** The reader's addresses. */
  readonly self?: readonly string[];
  /** The signatures of messages that came before, the oldest first. */
  readonly earlier?: readonly MailSignature[];
}

/** MailSignature is the signature of a message by its signatureId, and the message's id. */
export interface MailSignature {
  readonly signatureId: string;
  readonly id: string;
  /** The message's key, or empty where it is not known. */
  readonly idempotencyKey?: string;
}

/** MailTrust is how far a message can be trusted. */
export interface MailTrust {
  readonly state:
    | 'verified'
    | 'external'
    | 'untrusted'
    | 'unsigned'
    | 'key unknown'
    | 'key mismatch'
    | 'replayed'
    | 'expired'
    | 'sent before';
  /** A lower-case phrase for a person. It may quote the message. */
  readonly reason: string;
  /** The step of a [MailVerdict]. */
  readonly step: string;
  /** The fingerprint of the key that the signature fits, or empty. */
  readonly key: string;
  /** Categories of suspicious words: a hint for a person. */
  readonly flags: readonly string[];
}

/** MailLink is what a message says about its place in a conversation. */
export interface MailLink {
  readonly id: string;
  readonly inReplyTo?: string;
}

/** MailPlace is a message's place in a conversation. */
export interface MailPlace {
  /** The id of the message that the conversation begins with. */
  readonly thread: string;
  /** The index of the message that it replies to, or -1. */
  readonly parent: number;
  /** Counts the messages above it that are there. */
  readonly depth: number;
  /** Whether it replies to a message that is not there. */
  readonly missing: boolean;
  /** Whether it was taken out of a circle of replies. */
  readonly cycle: boolean;
}

/** MailDraft is a message to be written. */
export interface MailDraft {
  /** As newId and newIdempotencyKey make them. A retry keeps both. */
  readonly id: string;
  readonly idempotencyKey: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** By default normal. */
  readonly priority?: string;
  /** When it is written, in Unix milliseconds. */
  readonly millis: number;
  /** In Unix milliseconds. */
  readonly expires?: number;
  readonly inReplyTo?: string;
  readonly threadId?: string;
  readonly type: string;
  readonly text?: string;
  /** A JSON object. */
  readonly context?: NewJson;
  readonly attachments?: readonly NewMailAttachment[];
  /** Whether a provider will take the message. */
  readonly routed?: boolean;
}

/** MailLetter is a message that only lacks its signature. */
export interface MailLetter {
  /** The payload as it is hashed and written. */
  readonly payload: string;
  /** The text to sign: Ed25519 signs it as it is, RSA and ECDSA sign its SHA-256 digest. */
  readonly signed: string;
  /** Lists what other implementations hash in another way. */
  readonly portability: readonly Fault[];
}

/** MailReply is the beginning of an answer's draft. */
export interface MailReply {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly inReplyTo: string;
  readonly threadId: string;
}

/** MailFilename holds the safe forms of a file's name. */
export interface MailFilename {
  /** The name under which a received attachment may be stored, empty with a fault. */
  readonly safe: string;
  readonly safeFault: Fault | null;
  /** The name that a new attachment gets for a file of that name, empty with a fault. */
  readonly clean: string;
  readonly cleanFault: Fault | null;
  /** Whether it is the name of a device on Windows. */
  readonly device: boolean;
}

/** MailKey is a public key. */
export interface MailKey {
  readonly algorithm: 'Ed25519' | 'RSA' | 'ECDSA P-256';
  /** SHA256: and the base64 form of the digest of the key's DER form. */
  readonly fingerprint: string;
  readonly pem: string;
}

/** MailId is the id of a message or an attachment in its parts. A valid one is safe as the name of a file. */
export interface MailId {
  readonly valid: boolean;
  /** In Unix seconds. */
  readonly seconds: number;
  /** Whether the id counts milliseconds. */
  readonly millis: boolean;
  readonly suffix: string;
  readonly dashes: boolean;
}

/** MailAddress is a full address in its parts, both empty if it is not valid. */
export interface MailAddress {
  readonly valid: boolean;
  readonly agent: string;
  readonly domain: string;
}

/** Version is a file's specVersion, 0.0 where it cannot be read. */
export interface Version {
  readonly major: number;
  readonly minor: number;
}

/** ThreadTime is a timestamp as a thread's file has it. */
export interface ThreadTime {
  /** What the file says, also where it cannot be read. */
  readonly text: string;
  /** In Unix milliseconds. */
  readonly millis: number;
  /** Whether the text could be read, and whether it says itself that it is in UTC. */
  readonly ok: boolean;
  readonly utc: boolean;
}

/**
 * AgentThread is a thread.json. Members that are missing or of the wrong kind are zero,
 * and listed in the faults.
 */
export interface AgentThread extends Findings {
  readonly version: Version;
  readonly id: string;
  readonly title: string;
  readonly created: ThreadTime;
  readonly updated: ThreadTime;
  readonly agent: Agent;
  readonly context: ThreadContext;
  readonly stats: Counts;
  /** The thread that this one was forked from, or empty. */
  readonly parentId: string;
  /** The file's own object. */
  readonly metadata: Json;
  /** Set where the id is not the name of the thread's directory. */
  readonly odd: Fault | null;
}

/** Agent says who answers in a thread. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly protocol: string;
  readonly protocolVersion: number;
}

/** NewAgent says who answers in a thread. */
export interface NewAgent {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly protocol?: string;
  readonly protocolVersion?: number;
}

/** ThreadContext says where a thread was held. Its paths are a stranger's words. */
export interface ThreadContext {
  readonly workingDir: string;
  readonly relativeDir: string;
  readonly gitBranch: string;
  readonly gitCommit: string;
  readonly worktree: Worktree | null;
}

/** NewThreadContext says where a thread was held. Its paths are a stranger's words. */
export interface NewThreadContext {
  readonly workingDir: string;
  readonly relativeDir?: string;
  readonly gitBranch?: string;
  readonly gitCommit?: string;
  readonly worktree?: Worktree | null;
}

/** Worktree is the git worktree that a thread ran in. */
export interface Worktree {
  readonly path: string;
  readonly branch: string;
}

/** Counts are the figures of a thread. They include the messages of the system. */
export interface Counts {
  readonly messages: number;
  readonly user: number;
  readonly agent: number;
  readonly toolCalls: number;
}

/** AgentMessage is one line of a messages.jsonl. */
export interface AgentMessage extends Findings {
  /** What the file says. */
  readonly id: string;
  readonly role: string;
  readonly time: ThreadTime;
  readonly content: readonly Block[];
  readonly tools: readonly ToolCall[];
  /** Counts what the line has, including what is not listed. */
  readonly blocks: number;
  readonly toolCalls: number;
  readonly stopReason: string;
  readonly model: string;
  readonly tokens: Tokens | null;
}

/** Tokens is what a message cost. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** Block is one content block. */
export interface Block {
  /** Where the block is in the line, in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly type: string;
  /** Whether the core knows the type. */
  readonly known: boolean;
  readonly text?: string;
  /** Safe to open only after assetName found no fault. */
  readonly assetRef?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly size?: number;
  readonly toolCallId?: string;
  /** Whether there is base64 data in the line, which takeInline moves out. */
  readonly inline?: boolean;
  readonly annotations?: Json;
}

/** ToolCall is one use of a tool. */
export interface ToolCall {
  /** Where the call is in the line, in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly id: string;
  readonly name: string;
  /** What the line says. */
  readonly status: string;
  /** What the status means. */
  readonly state?: 'pending' | 'running' | 'completed' | 'failed';
  readonly title?: string;
  readonly kind?: string;
  readonly input?: string;
  readonly output?: string;
  /** In milliseconds. */
  readonly duration?: number;
  readonly diff?: Diff;
  readonly locations?: readonly Location[];
}

/** Diff is a change to one file. */
export interface Diff {
  readonly path: string;
  readonly old: string;
  readonly new: string;
  /** Whether the file had no text before. */
  readonly created: boolean;
}

/** Location is a place in a file. The line is 0 if there is none. */
export interface Location {
  readonly path: string;
  readonly line: number;
}

/** NewLocation is a place in a file. The line is 0 if there is none. */
export interface NewLocation {
  readonly path: string;
  readonly line?: number;
}

/** AgentLog is a part of a messages.jsonl. */
export interface AgentLog {
  readonly entries: readonly Entry[];
  /** Where reading ended, in bytes. */
  readonly next: number;
  /** Whether an unfinished line begins there. */
  readonly torn: boolean;
}

/** Entry is one line. Either its message or its fault is set. */
export interface Entry {
  /** Counts lines from 1. */
  readonly number: number;
  /** In bytes from the start of the input. */
  readonly offset: number;
  readonly length: number;
  readonly message: AgentMessage | null;
  readonly fault: Fault | null;
}

/** AgentConfig is a config.json. */
export interface AgentConfig extends Findings {
  readonly version: Version;
  readonly createdBy: Application | null;
  readonly defaults: Defaults;
  /** The file's own object. */
  readonly agentSettings: Json;
  readonly hooks: Hooks;
  /** Names the members that look like secrets. */
  readonly secrets: readonly Fault[];
}

/** Application is a program that writes threads. */
export interface Application {
  readonly name: string;
  readonly version: string;
}

/** Defaults are for new threads. */
export interface Defaults {
  readonly agentId: string;
  readonly interactionMode: string;
  readonly modelId: string;
  readonly useWorktree: boolean | null;
}

/** Hooks lists what a project wants done in a new worktree. A person must see it and agree first. */
export interface Hooks {
  readonly symlinks: readonly Symlink[];
  readonly commands: readonly Command[];
  readonly initialPrompt: string;
}

/** Symlink is a link to make. One with a fault must not be made. */
export interface Symlink {
  readonly source: string;
  readonly target: string;
  readonly fault: Fault | null;
}

/** Command is a command to run. One with a fault must not be run. */
export interface Command {
  readonly command: string;
  readonly label: string;
  /** In milliseconds. */
  readonly timeout: number;
  readonly continueOnError: boolean;
  /** Some of win32, darwin and linux. A missing list means all of them. */
  readonly platforms: readonly string[] | null;
  readonly fault: Fault | null;
}

/** Figures are derived from a thread's messages. */
export interface Figures {
  readonly stats: Counts;
  /** The time of the last message that has one. */
  readonly last: ThreadTime;
  /** Counts the lines that are not messages. */
  readonly bad: number;
}

/** Tally holds the figures of a messages.jsonl. */
export interface Tally extends Figures {
  /** Where the unfinished last line begins, or the length. */
  readonly next: number;
}

/** Mismatch is a cached figure that differs from the messages. */
export interface Mismatch {
  readonly field: string;
  readonly cached: string;
  readonly derived: string;
  readonly reason: string;
}

/** Comparison is a tally, and the cached figures that differ from it. */
export interface Comparison extends Tally {
  readonly mismatches: readonly Mismatch[];
}

/** ThreadFiles are a thread's two files. */
export interface ThreadFiles {
  readonly thread: Bytes;
  readonly messages: Bytes;
}

/** CheckOptions say what is known about a thread and how much the caller wants. */
export interface CheckOptions {
  /** The name of the thread's directory, where that is known. */
  readonly dir?: string;
  /** How many findings are listed, by default 1000. */
  readonly limit?: number;
}

/** ThreadCheck holds the findings on a thread's files. */
export interface ThreadCheck extends Figures {
  /** Whether the last line has no line end. */
  readonly torn: boolean;
  readonly findings: readonly ThreadFinding[];
  /** Counts the findings beyond the limit. */
  readonly more: number;
}

/** ThreadFinding is a fault or a note in one of a thread's files. The line is 0 in thread.json. */
export interface ThreadFinding extends Finding {
  readonly file: 'thread.json' | 'messages.jsonl';
}

/** Repair is the result of repairing a thread.json. */
export interface Repair {
  /** Whether the file has to be rewritten with the new bytes. */
  readonly changed: boolean;
  readonly mismatches: readonly Mismatch[];
  /** The length of the new bytes. */
  readonly length: number;
  readonly data: Uint8Array;
}

/** Change sets one member of a JSON file. */
export interface Change {
  /** Names the member, after the objects around it. */
  readonly path: readonly string[];
  readonly value: NewJson;
}

/** NewThread is the content of a new thread.json. Times are Unix milliseconds. */
export interface NewThread {
  readonly id: string;
  readonly title: string;
  readonly created: number;
  /** By default the time of its creation. */
  readonly updated?: number | null;
  readonly agent: NewAgent;
  readonly context: NewThreadContext;
  readonly stats?: Counts;
  readonly parentId?: string;
  readonly metadata?: NewJson;
}

/** NewBlock is a block to write: raw without its white space, or else the other members. */
export interface NewBlock {
  readonly raw?: NewJson;
  readonly type?: string;
  readonly text?: string;
  readonly assetRef?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly size?: number;
  readonly toolCallId?: string;
  readonly annotations?: NewJson;
}

/** NewToolCall is a tool call to be written, as a block is. */
export interface NewToolCall {
  readonly raw?: NewJson;
  readonly id?: string;
  readonly name?: string;
  readonly status?: string;
  readonly title?: string;
  readonly kind?: string;
  readonly input?: string | null;
  readonly output?: string | null;
  readonly duration?: number | null;
  readonly diff?: NewDiff | null;
  readonly locations?: readonly NewLocation[];
}

/** NewDiff is a change to one file, to be written. */
export interface NewDiff {
  readonly path: string;
  readonly old: string;
  readonly new: string;
}

/** NewAgentMessage is the content of a new line of a messages.jsonl. */
export interface NewAgentMessage {
  readonly id: string;
  readonly role: string;
  /** In Unix milliseconds. */
  readonly time: number;
  readonly content: readonly NewBlock[];
  readonly tools?: readonly NewToolCall[];
  readonly stopReason?: string;
  readonly model?: string;
  readonly tokens?: Tokens | null;
}

/** ForkPlan says how a thread is continued as another one. */
export interface ForkPlan {
  readonly id: string;
  /** In Unix milliseconds. */
  readonly created: number;
  /** By default the parent's. */
  readonly title?: string;
  /** The id of the last message that the fork takes over, by default all of them. */
  readonly through?: string;
}

/** ForkHead holds the lengths of the two files of a fork. */
export interface ForkHead {
  readonly threadLength: number;
  readonly messagesLength: number;
}

/** AssetQuery describes content to be named or checked. */
export interface AssetQuery {
  /** The name under which it was found. */
  readonly name?: string | null;
  /** Its extension without the dot. */
  readonly ext?: string;
  readonly mimeType?: string;
}

/** Asset describes content. */
export interface Asset {
  /** The name of a new asset with this content. */
  readonly name: string;
  /** The MIME type of an image that may be shown, or empty. */
  readonly imageType: '' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** What is wrong with the content under the name under which it was found. */
  readonly fault: Fault | null;
}

/** AssetName is a reference to a file in assets/. One with a fault must not be opened. */
export interface AssetName {
  readonly hex: string;
  readonly ext: string;
  readonly fault: Fault | null;
}

/** InlineHead holds the lengths of a line without its base64 data, and of each asset. */
export interface InlineHead {
  readonly length: number;
  readonly assets: readonly AssetLength[];
}

/** AssetLength is the name of an asset, and how many bytes it has. */
export interface AssetLength {
  readonly name: string;
  readonly length: number;
}

/** FileKind is the kind of a file. For a file of no format only the reason is set. */
export interface FileKind {
  /** agn is AMP/1.0, amp is amp/0.1. */
  readonly protocol: 'samp' | 'atsf' | 'agn' | 'amp' | null;
  readonly kind:
    | 'log'
    | 'watermark'
    | 'message'
    | 'ack'
    | 'resume'
    | 'task'
    | 'rejections'
    | 'thread'
    | 'messages'
    | 'config'
    | null;
  /** Whether the content says so, or only the name. */
  readonly certainty: 'content' | 'name' | null;
  /** A phrase for a person. */
  readonly reason: string;
}

/**
 * Mention is a place in a text that may name a message or a thread. It does only if
 * such a message or thread is known.
 */
export interface Mention {
  readonly kind: 'message' | 'thread';
  /** Where the token is in the text, in bytes of UTF-8. */
  readonly offset: number;
  readonly length: number;
  readonly token: string;
}

/** Links are the mentions in a text, in their order. */
export interface Links {
  readonly mentions: readonly Mention[];
  /** Counts the mentions beyond the limit. */
  readonly more: number;
}

/** Line is a text as one line. */
export interface Line {
  readonly line: string;
  /** Whether it was shortened and ends in "…". */
  readonly cut: boolean;
}

/** RenderOptions limit what Markdown becomes. */
export interface RenderOptions {
  /** The length of the result in bytes, by default 1 MiB. HTML may exceed it by 4 KiB. */
  readonly maxBytes?: number;
  /** The level of the highest heading, 1 to 6, by default 1. */
  readonly topHeading?: number;
}

/** Info describes a module. */
export interface Info {
  readonly abi: InfoVersion;
  readonly maxInput: number;
  readonly ops: readonly InfoOp[];
}

/** InfoVersion is the ABI that a module speaks. */
export interface InfoVersion {
  readonly major: number;
  readonly minor: number;
}

/** InfoOp is an op that a module has. */
export interface InfoOp {
  readonly op: number;
  readonly name: string;
}

/** Profile is the form of new records and of computed ids. The default is v1. */
export type Profile = 'v1' | 'v1-compact';

/** Form is what a stored id turned out to be. */
export type Form = 'missing' | 'spaced' | 'compact' | 'ascii-escaped' | 'unnormalised' | 'wrong';

/** Fault is a broken rule, or something worth a note. */
export interface Fault {
  /** The id of the rule, and the member that breaks it. */
  readonly rule: string;
  readonly field: string;
  /** In bytes from the start of what was read; in a finding, from the start of the file. */
  readonly offset: number;
  /** A lower-case phrase, which may quote the input. */
  readonly reason: string;
}

/** Findings are about the rules of a format: faults break a rule, notes are odd and allowed. */
export interface Findings {
  readonly faults: readonly Fault[];
  readonly notes: readonly Fault[];
}

/** Finding is a fault or a note in a log. */
export interface Finding extends Fault {
  /** Counts from 1. */
  readonly line: number;
  readonly level: 'fault' | 'note';
}

/** SampRecord is one line of a log. Its texts are a stranger's. JavaScript rounds a time beyond 2^53. */
export interface SampRecord {
  /** The stored id, or empty. */
  readonly id: string;
  /** In Unix seconds. */
  readonly ts: number;
  readonly from: string;
  readonly to: string;
  readonly thread: string;
  readonly body: string;
  /** The effective id. */
  readonly key: string;
  readonly form: Form;
  /** Whether an escape in the line stood for half a character. */
  readonly lossy: boolean;
}

/** Inspection holds the findings on one line. */
export interface Inspection extends Findings {
  readonly malformed: boolean;
  /** Missing for a malformed line. */
  readonly form: Form | null;
}

/** Validation holds the findings on a whole log. */
export interface Validation {
  readonly lines: number;
  readonly malformed: number;
  /** Whether the last line has no line end. */
  readonly torn: boolean;
  /** Counts the records by the form of their id. */
  readonly forms: Readonly<Record<Form, number>>;
  readonly findings: readonly Finding[];
  /** Counts the findings beyond the limit. */
  readonly more: number;
}

/** DerivedThread is a new message's thread, and its body as it is stored. */
export interface DerivedThread {
  readonly thread: string;
  readonly body: string;
}

/** NewMessage is the content of a new record. */
export interface NewMessage {
  readonly from: string;
  readonly to: string;
  readonly thread: string;
  /** In Unix seconds. */
  readonly ts: number;
  readonly profile?: Profile;
  readonly body: string;
}

/** Log is a log's file name and its bytes. */
export interface Log {
  readonly name: string;
  readonly data: Bytes;
}

/**
 * Watermark is what a reader has seen: everything before its time, in Unix seconds, and the
 * later messages with these ids.
 */
export interface Watermark {
  readonly ts: number;
  readonly ids: readonly string[];
}

/** InboxQuery asks for one reader's mail. */
export interface InboxQuery {
  /** The reader's alias. */
  readonly me: string;
  readonly profile?: Profile;
  readonly mode?: Mode;
  /** In JSON "forms": false leaves out the form of each message, which saves hashing. */
  readonly forms?: boolean;
  /** Missing for a reader who has none. */
  readonly watermark?: Watermark | null;
  /** The time in Unix seconds, which the watermark never passes. The default mode needs it. */
  readonly now?: number;
  readonly logs: readonly Log[];
}

/** Message is a record and where it was found. Its texts are a stranger's. */
export interface Message {
  /** The effective id. */
  readonly id: string;
  /** In Unix seconds. JavaScript rounds a time beyond 2^53. */
  readonly ts: number;
  readonly from: string;
  readonly to: string;
  readonly thread: string;
  readonly body: string;
  /** The log's file name, and the line's first byte in it. */
  readonly log: string;
  readonly offset: number;
  readonly filing: 'own' | 'copied' | 'misfiled';
  readonly form?: Form;
  /** The line without its end, in the raw mode only. */
  readonly raw?: string;
}

/** Inbox is one reader's mail out of many logs. */
export interface Inbox {
  /** Sorted by time, then log, then line. */
  readonly messages: readonly Message[];
  /** Records in somebody else's log that their sender never wrote. */
  readonly suspicious: readonly Message[];
  /** Counts what the watermark hides only because of its time. */
  readonly older: number;
  /** Counts the records that were found in several places. */
  readonly replicas: number;
  /** Counts the lines that are not blank, and those of them that were found malformed. */
  readonly lines: number;
  readonly malformed: number;
  /** What to store after the messages were shown. */
  readonly watermark: Watermark | null;
  /** Sorted by name. */
  readonly logs: readonly Scan[];
}

/** Scan is the result of reading one log. */
export interface Scan {
  readonly name: string;
  readonly lines: number;
  readonly malformed: number;
  /** The log's length in bytes up to its last line end. */
  readonly complete: number;
}

/** ThreadsQuery asks for the threads of a directory. */
export interface ThreadsQuery {
  /** Selects mail to one reader. By default all mail is grouped. */
  readonly me?: string;
  readonly profile?: Profile;
  /** How many threads are listed, by default 1000. */
  readonly limit?: number;
  readonly logs: readonly Log[];
}

/** MessageThread is the messages of one thread. */
export interface MessageThread {
  readonly thread: string;
  /** Counts the messages, each once. */
  readonly count: number;
  /** The time of the oldest, in Unix seconds. */
  readonly first: number;
  /** Everybody who wrote or received one, in order. */
  readonly parties: readonly string[];
  /** The newest. */
  readonly last: Message;
}

/** MessageThreads are the threads of a directory, newest message first. */
export interface MessageThreads {
  readonly threads: readonly MessageThread[];
  /** Counts the threads beyond the limit. */
  readonly more: number;
  /** Counts the records that are in no thread, since somebody else may have forged them. */
  readonly suspicious: number;
  /** Counts the records that were found in several places. */
  readonly replicas: number;
  readonly lines: number;
  readonly malformed: number;
}

/** ReplyQuery asks for the draft of a reply. */
export interface ReplyQuery {
  /** The writer's alias. */
  readonly me: string;
  readonly body: string;
  /** The reply's time in Unix seconds. */
  readonly ts: number;
  readonly profile?: Profile;
  /** Names the message to answer, by default the newest. */
  readonly toId?: string;
  readonly logs: readonly Log[];
}

/** Draft is a reply that is ready to be appended to its writer's log. */
export interface Draft {
  /** The message that is answered, or null if several are tied or the inbox is empty. */
  readonly target: Message | null;
  /** The messages to choose from. */
  readonly tied: readonly Message[];
  /** The new record's id, and the record with its line end. */
  readonly id: string | null;
  readonly line: string | null;
}

/** Compaction is the result of compacting a log. */
export interface Compaction {
  /** Whether the log has to be rewritten with the new bytes. */
  readonly changed: boolean;
  /** Counts lines. */
  readonly before: number;
  readonly after: number;
  /** Counts the records that got an id. */
  readonly filled: number;
  /** Counts the unreadable lines, which are kept. */
  readonly malformed: number;
  /** Counts the records whose id an earlier record already has. They are kept. */
  readonly conflicts: number;
  /** The length of the new bytes. */
  readonly length: number;
  readonly data: Uint8Array;
}

/** Alias says whether a name may be read and written, and which files it has. */
export interface Alias {
  /** What reading asks of the name, and what writing asks. */
  readonly valid: boolean;
  readonly allowed: boolean;
  /** Why it is not allowed. */
  readonly reason: string;
  /** File names, empty for a name that is not valid. */
  readonly log: string;
  readonly watermark: string;
}

/**
 * The JSON that each op answers, or the line of it before other bytes, by the name
 * of the op. The other ops answer bytes or a text.
 */
export interface Shapes {
  info: Info;
  'samp.parse': SampRecord;
  'samp.inspect': Inspection;
  'samp.thread': DerivedThread;
  'samp.inbox': Inbox;
  'samp.reply': Draft;
  'samp.compact': Omit<Compaction, 'data'>;
  'samp.watermark': Watermark;
  'samp.alias': Alias;
  'samp.validate': Validation;
  'samp.threads': MessageThreads;
  'atsf.thread': AgentThread;
  'atsf.message': AgentMessage;
  'atsf.log': AgentLog;
  'atsf.config': AgentConfig;
  'atsf.count': Tally;
  'atsf.compare': Comparison;
  'atsf.check': ThreadCheck;
  'atsf.repair': Omit<Repair, 'data'>;
  'atsf.fork': ForkHead;
  'atsf.asset': Asset;
  'atsf.assetName': AssetName;
  'atsf.takeInline': InlineHead;
  'atsf.validId': { readonly valid: boolean };
  'agn.message': TaskMessage;
  'agn.payload': ReadPayload;
  'agn.check': TaskCheck;
  'agn.state': TaskState;
  'agn.alarms': Alarms;
  'agn.id': MessageId;
  'agn.validTaskId': { readonly valid: boolean };
  'agn.ack': Ack;
  'agn.resume': Resume;
  'agn.record': TaskRecord;
  'agn.rejection': Rejection;
  'amp.message': Mail;
  'amp.verify': MailVerdict;
  'amp.judge': MailTrust;
  'amp.threads': { readonly places: readonly MailPlace[] };
  'amp.flags': { readonly flags: readonly string[] };
  'amp.unwrap': { readonly texts: readonly string[] };
  'amp.compose': MailLetter;
  'amp.reply': MailReply;
  'amp.filename': MailFilename;
  'amp.checkAttachment': { readonly fault: Fault | null };
  'amp.key': MailKey;
  'amp.id': MailId;
  'amp.attachmentId': MailId;
  'amp.address': MailAddress;
  'mail.detect': FileKind;
  'mail.links': Links;
  'render.line': Line;
}
