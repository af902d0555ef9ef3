// Announces changes to screen readers, at most once a second. Texts from the last second are
// read out together.

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
