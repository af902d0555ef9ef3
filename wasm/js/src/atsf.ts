import type { OpName } from './abi.js';
import type {
  AgentLog,
  AgentMessage,
  Application,
  Asset,
  AssetName,
  AssetQuery,
  Change,
  Comparison,
  Config,
  Fork,
  ForkPlan,
  NewAgentMessage,
  NewAgentThread,
  Repair,
  TakenInline,
  Tally,
  Thread,
  ThreadCheck,
  ThreadFiles,
} from './atsfTypes.js';
import { broken, hex, measured, Ops } from './caller.js';
import type { Caller } from './caller.js';
import type { Bytes } from './json.js';

/** The ops of ATSF. Every method is one call of the module. */
export class Atsf {
  readonly #ops: Ops;

  constructor(caller: Caller) {
    this.#ops = new Ops(caller);
  }

  /** Reads a thread.json; dir is the name of its directory, where that is known. */
  thread(file: Bytes, dir?: string): Thread {
    return this.#ops.json('atsf.thread', { dir }, file);
  }

  /** Reads one line of a messages.jsonl, without its line end. */
  message(line: Bytes): AgentMessage {
    return this.#ops.json('atsf.message', {}, line);
  }

  /** Reads lines, at most limit of them, or 65536. */
  log(data: Bytes, limit?: number): AgentLog {
    return this.#ops.json('atsf.log', { limit }, data);
  }

  /** Reads a config.json. */
  config(file: Bytes): Config {
    return this.#ops.json('atsf.config', {}, file);
  }

  /** Derives the figures of a messages.jsonl. */
  count(messages: Bytes): Tally {
    return this.#ops.json('atsf.count', {}, messages);
  }

  /** Holds the cached figures of a thread.json against its messages.jsonl. */
  compare(files: ThreadFiles): Comparison {
    const { parts, params } = both('atsf.compare', files);
    return this.#ops.json('atsf.compare', params, parts);
  }

  /** Checks a thread; lists at most limit findings, or 1000. */
  check(files: ThreadFiles, options: { readonly dir?: string; readonly limit?: number } = {}): ThreadCheck {
    const { parts, params } = both('atsf.check', files);
    return this.#ops.json('atsf.check', { ...params, ...options }, parts);
  }

  /** Writes the figures that the messages bear out into thread.json. */
  repair(files: ThreadFiles): Repair {
    const { parts, params } = both('atsf.repair', files);
    const [head, data] = this.#ops.header('atsf.repair', params, parts);
    return { ...head, data };
  }

  /** Makes changes to a thread.json or config.json and leaves every other byte. */
  edit(file: Bytes, changes: readonly Change[]): Uint8Array {
    return this.#ops.bytes('atsf.edit', { changes }, file);
  }

  /** Makes a thread.json. */
  buildThread(thread: NewAgentThread): Uint8Array {
    return this.#ops.bytes('atsf.buildThread', thread);
  }

  /** Makes the line of a message, with its line end. */
  buildMessage(message: NewAgentMessage): Uint8Array {
    return this.#ops.bytes('atsf.buildMessage', message);
  }

  /** Makes a config.json that names the application. */
  buildConfig(by: Application): Uint8Array {
    return this.#ops.bytes('atsf.buildConfig', by);
  }

  /** Makes the two files of a thread that begins with its parent's messages. The assets are the caller's to copy. */
  fork(files: ThreadFiles, plan: ForkPlan): Fork {
    const { parts, params } = both('atsf.fork', files);
    const [head, rest] = this.#ops.header('atsf.fork', { ...params, ...plan }, parts);
    const [thread, messages] = cut('atsf.fork', rest, [head.threadLength, head.messagesLength]);
    if (thread === undefined || messages === undefined) throw broken('atsf.fork');
    return { thread, messages };
  }

  /** Names content, and holds it against the name that it was found by. */
  asset(content: Bytes, query: AssetQuery = {}): Asset {
    return this.#ops.json('atsf.asset', query, content);
  }

  /** Reads an assetRef. */
  assetName(ref: string): AssetName {
    return this.#ops.json('atsf.assetName', {}, ref);
  }

  /** Moves the base64 data of a line to assets, which must be stored before the line is. */
  takeInline(line: Bytes): TakenInline {
    const [head, rest] = this.#ops.header('atsf.takeInline', {}, line);
    const [first, ...contents] = cut('atsf.takeInline', rest, [
      head.length,
      ...head.assets.map((a) => a.length),
    ]);
    if (first === undefined) throw broken('atsf.takeInline');
    const assets = contents.map((content, i) => ({ name: head.assets[i]?.name ?? '', content }));
    return { line: first, assets };
  }

  /** Makes a thread's or message's id of 16 random bytes. */
  newId(random: Uint8Array = crypto.getRandomValues(new Uint8Array(16))): string {
    return this.#ops.text('atsf.newId', { random: hex(random) });
  }

  /** Tells whether an id can be the name of a new thread's directory on every system. */
  validId(id: string): boolean {
    return this.#ops.json('atsf.validId', {}, id).valid;
  }
}

function both(op: OpName, files: ThreadFiles): { parts: Uint8Array[]; params: { threadLength: number } } {
  const { parts, lengths } = measured(op, [files.thread, files.messages]);
  return { parts, params: { threadLength: lengths[0] ?? 0 } };
}

/** Cuts bytes into parts of these lengths, which must be all of them. */
function cut(op: OpName, bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  let at = 0;
  const parts = lengths.map((length) => bytes.subarray(at, (at += length)));
  if (at !== bytes.length) throw broken(op);
  return parts;
}
