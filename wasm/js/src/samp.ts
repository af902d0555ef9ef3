import { measured, Ops } from './caller.js';
import type { Caller } from './caller.js';
import type { OpName } from './abi.js';
import type { Bytes } from './json.js';
import type {
  Alias,
  Compaction,
  Draft,
  Inbox,
  InboxQuery,
  Inspection,
  Log,
  MessageThreads,
  NewMessage,
  NewThread,
  Profile,
  ReplyQuery,
  SampRecord,
  ThreadsQuery,
  Validation,
  Watermark,
} from './sampTypes.js';

/** The ops of SAMP. Every method is one call of the module. */
export class Samp {
  readonly #ops: Ops;

  constructor(caller: Caller) {
    this.#ops = new Ops(caller);
  }

  /** Reads one line of a log. */
  parse(line: Bytes, profile?: Profile): SampRecord {
    return this.#ops.json('samp.parse', { profile }, line);
  }

  /** Checks one line of the log with the given file name. */
  inspect(log: string, line: Bytes): Inspection {
    return this.#ops.json('samp.inspect', { log }, line);
  }

  /** Checks every line of the log with the given file name; lists at most limit findings, or 1000. */
  validate(log: string, data: Bytes, limit?: number): Validation {
    return this.#ops.json('samp.validate', { log, limit }, data);
  }

  /** Computes a line's id over the fields that it has. */
  id(line: Bytes, profile?: Profile): string {
    return this.#ops.text('samp.id', { profile }, line);
  }

  /** Gives the text that a profile hashes. */
  canonical(line: Bytes, profile?: Profile): Uint8Array {
    return this.#ops.bytes('samp.canonical', { profile }, line);
  }

  /**
   * Derives a new message's thread from its body, and gives the body that is
   * stored. The date is YYYY-MM-DD, local in v1 and UTC in v1-compact.
   */
  thread(body: Bytes, from: string, date: string, profile?: Profile): NewThread {
    return this.#ops.json('samp.thread', { from, date, profile }, body);
  }

  /** Filters a directory's logs for one reader. */
  inbox({ logs, ...query }: InboxQuery): Inbox {
    const { list, data } = joined('samp.inbox', logs);
    return this.#ops.json('samp.inbox', { ...query, logs: list }, data);
  }

  /** Groups a directory's messages into threads, that with the newest message first. */
  threads({ logs, ...query }: ThreadsQuery): MessageThreads {
    const { list, data } = joined('samp.threads', logs);
    return this.#ops.json('samp.threads', { ...query, logs: list }, data);
  }

  /** Drafts a reply. */
  reply({ logs, toId, ...query }: ReplyQuery): Draft {
    const { list, data } = joined('samp.reply', logs);
    return this.#ops.json('samp.reply', { ...query, to_id: toId, logs: list }, data);
  }

  /** Makes the line of a new message, with its line end, to be appended to the log of its sender. */
  build({ body, ...message }: NewMessage): Uint8Array {
    return this.#ops.bytes('samp.build', message, body);
  }

  /** Drops a log's duplicates and blank lines and fills in missing ids. */
  compact(data: Bytes, profile?: Profile): Compaction {
    const [head, rest] = this.#ops.header('samp.compact', { profile }, data);
    return { ...head, data: rest };
  }

  /** Reads a watermark file. A time now, in Unix seconds, caps its own. */
  watermark(file: Bytes, now?: number): Watermark {
    return this.#ops.json('samp.watermark', { now }, file);
  }

  /** Checks a name. */
  alias(name: string): Alias {
    return this.#ops.json('samp.alias', {}, name);
  }
}

/** Puts logs one after the other, as the ops over a directory take them. */
function joined(op: OpName, logs: readonly Log[]): { list: object[]; data: Uint8Array[] } {
  const { parts, lengths } = measured(
    op,
    logs.map((log) => log.data),
  );
  return { list: logs.map((log, i) => ({ name: log.name, length: lengths[i] })), data: parts };
}
