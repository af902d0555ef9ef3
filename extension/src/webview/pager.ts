// The button that loads more at an end of a list.

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

  /** Loads more, unless there is no more or a load is running. */
  load(): void {
    if (this.shown) this.root.click();
  }

  /** Shows the button if there is more. */
  offer(more: boolean): void {
    this.root.hidden = !more;
    this.rest();
  }

  /** Makes the button usable again. */
  rest(): void {
    this.root.disabled = false;
    this.root.textContent = this.#label;
  }
}
