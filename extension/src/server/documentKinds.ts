// Which documents the server hears of: those that it says it may know, and no
// others. Most files of a workspace are none of its business.

import type { DocumentKind } from '../protocol';

/** Whether a text may be of a kind: it has the kind's marks, and is not too long. */
export function mayBe(kind: DocumentKind, text: string): boolean {
  const seen = kind.within === undefined ? text : text.slice(0, kind.within);
  return (
    text.length <= kind.maxBytes &&
    (kind.marks.length === 0 || kind.marks.some((mark) => mark.every((part) => seen.includes(part)))) &&
    Buffer.byteLength(text) <= kind.maxBytes
  );
}

/**
 * How much of a text {@link mayBe} has to see, in characters: nothing of one that is
 * known by its path alone. The server has bounds of its own for what is longer in
 * bytes than in characters.
 */
export function needed(kind: DocumentKind, length: number): number {
  if (kind.marks.length === 0) return 0;
  return Math.min(kind.within ?? length, length);
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

  /** What to tell of a change: a document may come to concern the server by editing, and cease to. */
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
