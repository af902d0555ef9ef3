// Tells screen readers what changed: at most one sentence a second, with everything that
// was to be said meanwhile.

import { element } from './dom';

const batchMillis = 1_000;

export class Announcer {
  readonly root = element('p', { class: 'sr', attributes: { role: 'status' } });
  readonly #batch = new Set<string>();
  #timer = 0;

  say(text: string): void {
    if (text === '') return;
    this.#batch.add(text);
    if (this.#timer !== 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.root.textContent = [...this.#batch].join(' ');
      this.#batch.clear();
    }, batchMillis);
  }
}
