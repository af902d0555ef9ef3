// The second step of a no: a text with the reason, and the button that sends both.

import { button, element } from '../dom';

interface WhyWords {
  readonly hint: string;
  readonly send: string;
  readonly cancel: string;
}

/** A text box that replaces a request's buttons. */
export class Why {
  readonly root: HTMLElement;
  readonly #input = element('textarea', { attributes: { rows: '2', spellcheck: 'true' } });
  readonly #send: HTMLButtonElement;
  readonly #needed: boolean;
  #busy = false;

  /** With `needed` an empty text is not sent. `left` is called when the user goes back. */
  constructor(words: WhyWords, needed: boolean, send: (text: string) => void, left: () => void) {
    this.#needed = needed;
    this.#input.placeholder = words.hint;
    this.#input.setAttribute('aria-label', words.hint);
    const go = (): void => {
      if (!this.#send.disabled) send(this.text);
    };
    this.#send = button(words.send, 'primary', go);
    this.#send.setAttribute('aria-keyshortcuts', 'Control+Enter');
    const back = (): void => {
      this.root.hidden = true;
      left();
    };
    const acts = element('div', { class: 'acts' }, this.#send, button(words.cancel, 'secondary', back));
    this.root = element('div', { class: 'why' }, this.#input, acts);
    this.root.hidden = true;
    this.root.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') back();
      else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) go();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.#input.addEventListener('input', () => this.#update());
    this.#update();
  }

  get open(): boolean {
    return !this.root.hidden;
  }

  get text(): string {
    return this.#input.value.trim();
  }

  set busy(busy: boolean) {
    this.#busy = busy;
    this.#update();
  }

  show(): void {
    this.root.hidden = false;
    this.#input.focus();
  }

  #update(): void {
    this.#input.readOnly = this.#busy;
    this.#send.disabled = this.#busy || (this.#needed && this.text === '');
  }
}
