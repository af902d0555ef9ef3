import { MailboxCalls } from './calls.js';
import { encode } from './json.js';
import type { Bytes } from './json.js';
import type { FileKind } from './types.js';

/** How many bytes of a file are enough to detect its kind. */
const looked = 64 << 10;

/** The ops about all formats. The one written here passes on only the first 64 KiB. */
export class Mailbox extends MailboxCalls {
  /**
   * Detects the kind of a file. The name is its base name, or its path below a directory
   * with slashes, or empty.
   */
  detect(name: string, data: Bytes): FileKind {
    return this.ops.json('mail.detect', { name }, encode('mail.detect', data).subarray(0, looked));
  }
}
