// The extension's part of the box at the foot of a thread's page: whom it reaches, messages that
// are held back for some seconds before they are sent, and answers to the request above it.

import * as vscode from 'vscode';
import { hasBox } from '../agent/reach';
import { aliasOf } from '../agent/resume';
import type { AnswerParams, MessageItem, Ref } from '../protocol';
import { refKey } from '../refs';
import { isSimple } from '../request/request';
import type { Failure, Tried } from '../server/failureWords';
import { showFailure } from '../views/notify';
import { Asking, askingHost } from './asking';
import { Footer } from './footer';
import type { ThreadHost } from './host';
import type { ReplyTarget, ToView } from './messages';
import { messageOf, type ThreadState } from './model';
import { Choosing, ThreadReply } from './reply';

/** The page that the box is on. */
export interface BoxPage {
  ref(): Ref;
  state(): ThreadState | undefined;
  /** Whether the tab is still there. */
  attached(): boolean;
  post(message: ToView): void;
  /** Logs an error, and returns the failure to show to the user. */
  logged(tried: Tried, error: unknown): Failure;
  /** Gives the tab the focus, and returns the text that was typed before it had the focus. */
  takeFocus(): Promise<string>;
  /** Notes that the box holds no text. */
  emptied(): void;
  /** Marks all messages that are shown as read. */
  markAllRead(): void;
  /** Fetches the message that was sent. */
  refresh(): Promise<void>;
}

export class Box {
  /** The session's request above the box. */
  readonly asking: Asking;
  /** Whether the box is to have the focus. */
  wantsFocus = false;
  /** Whether the typed text went into a compose document. A hidden page is informed later. */
  handedOver = false;
  readonly #host: ThreadHost;
  readonly #page: BoxPage;
  readonly #reply: ThreadReply;
  readonly #choosing: Choosing;
  readonly #footer: Footer;
  /** The target that the page received last. */
  #target: ReplyTarget | undefined;
  #targets = 0;
  /** Whether the page offers the next thing that needs the user. */
  #offersNext = false;

  constructor(host: ThreadHost, page: BoxPage) {
    this.#host = host;
    this.#page = page;
    this.#reply = new ThreadReply(host.server);
    this.#footer = new Footer(host);
    this.#choosing = new Choosing(host.server, (thread) => host.setRead([thread]));
    this.asking = new Asking(
      askingHost(host.server, (asked) => page.post({ ...asked, name: this.#name })),
      vscode.l10n.t,
    );
  }

  /** Forgets the state of another thread's box. */
  reset(): void {
    this.#reply.reset();
    this.#offersNext = false;
    this.#target = undefined;
  }

  /** Whether the server found no one to reply to. */
  get noReceiver(): boolean {
    return this.#reply.noReceiver;
  }

  /** Whether a request or a message offers options. */
  get hasOptions(): boolean {
    const { messages = [], requests = [] } = this.#page.state() ?? {};
    return requests.some(isSimple) || messages.some(({ options = [] }) => options.length > 0);
  }

  /** The name of the thread's agent. */
  get #name(): string {
    const thread = this.#page.state()?.thread;
    return thread === undefined ? '' : aliasOf(thread) || (thread.agent?.name ?? '');
  }

  /** Shows the terminal that the agent of the box runs in. */
  showTerminal(): boolean {
    return this.#footer.showTerminal();
  }

  /** Sets the message that the box answers. Undefined stands for the thread's newest. */
  answer(message: Ref | undefined): Promise<void> {
    this.#reply.answer(message);
    this.wantsFocus = message !== undefined;
    return this.showTarget();
  }

  /** Shows on the page whom the box reaches. */
  async showTarget(): Promise<void> {
    const focus = this.wantsFocus;
    this.wantsFocus = false;
    const thread = this.#page.state()?.thread;
    if (thread?.agent !== undefined && !hasBox(thread) && !this.asking.open) {
      // Nothing reaches the agent; the page says so and offers mail.
      if (!focus) return;
      const typed = await this.#page.takeFocus();
      if (typed !== '') await this.#host.writeMail(this.#page.ref(), typed);
      return;
    }
    const turn = ++this.#targets;
    const target = await this.#reply.target(this.#page.ref());
    // The focus does not wait for the facts about the agent.
    if (focus || this.#target === undefined) this.#page.post({ type: 'target', target, focus });
    const facts = await this.#footer.facts(thread, target);
    if (turn !== this.#targets) return;
    this.#target = target;
    this.#page.post({ type: 'target', target: { ...target, facts, name: this.#name }, focus: false });
  }

  /** Moves the typed text into a compose document, which has more fields. */
  async handOver(body: string): Promise<void> {
    await this.#host.writeMail(this.#reply.answered ?? this.#page.ref(), body);
    this.#reply.reset();
    this.#page.emptied();
    this.handedOver = true;
    this.#page.post({ type: 'handedOver' });
    await this.showTarget();
  }

  /** Answers a question with an option. The text in the reply box stays. */
  async choose(message: Ref, option: string): Promise<void> {
    const state = this.#page.state();
    const item = state === undefined ? undefined : messageOf(state, message);
    if (item?.options?.includes(option) !== true) return;
    const thread = this.#page.ref();
    await this.#hold(option, message, () => this.#choosing.send(thread, message, option));
  }

  /** Sends the user's answer to the session's request. */
  async decide(answer: AnswerParams, next: boolean): Promise<void> {
    try {
      await this.asking.decide(answer);
    } catch (error) {
      this.#page.post({ type: 'decideFailed', failure: this.#page.logged('answer', error) });
      return;
    }
    this.#advance(next);
  }

  /** Sends a text to the box's receiver, in the way that the button names. */
  async send(body: string, next: boolean): Promise<void> {
    const { reach, to } = this.#reply;
    const thread = this.#page.ref();
    const target = this.#target;
    try {
      if (reach === 'continue' && (await this.#host.continueWith(thread, body))) {
        this.#clearBox(next);
        return;
      }
      const deliver = this.#reply.prepare(body);
      this.#clearBox(next);
      await this.#hold(body, undefined, async () => {
        const sent = await deliver();
        if (target !== undefined) this.#footer.sent(thread, sent, target);
        if (reach === 'type' && sent.reach === 'type') await this.#host.nudge(to);
      });
    } catch (error) {
      this.#page.post({ type: 'sendFailed', failure: this.#page.logged('send', error) });
    }
  }

  /** Empties the box, and marks the shown messages as read. */
  #clearBox(next: boolean): void {
    this.#page.emptied();
    this.#page.post({ type: 'sent' });
    this.#page.markAllRead();
    if (next || this.#page.state()?.thread.needsReply === true) this.#advance(next);
  }

  /** Sends a message after some seconds in which it can be taken back. */
  async #hold(text: string, message: Ref | undefined, send: () => Promise<void>): Promise<void> {
    const key = refKey(this.#page.ref());
    this.#host.outbox.hold(key, text, message, () => this.#release(key, text, message, send));
    await this.showTrace();
    if (message !== undefined) this.#advance(false);
  }

  async #release(
    key: string,
    text: string,
    message: Ref | undefined,
    send: () => Promise<void>,
  ): Promise<void> {
    const here = (): boolean => refKey(this.#page.ref()) === key && this.#page.attached();
    try {
      await send();
    } catch (error) {
      if (!here()) {
        // The user has left the thread.
        showFailure(this.#host.server.log, 'send', error, () => this.#release(key, text, message, send));
        return;
      }
      await this.showTrace();
      const failure = this.#page.logged('send', error);
      if (message === undefined) this.#page.post({ type: 'back', text });
      this.#page.post({ type: message === undefined ? 'sendFailed' : 'decideFailed', failure });
      return;
    }
    if (!here()) return;
    await this.#page.refresh();
    await this.showTarget();
  }

  /** Takes back the held message: a text returns to the box, a question is open again. */
  async undo(): Promise<void> {
    const held = this.#host.outbox.undo(refKey(this.#page.ref()));
    await this.showTrace();
    if (held !== undefined && held.message === undefined) this.#page.post({ type: 'back', text: held.text });
  }

  /** Puts back a text that an earlier window may not have sent, unless the thread contains it. */
  restoreHeld(text: string): void {
    const same = (one: MessageItem): boolean => one.mine && one.text.trim() === text.trim();
    const sent = this.#page.state()?.messages.some(same) === true;
    if (!sent && !this.#host.outbox.hasSent(refKey(this.#page.ref())))
      this.#page.post({ type: 'back', text });
  }

  /** Shows the outcome of the message that was sent last. */
  async showTrace(): Promise<void> {
    const ref = this.#page.ref();
    const trace = await this.#footer.trace(ref, this.#page.state()?.messages ?? []);
    if (ref === this.#page.ref()) this.#page.post({ type: 'trace', trace });
  }

  /** Offers the next thing that needs the user, or with `now` opens it. */
  #advance(now: boolean): void {
    if (now) this.next();
    else this.#offerNext();
  }

  /** Opens the next thing that needs the user. */
  next(): void {
    this.#host.next(this.#page.ref())?.open();
  }

  /** Updates the offer of the next thing that needs the user, if one is shown. */
  offerAgain(): void {
    if (this.#offersNext) this.#offerNext();
  }

  #offerNext(): void {
    this.#offersNext = true;
    const { title, who } = this.#host.next(this.#page.ref()) ?? {};
    const next = title === undefined || who === undefined ? undefined : { title, who };
    this.#page.post({ type: 'next', next });
  }
}
