// The reply box.

import type { ReplyTarget } from '../thread/messages';
import type { ThreadWords } from '../thread/words';
import { button, element } from './dom';

export interface ReplyActions {
  send(body: string): void;
  typing(text: string): void;
  answerThread(): void;
  /** Goes on as a document, which has more to set than a text. */
  asDocument(body: string): void;
}

export class ReplyBox {
  readonly root = element('form', { class: 'reply' });
  readonly #words: ThreadWords;
  readonly #actions: ReplyActions;
  readonly #target = element('span', { class: 'target' });
  readonly #cancel: HTMLButtonElement;
  readonly #input = element('textarea', { attributes: { rows: '3', spellcheck: 'true' } });
  readonly #send: HTMLButtonElement;
  readonly #more: HTMLButtonElement;
  readonly #note = element('p', { class: 'note', attributes: { role: 'alert' } });
  #able = false;
  #signed = false;
  #sending = false;

  constructor(words: ThreadWords, actions: ReplyActions) {
    this.#words = words;
    this.#actions = actions;
    this.#cancel = button(words.cancelReply, 'link', () => actions.answerThread());
    this.#cancel.hidden = true;
    this.#input.placeholder = words.replyPlaceholder;
    this.#input.setAttribute('aria-label', words.reply);
    this.#send = element('button', { class: 'primary', text: words.send, attributes: { type: 'submit' } });
    this.#more = button(words.signed.asDocument, 'link', () => actions.asDocument(this.#input.value));
    const hint = element('span', { class: 'hint', text: words.sendHint });
    this.root.append(
      element('div', { class: 'line' }, this.#target, this.#cancel),
      this.#input,
      element('div', { class: 'line' }, this.#more, this.#note, hint, this.#send),
    );
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#submit();
    });
    this.#input.addEventListener('input', () => this.#changed());
    this.#update();
  }

  get text(): string {
    return this.#input.value;
  }

  set text(text: string) {
    this.#input.value = text;
    this.#changed();
  }

  /** Signed mail has more to set than fits into the box. */
  set signed(signed: boolean) {
    this.#signed = signed;
    this.#update();
  }

  setTarget(target: ReplyTarget, focus: boolean): void {
    this.#able = target.canSend && target.to !== '';
    this.#target.textContent = target.to === '' || target.from === '' ? '' : `${target.from} → ${target.to}`;
    this.#cancel.hidden = target.message === undefined;
    this.#input.disabled = !this.#able;
    this.#note.textContent = target.canSend ? '' : target.reason;
    this.#note.className = 'note';
    this.#update();
    if (focus) this.#input.focus();
  }

  sent(): void {
    this.#sending = false;
    this.text = '';
    this.#note.textContent = '';
  }

  failed(message: string): void {
    this.#sending = false;
    this.#note.textContent = message;
    this.#note.className = 'note error';
    this.#update();
  }

  #submit(): void {
    if (!this.#able || this.#sending || this.#input.value.trim() === '') return;
    this.#sending = true;
    this.#note.textContent = '';
    this.#update();
    this.#actions.send(this.#input.value);
  }

  #changed(): void {
    this.#actions.typing(this.#input.value);
    this.#input.style.height = 'auto';
    this.#input.style.height = `${Math.min(this.#input.scrollHeight + 2, window.innerHeight * 0.4)}px`;
    this.#update();
  }

  #update(): void {
    this.#input.readOnly = this.#sending;
    this.#more.hidden = !this.#signed || !this.#able;
    this.#more.disabled = this.#sending;
    this.#send.textContent = this.#sending ? this.#words.sending : this.#words.send;
    this.#send.disabled = !this.#able || this.#sending || this.#input.value.trim() === '';
  }
}
