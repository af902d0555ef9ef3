// The threads with a reply that was begun and not sent: in the reply box of an open tab,
// or in a compose document.

import type { Ref } from '../protocol';
import { refKey } from '../refs';

export class Unfinished {
  readonly #boxes = new Set<string>();
  #documents: ReadonlySet<string> = new Set();

  /** Called after `has` changed for a thread. */
  onChange: () => void = () => undefined;

  has(thread: Ref): boolean {
    const key = refKey(thread);
    return this.#boxes.has(key) || this.#documents.has(key);
  }

  /** Notes whether the reply box of a thread holds a text. */
  typed(thread: Ref, holds: boolean): void {
    const key = refKey(thread);
    if (holds === this.#boxes.has(key)) return;
    if (holds) this.#boxes.add(key);
    else this.#boxes.delete(key);
    this.onChange();
  }

  /** Notes the threads that compose documents answer. */
  composed(threads: readonly Ref[]): void {
    const keys = new Set(threads.map(refKey));
    const same = keys.size === this.#documents.size && [...keys].every((key) => this.#documents.has(key));
    this.#documents = keys;
    if (!same) this.onChange();
  }
}
