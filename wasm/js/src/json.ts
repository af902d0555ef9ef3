import { SignalboxError } from './error.js';

/** Bytes, or a text that is passed as UTF-8. */
export type Bytes = Uint8Array | string;

/**
 * A JSON value as JavaScript has it: numbers beyond 2^53 are rounded, and the
 * last of several members with the same name counts. Core.call returns the bytes.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * A value to be written as the JSON text that it is, where the digits of its
 * numbers or the order of its members count.
 */
export class RawJson {
  readonly text: string;

  /** Throws a SyntaxError if the text is not JSON. */
  constructor(text: string) {
    JSON.parse(text);
    this.text = text;
  }
}

/** A JSON value to be written. */
export type NewJson = Json | RawJson;

/**
 * How much of an inbox is asked for. default: what the watermark lets through, which
 * needs now; all; raw: all, with every message's line; or a number, the newest so many.
 */
export type Mode = 'default' | 'all' | 'raw' | number;

/**
 * Writes parameters. Members that are undefined are left out, and a bigint is an
 * integer. What JSON.stringify would silently change is refused.
 */
export function write(op: string, value: unknown): string {
  if (value instanceof RawJson) return value.text;
  switch (typeof value) {
    case 'string':
      return JSON.stringify(wellFormed(op, value));
    case 'bigint':
      return value.toString();
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (Number.isFinite(value)) return JSON.stringify(value);
      break;
    case 'object':
      return writeObject(op, value);
    case 'function':
    case 'symbol':
    case 'undefined':
  }
  throw new SignalboxError('BadArgument', `the parameters hold ${String(value)}, which is not JSON`, { op });
}

function writeObject(op: string, value: object | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map((item: unknown) => write(op, item)).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${write(op, name)}:${write(op, member)}`).join(',')}}`;
}

const encoder = new TextEncoder();

/** Returns a text as UTF-8, and bytes as they are. */
export function encode(op: string, bytes: Bytes): Uint8Array {
  return typeof bytes === 'string' ? encoder.encode(wellFormed(op, bytes)) : bytes;
}

/** Refuses half a character, which would become U+FFFD. */
function wellFormed(op: string, value: string): string {
  if (value.isWellFormed()) return value;
  throw new SignalboxError('BadArgument', `not valid Unicode: ${JSON.stringify(value.slice(0, 80))}`, { op });
}
