import type { OpName } from './abi.js';
import { AtsfCalls } from './calls.js';
import { broken, Input } from './caller.js';
import type { Bytes } from './json.js';
import type { ForkPlan, ThreadFiles } from './types.js';

/** The two files of a forked thread. */
export interface Fork {
  readonly thread: Uint8Array;
  readonly messages: Uint8Array;
}

/** Content to be stored in assets/. */
export interface StoredAsset {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A line without its base64 data, and the assets to be stored before it. */
export interface TakenInline {
  readonly line: Uint8Array;
  readonly assets: readonly StoredAsset[];
}

/** The ops of ATSF. The ones written here cut the result at the places that its JSON names. */
export class Atsf extends AtsfCalls {
  /** Makes the two files of a thread that begins with its parent's messages. The caller copies the assets. */
  fork({ thread, messages }: ThreadFiles, plan: ForkPlan): Fork {
    const input = new Input('atsf.fork');
    const params = { ...plan, threadLength: input.one(thread) };
    const [head, rest] = this.ops.header('atsf.fork', params, input.join(messages));
    const [first, second] = cut('atsf.fork', rest, [head.threadLength, head.messagesLength]);
    if (first === undefined || second === undefined) throw broken('atsf.fork');
    return { thread: first, messages: second };
  }

  /** Moves the base64 data of a line to assets, which must be stored before the line is. */
  takeInline(line: Bytes): TakenInline {
    const [head, rest] = this.ops.header('atsf.takeInline', {}, line);
    const lengths = [head.length, ...head.assets.map((asset) => asset.length)];
    const [first, ...contents] = cut('atsf.takeInline', rest, lengths);
    if (first === undefined) throw broken('atsf.takeInline');
    const assets = contents.map((content, i) => ({ name: head.assets[i]?.name ?? '', content }));
    return { line: first, assets };
  }
}

/** Cuts bytes into parts of these lengths, which must be all of them. */
function cut(op: OpName, bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  let at = 0;
  const parts = lengths.map((length) => bytes.subarray(at, (at += length)));
  if (at !== bytes.length) throw broken(op);
  return parts;
}
