// The box under a thread: a text field, a button, and a note on where the text goes and when
// it is read.

import { fill, join } from '../../fill';
import type { AgentRequest } from '../../protocol';
import type { Failure } from '../../server/failureWords';
import { footOf, noFacts, type Foot } from '../../thread/foot/foot';
import type { FromView, ReplyTarget } from '../../thread/messages';
import type { ThreadWords } from '../../thread/words';
import { button, deadMillis, drawing, element, span } from '../dom';
import type { Page } from '../frame';
import { SendForm } from '../sendForm';

/** How often "Working for 3m" is updated. */
const refreshMillis = 30_000;

export class ReplyBox extends SendForm {
  readonly #page: Page<ThreadWords, FromView>;
  readonly #typed: () => void;
  readonly #target = element('p', { class: 'target' });
  readonly #cancel: HTMLButtonElement;
  readonly #more: HTMLButtonElement;
  #signed = false;
  #to: ReplyTarget | undefined;
  /** The request that the text denies or answers; undefined for a reply. */
  #request: AgentRequest | undefined;
  /** Whether the request is the question of a message. */
  #mail = false;
  /** The agent's name. */
  #name = '';
  #foot: Foot | undefined;
  /** The warning in place of the note until the box is empty. */
  #warning = '';
  #dead = false;
  #resting = 0;
  /** The last shown reason why nothing can be sent. */
  #shownReason = '';
  /** Whether a decision on a request is on its way. */
  #deciding = false;
  /** Whether the text is sent by the key that then opens the next thing that needs the user. */
  #next = false;

  /** `typed` is called whenever the text changes. */
  constructor(page: Page<ThreadWords, FromView>, typed: () => void) {
    const { words, post } = page;
    super(page, 'reply', 1);
    this.#page = page;
    this.#typed = typed;
    this.#cancel = button(words.cancelReply, 'link', () => post({ type: 'answer', message: undefined }));
    this.#cancel.hidden = true;
    this.#more = button(words.signed.asDocument, 'link', () => post({ type: 'asDocument', body: this.text }));
    this.button.title = words.sendKey;
    this.button.setAttribute('aria-keyshortcuts', 'Control+Enter');
    this.root.append(
      element(
        'div',
        { class: 'writes' },
        this.input,
        this.note,
        element('div', { class: 'bar' }, this.#target, this.#cancel, this.#more, this.button),
      ),
    );
    setInterval(() => this.#drawNote(), refreshMillis);
    this.update();
  }

  get text(): string {
    return this.input.value;
  }

  set text(text: string) {
    this.input.value = text;
    this.changed();
  }

  /** Offers the compose document for signed mail, which has more fields than the box. */
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

  /**
   * Makes the text the reason for denying a request, or the answer to a question. Undefined makes
   * it a message again. The text stays. `mail` is set for the question of a message.
   */
  setRequest(request: AgentRequest | undefined, name: string, mail = false): void {
    if (this.#deciding) this.sending = false;
    this.#deciding = false;
    this.#request = request;
    this.#mail = mail;
    this.#name = name;
    // A click that was meant for one request must not answer the next.
    if (request !== undefined) this.#rest();
    this.#describe();
    // The new hint can change the height of the field.
    super.changed();
  }

  /** Gives the text field the focus. Returns whether the box is shown. */
  focus(): boolean {
    if (!this.root.hidden) this.input.focus();
    return !this.root.hidden;
  }

  /** Appends a text that was typed elsewhere. */
  append(text: string): void {
    if (text !== '') this.text = join([this.text, text], '\n');
  }

  /** Puts a text that was taken back into the box, before any text typed since. */
  restore(text: string): void {
    this.text = join([text, this.text], '\n');
    this.input.focus();
  }

  /** Sends the text, and then opens the next thing that needs the user. */
  sendAndNext(): void {
    this.#next = true;
    this.root.requestSubmit();
    this.#next = false;
  }

  #describe(): void {
    const { words } = this.#page;
    const { message, canSend = false, reason = '' } = this.#to ?? {};
    const before = this.#foot;
    const foot = this.#drawNote();
    const changed = foot.button !== this.label;
    if (before !== undefined && changed) {
      this.#rest();
      this.#warning = this.#ended(foot) ? fill(words.foot.endedMeanwhile, this.#who) : '';
      this.#drawNote();
    }
    this.label = foot.button;
    this.input.placeholder = foot.hint;
    this.input.setAttribute('aria-label', foot.hint);
    this.#cancel.hidden = this.#request !== undefined || message === undefined;
    this.input.disabled = !this.#able;
    // A failure stays visible until the reason or the button changes.
    const shown = foot.takes !== 'message' || canSend ? '' : reason;
    if (changed || shown !== this.#shownReason) this.say(shown);
    this.#shownReason = shown;
    this.update();
  }

  /** Reports whether the agent ended while a text was typed for it. */
  #ended({ icon }: Foot): boolean {
    return icon === 'ended' && this.text.trim() !== '';
  }

  get #who(): string {
    const { to = '', name = '' } = this.#to ?? {};
    return this.#request === undefined || this.#mail ? to || name || this.#name : this.#name;
  }

  /** Draws the note, and returns the box's current form. */
  #drawNote(): Foot {
    const { words, locale, post } = this.#page;
    const { from = '', reach, facts = noFacts } = this.#to ?? {};
    const state = { name: this.#who, from, reach, facts, request: this.#request, mail: this.#mail };
    const foot = footOf(state, words, Date.now(), locale);
    const same = JSON.stringify([foot, this.#warning]);
    if (this.#target.dataset['said'] === same) return foot;
    this.#target.dataset['said'] = same;
    this.#foot = foot;
    if (this.#warning !== '') {
      this.#target.replaceChildren(drawing('warn'), span(this.#warning));
      return foot;
    }
    const pieces = foot.note.map(({ text, as }) => {
      if (as === 'terminal') return button(text, 'link', () => post({ type: 'terminal' }));
      return as === 'code' ? element('code', { text }) : text;
    });
    const note = element('span');
    note.append(...pieces);
    this.#target.replaceChildren(...(foot.icon === '' ? [] : [drawing(foot.icon)]), note);
    return foot;
  }

  get #able(): boolean {
    if (this.#request !== undefined && !this.#mail) return true;
    return this.#to?.canSend === true && (this.#to.to !== '' || this.#to.reach === 'continue');
  }

  get deciding(): boolean {
    return this.#deciding;
  }

  override failed(failure: Failure): void {
    // A message failed, and the button now answers a request: it must not retry the message.
    const other = this.#takes !== 'message' && !this.#deciding;
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

  get #takes(): Foot['takes'] {
    return this.#foot?.takes ?? 'message';
  }

  /** Disables the button for a moment: a click was meant for its previous label. */
  #rest(): void {
    this.#dead = true;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      this.#dead = false;
      this.update();
    }, deadMillis);
  }

  protected override sendable(): boolean {
    return this.#able && !this.#dead && this.text.trim() !== '';
  }

  protected override send(): void {
    const takes = this.#takes;
    if (this.#request === undefined || takes === 'message') {
      this.#page.post({ type: 'send', body: this.text, next: this.#next });
      return;
    }
    this.#deciding = true;
    const { id, hash } = this.#request;
    const text = this.text.trim();
    const answer = takes === 'answer' ? { allow: true, answers: [{ text }] } : { allow: false, reason: text };
    this.#page.post({ type: 'decide', answer: { id, hash, ...answer }, next: this.#next });
  }

  protected override changed(): void {
    this.#typed();
    this.#page.post({ type: 'typing', empty: this.text.trim() === '' });
    if (this.text.trim() === '' && this.#warning !== '') {
      this.#warning = '';
      this.#drawNote();
    }
    super.changed();
  }

  protected override update(): void {
    super.update();
    this.#more.hidden = !this.#signed || !this.#able || this.#request !== undefined;
    this.#more.disabled = this.sending;
  }
}
