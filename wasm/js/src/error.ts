import type { Code } from './abi.js';

/** The error of a call. The message may quote the input, escaped to ASCII. */
export class SignalboxError extends Error {
  override readonly name = 'SignalboxError';
  /** The class of the error, to branch on. */
  readonly code: Code;
  /** The id of the format's rule that was broken, such as R3, for Malformed and Refused; otherwise empty. */
  readonly rule: string;
  /** The name of the op that was called, or empty. */
  readonly op: string;

  constructor(code: Code, message: string, details: { rule?: string; op?: string; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.rule = details.rule ?? '';
    this.op = details.op ?? '';
  }
}
