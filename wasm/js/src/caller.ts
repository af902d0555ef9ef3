import type { OpName } from './abi.js';
import { SignalboxError } from './error.js';
import { encode, write } from './json.js';
import type { Bytes } from './json.js';
import type { Shapes } from './shapes.js';

/** Runs ops. A Core is one; what sends calls to a worker cannot be, since it is not synchronous. */
export interface Caller {
  /** Is Core.call. */
  call(op: OpName, params: Bytes, input: Bytes | readonly Bytes[]): Uint8Array;
}

// A byte order mark at the start of a result is a part of it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The ways in which the typed calls of a format run an op. */
export class Ops {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Runs an op whose result is bytes of the format. */
  bytes(op: OpName, params: object = {}, input: Bytes | readonly Bytes[] = ''): Uint8Array {
    return this.#caller.call(op, write(op, params), input);
  }

  /** Runs an op whose result is a text. */
  text(op: OpName, params: object = {}, input: Bytes | readonly Bytes[] = ''): string {
    return decoder.decode(this.bytes(op, params, input));
  }

  /** Runs an op whose result is JSON of the documented shape. */
  json<O extends keyof Shapes>(op: O, params: object = {}, input: Bytes | readonly Bytes[] = ''): Shapes[O] {
    return parse(op, this.bytes(op, params, input));
  }

  /** Runs an op whose result is a line of JSON and bytes after it. */
  header<O extends keyof Shapes>(
    op: O,
    params: object,
    input: Bytes | readonly Bytes[],
  ): [head: Shapes[O], rest: Uint8Array] {
    const result = this.bytes(op, params, input);
    const end = result.indexOf(0x0a);
    if (end < 0) throw broken(op);
    return [parse(op, result.subarray(0, end)), result.subarray(end + 1)];
  }
}

function parse<O extends keyof Shapes>(op: O, bytes: Uint8Array): Shapes[O] {
  try {
    return JSON.parse(decoder.decode(bytes)) as Shapes[O];
  } catch (cause) {
    throw broken(op, cause);
  }
}

/** The module gave what cannot be. */
export function broken(op: OpName, cause?: unknown): SignalboxError {
  return new SignalboxError('Internal', 'the module broke the ABI', { op, cause });
}

/** Texts as bytes, and their lengths for ops that are told where one ends. */
export function measured(op: OpName, texts: readonly Bytes[]): { parts: Uint8Array[]; lengths: number[] } {
  const parts = texts.map((text) => encode(op, text));
  return { parts, lengths: parts.map((part) => part.length) };
}

/** Two digits for each byte. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
