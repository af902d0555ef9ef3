// A form with a text to send. The text field grows with what is typed, and
// Ctrl+Enter sends.

import { element } from './dom';

/** What the button says before and while something is sent. */
export interface SendWords {
  readonly send: string;
  readonly sending: string;
}

export abstract class SendForm {
  readonly root: HTMLFormElement;
  protected readonly input = element('textarea', { attributes: { spellcheck: 'true' } });
  protected readonly button: HTMLButtonElement;
  protected readonly note = element('p', { class: 'note', attributes: { role: 'alert' } });
  /** Whether what is written was sent and no answer came yet. */
  protected sending = false;
  readonly #words: SendWords;

  constructor(words: SendWords, className: string, rows: number) {
    this.#words = words;
    this.root = element('form', { class: className });
    this.input.rows = rows;
    this.button = element('button', { class: 'primary', text: words.send, attributes: { type: 'submit' } });
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.root.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      if (event.target instanceof HTMLButtonElement) return;
      event.preventDefault();
      this.#submit();
    });
    this.input.addEventListener('input', () => this.changed());
  }

  failed(message: string): void {
    this.sending = false;
    this.say(message, true);
    this.update();
  }

  /** Whether what is written can be sent. */
  protected abstract sendable(): boolean;
  protected abstract send(): void;

  protected changed(): void {
    this.input.style.height = 'auto';
    this.input.style.height = `${Math.min(this.input.scrollHeight + 2, window.innerHeight * 0.4)}px`;
    this.update();
  }

  protected say(text: string, error = false): void {
    this.note.textContent = text;
    this.note.className = error ? 'note error' : 'note';
  }

  protected update(): void {
    this.input.readOnly = this.sending;
    this.button.textContent = this.sending ? this.#words.sending : this.#words.send;
    this.button.disabled = this.sending || !this.sendable();
  }

  #submit(): void {
    if (this.sending || !this.sendable()) return;
    this.sending = true;
    this.say('');
    this.update();
    this.send();
  }
}
