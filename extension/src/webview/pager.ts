// The button at an end of the messages that are shown, where there are more.

import { button } from './dom';

export class Pager {
  readonly root: HTMLButtonElement;
  readonly #label: string;

  constructor(label: string, loading: string, className: string, load: () => void) {
    this.#label = label;
    this.root = button(label, `secondary ${className}`, () => {
      this.root.disabled = true;
      this.root.textContent = loading;
      load();
    });
    this.root.hidden = true;
  }

  get shown(): boolean {
    return !this.root.hidden;
  }

  /** There is more, or not. */
  offer(more: boolean): void {
    this.root.hidden = !more;
    this.rest();
  }

  /** It can be pressed again. */
  rest(): void {
    this.root.disabled = false;
    this.root.textContent = this.#label;
  }
}
