// The box at the foot of a thread's page, on the side of the extension: whom it reaches, what is
// sent from it once it could be taken back, and the answers to what is asked above it.

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
  /** Logs why something failed, and returns what that means to the user. */
  logged(tried: Tried, error: unknown): Failure;
  /** Gives the tab the focus, and returns what was typed before it had that. */
  takeFocus(): Promise<string>;
  /** Notes that the box holds no text. */
  emptied(): void;
  /** Takes all messages that are shown as read. */
  answered(): void;
  /** Fetches what was sent. */
  refresh(): Promise<void>;
}

export class Box {
  /** Which of the session's requests is shown above the box. */
  readonly asking: Asking;
  /** Whether the box is to have the focus. */
  wantsFocus = false;
  /** Whether the typed text went into a compose document. A hidden page does not know yet. */
  handedOver = false;
  readonly #host: ThreadHost;
  readonly #page: BoxPage;
  readonly #reply: ThreadReply;
  readonly #choosing: Choosing;
  readonly #footer: Footer;
  /** To whom the box went when the page was told last. */
  #target: ReplyTarget | undefined;
  #targets = 0;
  /** Whether what needs the user next is offered. */
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

  /** Forgets what another thread's box held. */
  reset(): void {
    this.#reply.reset();
    this.#offersNext = false;
    this.#target = undefined;
  }

  /** Whether the server was asked and knows nobody to reply to. */
  get nobody(): boolean {
    return this.#reply.nobody;
  }

  /** Whether something is asked that has options. */
  get hasOptions(): boolean {
    const { messages = [], requests = [] } = this.#page.state() ?? {};
    return requests.some(isSimple) || messages.some(({ options = [] }) => options.length > 0);
  }

  /** The name of the agent whose thread it is. */
  get #name(): string {
    const thread = this.#page.state()?.thread;
    return thread === undefined ? '' : aliasOf(thread) || (thread.agent?.name ?? '');
  }

  /** Shows the terminal that the agent of the box runs in. */
  showTerminal(): boolean {
    return this.#footer.showTerminal();
  }

  /** Lets the box answer this message, or the thread's newest. */
  answer(message: Ref | undefined): Promise<void> {
    this.#reply.answer(message);
    this.wantsFocus = message !== undefined;
    return this.showTarget();
  }

  /** Tells the page whom the box reaches. */
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
    // The focus is not to wait for what else is known of the agent.
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

  /** Answers a question with an option. What is typed in the reply box stays there. */
  async choose(message: Ref, option: string): Promise<void> {
    const state = this.#page.state();
    const item = state === undefined ? undefined : messageOf(state, message);
    if (item?.options?.includes(option) !== true) return;
    const thread = this.#page.ref();
    await this.#hold(option, message, () => this.#choosing.send(thread, message, option));
  }

  /** Gives the user's answer to what the session waits for. */
  async decide(answer: AnswerParams, next: boolean): Promise<void> {
    try {
      await this.asking.decide(answer);
    } catch (error) {
      this.#page.post({ type: 'decideFailed', failure: this.#page.logged('answer', error) });
      return;
    }
    this.#goOn(next);
  }

  /** Sends a text to whom the box is for, in the way that its button says. */
  async send(body: string, next: boolean): Promise<void> {
    const { reach, to } = this.#reply;
    const thread = this.#page.ref();
    const target = this.#target;
    try {
      if (reach === 'continue' && (await this.#host.continueWith(thread, body))) {
        this.#delivered(next);
        return;
      }
      const sending = this.#reply.sending(body);
      this.#delivered(next);
      await this.#hold(body, undefined, async () => {
        const sent = await sending();
        if (target !== undefined) this.#footer.sent(thread, sent, target);
        if (reach === 'type' && sent.reach === 'type') await this.#host.nudge(to);
      });
    } catch (error) {
      this.#page.post({ type: 'sendFailed', failure: this.#page.logged('send', error) });
    }
  }

  /** Empties the box, and takes what the reader answers as read. */
  #delivered(next: boolean): void {
    this.#page.emptied();
    this.#page.post({ type: 'sent' });
    this.#page.answered();
    if (next || this.#page.state()?.thread.needsReply === true) this.#goOn(next);
  }

  /** Sends something once it could be taken back for some seconds. */
  async #hold(text: string, message: Ref | undefined, send: () => Promise<void>): Promise<void> {
    const key = refKey(this.#page.ref());
    this.#host.outbox.hold(key, text, message, () => this.#release(key, text, message, send));
    await this.showTrace();
    if (message !== undefined) this.#goOn(false);
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
        // Whoever sent it is elsewhere by now.
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

  /** Takes back what is held: a text is in the box again, a question is asked again. */
  async undo(): Promise<void> {
    const held = this.#host.outbox.undo(refKey(this.#page.ref()));
    await this.showTrace();
    if (held !== undefined && held.message === undefined) this.#page.post({ type: 'back', text: held.text });
  }

  /** Puts a text back that an earlier window may not have sent, unless it is in the thread. */
  comeBack(text: string): void {
    const same = (one: MessageItem): boolean => one.mine && one.text.trim() === text.trim();
    const sent = this.#page.state()?.messages.some(same) === true;
    if (!sent && !this.#host.outbox.used(refKey(this.#page.ref()))) this.#page.post({ type: 'back', text });
  }

  /** Shows what became of what was sent last. */
  async showTrace(): Promise<void> {
    const ref = this.#page.ref();
    const trace = await this.#footer.trace(ref, this.#page.state()?.messages ?? []);
    if (ref === this.#page.ref()) this.#page.post({ type: 'trace', trace });
  }

  /** Offers what needs the user next, or goes there. */
  #goOn(now: boolean): void {
    if (now) this.next();
    else this.#offerNext();
  }

  /** Goes to what needs the user next. */
  next(): void {
    this.#host.next(this.#page.ref())?.open();
  }

  /** Offers what now needs the user next, if something is offered. */
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
