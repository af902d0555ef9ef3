import { Ops } from './caller.js';
import type { Caller } from './caller.js';
import { encode } from './json.js';
import type { Bytes } from './json.js';
import type { FileKind, Links } from './mailTypes.js';

/** How many bytes of a file tell what it is. */
const looked = 64 << 10;

/** The ops about all formats. Every method is one call of the module. */
export class Mailbox {
  readonly #ops: Ops;

  constructor(caller: Caller) {
    this.#ops = new Ops(caller);
  }

  /**
   * Says what a file is. The name is its base name, or its path below a directory
   * with slashes, or empty; of the data the first 64 KiB are looked at.
   */
  detect(name: string, data: Bytes): FileKind {
    return this.#ops.json('mail.detect', { name }, encode('mail.detect', data).subarray(0, looked));
  }

  /** Finds what a text mentions: ids, and names of threads, of all formats; lists at most limit, or 1000. */
  links(text: Bytes, limit?: number): Links {
    return this.#ops.json('mail.links', { limit }, text);
  }
}
