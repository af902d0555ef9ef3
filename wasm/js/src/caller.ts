import type { OpName } from './abi.js';
import { SignalboxError } from './error.js';
import { encode, write } from './json.js';
import type { Bytes } from './json.js';
import type { Log, Shapes } from './types.js';

/** Runs ops, as a Core does. A Remote is not a Caller, since it is not synchronous. */
export interface Caller {
  /** Runs an op, as Core.call does. */
  call(op: OpName, params: Bytes, input: Bytes | readonly Bytes[]): Uint8Array;
}

// A byte order mark at the start of a result is a part of it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parameters, or a function that makes them while it collects the parts of the second argument. */
type Params = object | ((input: Input) => object);

/** Runs ops for the typed calls of a format. */
export class Ops {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Runs an op whose result is bytes of the format. */
  bytes(op: OpName, params: Params = {}, input: Bytes | readonly Bytes[] = ''): Uint8Array {
    if (typeof params === 'object') return this.#caller.call(op, write(op, params), input);
    const parts = new Input(op);
    const measured = params(parts);
    return this.#caller.call(op, write(op, measured), parts.join(...[input].flat()));
  }

  /** Runs an op whose result is a text. */
  text(op: OpName, params: Params = {}, input: Bytes | readonly Bytes[] = ''): string {
    return decoder.decode(this.bytes(op, params, input));
  }

  /** Runs an op whose result is JSON of the documented shape. */
  json<O extends keyof Shapes>(op: O, params: Params = {}, input: Bytes | readonly Bytes[] = ''): Shapes[O] {
    return parse(op, this.bytes(op, params, input));
  }

  /** Runs an op whose result is a line of JSON and bytes after it. */
  header<O extends keyof Shapes>(
    op: O,
    params: Params,
    input: Bytes | readonly Bytes[],
  ): [head: Shapes[O], rest: Uint8Array] {
    const result = this.bytes(op, params, input);
    const end = result.indexOf(0x0a);
    if (end < 0) throw broken(op);
    return [parse(op, result.subarray(0, end)), result.subarray(end + 1)];
  }

  /** Runs such an op, and returns the JSON with the bytes as its member data. */
  data<O extends keyof Shapes>(
    op: O,
    params: Params,
    input: Bytes,
  ): Shapes[O] & { readonly data: Uint8Array } {
    const [head, rest] = this.header(op, params, input);
    return { ...head, data: rest };
  }
}

function parse<O extends keyof Shapes>(op: O, bytes: Uint8Array): Shapes[O] {
  try {
    return JSON.parse(decoder.decode(bytes)) as Shapes[O];
  } catch (cause) {
    throw broken(op, cause);
  }
}

/** Returns the error for an answer that breaks the ABI. */
export function broken(op: OpName, cause?: unknown): SignalboxError {
  return new SignalboxError('Internal', 'the module broke the ABI', { op, cause });
}

/** Collects the parts of the second argument, and returns their lengths. */
export class Input {
  readonly #op: OpName;
  readonly #parts: Uint8Array[] = [];

  constructor(op: OpName) {
    this.#op = op;
  }

  one(text: Bytes): number {
    const part = encode(this.#op, text);
    this.#parts.push(part);
    return part.length;
  }

  all(texts: readonly Bytes[]): number[] {
    return texts.map((text) => this.one(text));
  }

  logs(logs: readonly Log[]): object[] {
    return logs.map((log) => ({ name: log.name, length: this.one(log.data) }));
  }

  /** Returns all parts and then the last ones, whose lengths are not needed. */
  join(...last: Bytes[]): Uint8Array[] {
    this.all(last);
    return this.#parts;
  }
}

export function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

/** Returns two hexadecimal digits for each byte. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
