// Which documents are sent to the server: only those of the kinds that it named.
// Most files of a workspace do not concern it.

import type { DocumentKind } from '../protocol';

/** Reports whether a text may be of a kind: it has the kind's marks and is not too long. */
export function mayBe(kind: DocumentKind, text: string): boolean {
  const seen = kind.within === undefined ? text : text.slice(0, kind.within);
  return (
    text.length <= kind.maxBytes &&
    (kind.marks.length === 0 || kind.marks.some((mark) => mark.every((part) => seen.includes(part)))) &&
    new TextEncoder().encode(text).length <= kind.maxBytes
  );
}

/**
 * Returns how many characters of a text {@link mayBe} has to see: none if the path
 * decides. The server has its own limits for texts that have more bytes than
 * characters.
 */
export function needed(kind: DocumentKind, length: number): number {
  if (kind.marks.length === 0) return 0;
  return Math.min(kind.within ?? length, length);
}

/** The notification that the server gets about a changed document. */
export type Step = 'open' | 'change' | 'close' | 'nothing';

/** The addresses of the documents that the server knows. */
export class SyncedDocuments {
  readonly #open = new Set<string>();

  has(uri: string): boolean {
    return this.#open.has(uri);
  }

  /** Returns whether to tell the server about an opened document. */
  opened(uri: string, relevant: boolean): boolean {
    if (relevant) this.#open.add(uri);
    return relevant;
  }

  /** Returns what to tell the server about a change. Editing may make a document relevant, or irrelevant. */
  changed(uri: string, relevant: boolean): Step {
    const known = this.#open.has(uri);
    if (known && relevant) return 'change';
    if (known) {
      this.#open.delete(uri);
      return 'close';
    }
    return this.opened(uri, relevant) ? 'open' : 'nothing';
  }

  /** Returns whether to tell the server about a closed document. */
  closed(uri: string): boolean {
    return this.#open.delete(uri);
  }
}
