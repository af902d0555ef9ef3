// Which JSON files the server hears of: those that may be AMP/1.0 envelopes,
// and no others. Most JSON files of a workspace are none of its business.

/** As long as a message may be. */
export const envelopeBytes = 1 << 20;

/** Whether a text may be an envelope: it says so, and is not too long to be one. */
export function mayBeEnvelope(text: string): boolean {
  return (
    text.length <= envelopeBytes &&
    text.includes('"protocol_version"') &&
    text.includes('AMP/') &&
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
