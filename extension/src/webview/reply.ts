// The reply box.

import { fill, join } from '../fill';
import type { AgentRequest } from '../protocol';
import type { Failure } from '../server/failureWords';
import type { FromView, ReplyTarget } from '../thread/messages';
import type { ThreadWords } from '../thread/words';
import { button, element, span } from './dom';
import type { Page } from './frame';
import { deadMillis } from './request';
import { SendForm } from './sendForm';

export class ReplyBox extends SendForm {
  readonly #page: Page<ThreadWords, FromView>;
  readonly #typed: () => void;
  readonly #target = element('span', { class: 'target' });
  readonly #cancel: HTMLButtonElement;
  readonly #more: HTMLButtonElement;
  #signed = false;
  #to: ReplyTarget | undefined;
  /** What the text says no to, in place of a reply. */
  #request: AgentRequest | undefined;
  /** The agent's name. */
  #name = '';
  #dead = false;
  #resting = 0;
  /** Why nothing can be sent, as it was said last. */
  #said = '';
  /** Whether a no is on its way. */
  #deciding = false;

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
    this.#to = target;
    this.#describe();
    if (focus) {
      this.input.focus();
      this.awaitText(this.#page.post);
    }
  }

  /** Makes the text a no to a request, with the reason; undefined makes it a reply again. The text stays. */
  setRequest(request: AgentRequest | undefined, name: string): void {
    if (this.#deciding) this.sending = false;
    this.#deciding = false;
    this.#request = request;
    this.input.rows = request === undefined ? 3 : 1;
    this.root.classList.toggle('no', request !== undefined);
    this.#name = name;
    // What was meant for one request says nothing to the next.
    if (request !== undefined) this.#rest();
    this.#describe();
    // The field has another height now.
    super.changed();
  }

  /** Adds a text that was typed elsewhere. */
  keep(text: string): void {
    if (text !== '') this.text = join([this.text, text], '\n');
  }

  #describe(): void {
    const { words } = this.#page;
    const { from = '', to = '', reach, message, canSend = false, reason = '' } = this.#to ?? {};
    const no = this.#request === undefined ? undefined : words.request.no[this.#request.kind];
    const way = to === '' || from === '' ? '' : `${from} → ${to}`;
    const known = reach === undefined ? undefined : words.reach[reach];
    this.#target.textContent =
      no === undefined ? join([way, known?.note ?? ''], ' · ') : fill(no.note, this.#name);
    const label = no === undefined ? known?.button : fill(no.tell, this.#name);
    const changed = label !== this.label;
    if (this.label !== undefined && changed) this.#rest();
    this.label = label;
    this.input.placeholder = no === undefined ? words.replyPlaceholder : fill(no.hint, this.#name);
    this.input.setAttribute('aria-label', no === undefined ? words.reply : fill(no.hint, this.#name));
    this.#cancel.hidden = no !== undefined || message === undefined;
    this.input.disabled = !this.#able;
    // What failed stays in sight until something else is to be said.
    const said = no !== undefined || canSend ? '' : reason;
    if (changed || said !== this.#said) this.say(said);
    this.#said = said;
    this.update();
  }

  get #able(): boolean {
    if (this.#request !== undefined) return true;
    return this.#to?.canSend === true && (this.#to.to !== '' || this.#to.reach === 'continue');
  }

  get deciding(): boolean {
    return this.#deciding;
  }

  override failed(failure: Failure): void {
    // The button does not try again to send what it would say no with by now.
    const other = this.#request !== undefined && !this.#deciding;
    this.#deciding = false;
    const { text, remedies } = failure;
    super.failed(other ? { text, remedies: remedies.filter((remedy) => remedy !== 'retry') } : failure);
  }

  sent(): void {
    this.#deciding = false;
    this.sending = false;
    this.text = '';
    this.say('');
  }

  /** Keeps a click from doing what the button did not say a moment ago. */
  #rest(): void {
    this.#dead = true;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      this.#dead = false;
      this.update();
    }, deadMillis);
  }

  protected override sendable(): boolean {
    // A session goes on without a text, too.
    const bare = this.#request === undefined && this.#to?.reach === 'continue';
    return this.#able && !this.#dead && (this.text.trim() !== '' || bare);
  }

  protected override send(): void {
    if (this.#request === undefined) {
      this.#page.post({ type: 'send', body: this.text });
      return;
    }
    this.#deciding = true;
    const { id, hash } = this.#request;
    this.#page.post({ type: 'decide', answer: { id, hash, allow: false, reason: this.text.trim() } });
  }

  protected override changed(): void {
    this.#typed();
    this.#page.post({ type: 'typing', empty: this.text.trim() === '' });
    super.changed();
  }

  protected override update(): void {
    super.update();
    this.#more.hidden = !this.#signed || !this.#able || this.#request !== undefined;
    this.#more.disabled = this.sending;
  }
}
