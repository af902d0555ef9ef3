// Which JSON files the server hears of: those that may be AMP/1.0 envelopes or
// the records beside them, and no others. Most JSON files of a workspace are none of its business.

/** As long as a message may be. */
export const envelopeBytes = 1 << 20;

/** A member and how its value begins, for each kind of file: messages, and the records beside them. */
const marks: readonly (readonly [string, string])[] = [
  ['"protocol_version"', 'AMP/'],
  ['"format"', '"signalbox-ack/'],
  ['"format"', '"signalbox-resume/'],
  ['"format"', '"signalbox-task/'],
];

/** Whether a text may be an envelope or a record: it says so, and is not too long to be one. */
export function mayBeEnvelope(text: string): boolean {
  return (
    text.length <= envelopeBytes &&
    marks.some((mark) => mark.every((part) => text.includes(part))) &&
    Buffer.byteLength(text) <= envelopeBytes
  );
}

/** What to tell the server of a document that changed. */
export type Step = 'open' | 'change' | 'close' | 'nothing';

/** The documents that the server knows of, by their addresses. */
export class SyncedDocuments {
  readonly #open = new Set<string>();

  has(uri: string): boolean {
    return this.#open.has(uri);
  }

  /** Whether to tell of a document that was opened in the editor. */
  opened(uri: string, relevant: boolean): boolean {
    if (relevant) this.#open.add(uri);
    return relevant;
  }

  /** What to tell of a change: a document may become an envelope by editing, and stop being one. */
  changed(uri: string, relevant: boolean): Step {
    const known = this.#open.has(uri);
    if (known && relevant) return 'change';
    if (known) {
      this.#open.delete(uri);
      return 'close';
    }
    return this.opened(uri, relevant) ? 'open' : 'nothing';
  }

  /** Whether to tell of a document that was closed in the editor. */
  closed(uri: string): boolean {
    return this.#open.delete(uri);
  }
}
