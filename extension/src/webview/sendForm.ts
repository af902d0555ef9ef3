// A form with a text to send. The text field grows with its text, and Ctrl+Enter sends.
// After a failure the button tries again.

import type { Failure } from '../server/failureWords';
import type { CommonMessage } from '../views/messages';
import { element } from './dom';
import { tellAwaitsText } from './frame';
import { remedyButtons, type FailurePage } from './remedies';

/** The labels of the button before and while the text is sent. */
export interface SendWords {
  readonly send: string;
  readonly sending: string;
}

type SendPage = FailurePage & { readonly words: SendWords };

export abstract class SendForm {
  readonly root: HTMLFormElement;
  protected readonly input = element('textarea', { attributes: { spellcheck: 'true' } });
  protected readonly button: HTMLButtonElement;
  protected readonly note = element('p', { class: 'note', attributes: { role: 'alert' } });
  /** Whether the text was sent and no answer has come yet. */
  protected sending = false;
  /** The label of the button, or undefined for the usual one. */
  protected label: string | undefined;
  readonly #page: SendPage;
  /** Whether the button retries after a failure. */
  #retries = false;
  /** The length of the text when the form got the focus. */
  #end = 0;

  constructor(page: SendPage, className: string, rows: number) {
    const { words } = page;
    this.#page = page;
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
    // A narrower field needs more lines.
    window.addEventListener('resize', () => this.#fit());
  }

  failed({ text, remedies }: Failure): void {
    this.sending = false;
    this.say(text, true);
    const others = remedies.filter((remedy) => remedy !== 'retry');
    this.note.append(...remedyButtons(this.#page, others).flatMap((one) => [' ', one]));
    this.#retries = others.length < remedies.length;
    this.update();
  }

  /** Reports to the extension that the form has the focus, or wants it. */
  protected awaitText(post: (message: CommonMessage) => void): void {
    this.#end = this.input.value.length;
    this.input.setSelectionRange(this.#end, this.#end);
    tellAwaitsText(post);
  }

  /** Inserts text that was typed before the form had the focus, in front of text typed since. */
  insert(text: string): void {
    if (this.root.hidden) return;
    const caret = this.input.selectionStart + text.length;
    this.input.setRangeText(text, this.#end, this.#end);
    this.input.setSelectionRange(caret, caret);
    this.input.focus();
    this.changed();
  }

  /** Reports whether the text can be sent. */
  protected abstract sendable(): boolean;
  protected abstract send(): void;

  protected changed(): void {
    this.#fit();
    this.update();
  }

  /** Makes the field as high as its text, or its hint, up to a part of the window. */
  #fit(): void {
    this.input.style.height = 'auto';
    this.input.style.height = `${Math.min(this.input.scrollHeight + 2, window.innerHeight * 0.4)}px`;
  }

  protected say(text: string, error = false): void {
    this.#retries = false;
    this.note.textContent = text;
    this.note.className = error ? 'note error' : 'note';
  }

  protected update(): void {
    const { words } = this.#page;
    this.input.readOnly = this.sending;
    const ready = this.#retries ? words.remedies.retry : (this.label ?? words.send);
    this.button.textContent = this.sending ? words.sending : ready;
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
