import type { Fault, Finding } from './fault.js';
import type { Bytes } from './json.js';

/** The form of new records and of computed ids. */
export type Profile = 'v1' | 'v1-compact';

/** What a stored id turned out to be. */
export type Form = 'missing' | 'spaced' | 'compact' | 'ascii-escaped' | 'unnormalised' | 'wrong';

/** One line of a log. Its texts are a stranger's, and a time beyond 2^53 is rounded. */
export interface SampRecord {
  /** The stored id, empty where there is none. */
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
  /** Tells that an escape in the line stood for half a character. */
  readonly lossy: boolean;
}

/** What one line shows about the rules. */
export interface Inspection {
  readonly malformed: boolean;
  /** Is null for a malformed line. */
  readonly form: Form | null;
  readonly faults: readonly Fault[];
  readonly notes: readonly Fault[];
}

/** What a whole log shows about the rules. */
export interface Validation {
  readonly lines: number;
  readonly malformed: number;
  /** Tells that the last line has no line end. */
  readonly torn: boolean;
  /** Counts the records by the form of their id. */
  readonly forms: Readonly<Record<Form, number>>;
  readonly findings: readonly Finding[];
  /** Counts the findings beyond the limit. */
  readonly more: number;
}

/** A new message's thread, and its body as it is stored. */
export interface NewThread {
  readonly thread: string;
  readonly body: string;
}

/** A log's file name and its bytes. */
export interface Log {
  readonly name: string;
  readonly data: Bytes;
}

/** What a reader has seen: all before ts, in Unix seconds, and of later mail what ids lists. */
export interface Watermark {
  readonly ts: number;
  readonly ids: readonly string[];
}

/** Asks for one reader's mail. */
export interface InboxQuery {
  /** The reader's alias. */
  readonly me: string;
  readonly logs: readonly Log[];
  readonly profile?: Profile;
  /**
   * default: what the watermark lets through, which needs now; all; raw: all, with
   * every message's line; or a number, the newest so many.
   */
  readonly mode?: 'default' | 'all' | 'raw' | number;
  /** Is null for a reader who has none. */
  readonly watermark?: Watermark | null;
  /** The time in Unix seconds, which the watermark never passes. */
  readonly now?: number;
  /** With false messages have no form, which saves hashing. */
  readonly forms?: boolean;
}

/** A record and where it was found. Its texts are a stranger's. */
export interface Message {
  /** The effective id. */
  readonly id: string;
  /** In Unix seconds; beyond 2^53 it is rounded. */
  readonly ts: number;
  readonly from: string;
  readonly to: string;
  readonly thread: string;
  readonly body: string;
  /** The log's file name. */
  readonly log: string;
  /** The line's first byte in the log. */
  readonly offset: number;
  readonly filing: 'own' | 'copied' | 'misfiled';
  readonly form?: Form;
  /** The line without its end, in the raw mode only. */
  readonly raw?: string;
}

/** One reader's mail out of many logs. */
export interface Inbox {
  /** Sorted by time, then log, then line. */
  readonly messages: readonly Message[];
  /** Records in somebody else's log that their sender never wrote. */
  readonly suspicious: readonly Message[];
  /** Counts what the watermark hides because of its time alone. */
  readonly older: number;
  /** Counts records that stood in several places. */
  readonly replicas: number;
  readonly lines: number;
  readonly malformed: number;
  /** What to store after the messages were shown. */
  readonly watermark: Watermark | null;
  /** Sorted by name. complete is a log's length in bytes up to its last line end. */
  readonly logs: readonly { name: string; lines: number; malformed: number; complete: number }[];
}

/** Asks for the threads of a directory. */
export interface ThreadsQuery {
  /** Leaves only mail to one reader. Default: all mail. */
  readonly me?: string;
  readonly logs: readonly Log[];
  readonly profile?: Profile;
  /** How many threads are listed. Default 1000. */
  readonly limit?: number;
}

/** The messages of one thread. */
export interface MessageThread {
  readonly thread: string;
  /** Counts the messages, each once. */
  readonly count: number;
  /** The time of the oldest, in Unix seconds. */
  readonly first: number;
  /** All who wrote or got one, in order. */
  readonly parties: readonly string[];
  /** The newest. */
  readonly last: Message;
}

/** The threads of a directory. */
export interface MessageThreads {
  readonly threads: readonly MessageThread[];
  /** Counts the threads beyond the limit. */
  readonly more: number;
  /** Counts records that are in no thread, since somebody else may have forged them. */
  readonly suspicious: number;
  /** Counts records that stood in several places. */
  readonly replicas: number;
  readonly lines: number;
  readonly malformed: number;
}

/** Asks for the draft of a reply. */
export interface ReplyQuery {
  /** The writer's alias. */
  readonly me: string;
  readonly body: string;
  /** The reply's time in Unix seconds. */
  readonly ts: number;
  readonly logs: readonly Log[];
  readonly profile?: Profile;
  /** Names the message to answer. Default: the newest. */
  readonly toId?: string;
}

/** A reply that is ready to be appended to the log of its writer. */
export interface Draft {
  /** The message that is answered; null where tied lists several to choose from, and for an empty inbox. */
  readonly target: Message | null;
  readonly tied: readonly Message[];
  /** The new record's id. */
  readonly id: string | null;
  /** The record with its line end. */
  readonly line: string | null;
}

/** What a new message says. */
export interface NewMessage {
  readonly from: string;
  readonly to: string;
  readonly thread: string;
  readonly body: Bytes;
  /** In Unix seconds. */
  readonly ts: number;
  readonly profile?: Profile;
}

/** What compacting did to a log, in numbers. */
export interface CompactionCounts {
  readonly changed: boolean;
  readonly before: number;
  readonly after: number;
  readonly filled: number;
  readonly malformed: number;
  readonly conflicts: number;
  readonly length: number;
}

/** What compacting did to a log. */
export interface Compaction extends CompactionCounts {
  /** The log's new bytes, which are the old ones if changed is false. */
  readonly data: Uint8Array;
}

/** Says whether a name may be read and written, and which files it has. */
export interface Alias {
  /** What reading asks of the name. */
  readonly valid: boolean;
  /** What writing asks of it. */
  readonly allowed: boolean;
  /** Says why it is not allowed. */
  readonly reason: string;
  /** File names, empty for a name that is not valid. */
  readonly log: string;
  readonly watermark: string;
}
