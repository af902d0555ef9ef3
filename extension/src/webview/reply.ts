// The reply box.

import type { FromView, ReplyTarget } from '../thread/messages';
import type { ThreadWords } from '../thread/words';
import { button, element, span } from './dom';
import type { Page } from './frame';
import { SendForm } from './sendForm';

export class ReplyBox extends SendForm {
  readonly #page: Page<ThreadWords, FromView>;
  readonly #typed: () => void;
  readonly #target = element('span', { class: 'target' });
  readonly #cancel: HTMLButtonElement;
  readonly #more: HTMLButtonElement;
  #able = false;
  #signed = false;

  /** `typed` is called whenever the text changes. */
  constructor(page: Page<ThreadWords, FromView>, typed: () => void) {
    const { words, post } = page;
    super(page, 'reply', 3);
    this.#page = page;
    this.#typed = typed;
    this.#cancel = button(words.cancelReply, 'link', () => post({ type: 'answer', message: undefined }));
    this.#cancel.hidden = true;
    this.input.placeholder = words.replyPlaceholder;
    this.input.setAttribute('aria-label', words.reply);
    this.#more = button(words.signed.asDocument, 'link', () => post({ type: 'asDocument', body: this.text }));
    const hint = span(words.sendHint, 'hint');
    this.root.append(
      element('div', { class: 'line' }, this.#target, this.#cancel),
      this.input,
      element('div', { class: 'line' }, this.#more, this.note, hint, this.button),
    );
    this.update();
  }

  get text(): string {
    return this.input.value;
  }

  set text(text: string) {
    this.input.value = text;
    this.changed();
  }

  /** Signed mail has more to set than fits into the box. */
  set signed(signed: boolean) {
    this.#signed = signed;
    this.update();
  }

  setTarget(target: ReplyTarget, focus: boolean): void {
    this.#able = target.canSend && target.to !== '';
    this.#target.textContent = target.to === '' || target.from === '' ? '' : `${target.from} → ${target.to}`;
    this.#cancel.hidden = target.message === undefined;
    this.input.disabled = !this.#able;
    this.say(target.canSend ? '' : target.reason);
    this.update();
    if (focus) {
      this.input.focus();
      this.awaitText(this.#page.post);
    }
  }

  sent(): void {
    this.sending = false;
    this.text = '';
    this.say('');
  }

  protected override sendable(): boolean {
    return this.#able && this.text.trim() !== '';
  }

  protected override send(): void {
    this.#page.post({ type: 'send', body: this.text });
  }

  protected override changed(): void {
    this.#typed();
    this.#page.post({ type: 'typing', empty: this.text.trim() === '' });
    super.changed();
  }

  protected override update(): void {
    super.update();
    this.#more.hidden = !this.#signed || !this.#able;
    this.#more.disabled = this.sending;
  }
}
