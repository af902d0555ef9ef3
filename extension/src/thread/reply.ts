// The reply to a thread: whom it goes to, and sending it only once however often
// it is tried.

import { failureOf } from '../server/failureWords';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { refKey } from '../refs';
import { attemptFor, type Attempt } from '../compose/draft';
import { type ComposeContext, type Draft, type Reach, type Ref, type Sent } from '../protocol';
import type { ReplyTarget } from './messages';

export class ThreadReply {
  readonly #server: Server;
  #answered: Ref | undefined;
  #draft: Draft | undefined;
  #reach: Reach | undefined;
  #attempt: Attempt | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  /** The message that the user chose to answer, or undefined for the thread's newest. */
  get answered(): Ref | undefined {
    return this.#answered;
  }

  /** Whether the server was asked and knows nobody to reply to. */
  get nobody(): boolean {
    return this.#draft?.to === '';
  }

  /** Whom a reply goes to, and how they are reached where that is an agent. */
  get to(): string {
    return this.#draft?.to ?? '';
  }

  get reach(): Reach | undefined {
    return this.#reach;
  }

  answer(message: Ref | undefined): void {
    this.#answered = message;
  }

  /** Forgets the chosen message and the last attempt to send. */
  reset(): void {
    this.#answered = undefined;
    this.#attempt = undefined;
  }

  /** Asks the server whom a reply goes to, and whether it can be sent. */
  async target(thread: Ref): Promise<ReplyTarget> {
    const message = this.#answered;
    try {
      const context = await this.#server.request('signalbox/compose/context', { ref: message ?? thread });
      this.#draft = context.draft;
      this.#reach = context.reach;
      return { ...sender(context), to: this.to, message, reach: context.reach };
    } catch (error) {
      const reason = failureOf('reply', error, vscode.l10n.t).text;
      return { from: '', to: '', canSend: false, reason, message: undefined };
    }
  }

  /** Sends the reply. After a failure the same text can be sent again. */
  async send(body: string): Promise<Sent> {
    if (this.#draft === undefined) throw new Error(vscode.l10n.t('there is nobody to reply to'));
    const draft: Draft = { ...this.#draft, body };
    this.#attempt = attemptFor(draft, this.#attempt);
    const sent = await this.#server.request('signalbox/message/send', {
      draft,
      clientToken: this.#attempt.token,
    });
    this.reset();
    return sent;
  }
}

/** Answers questions with one of the options that they offer. */
export class Choosing {
  readonly #server: Server;
  /** The question that is being answered. */
  #chosen:
    { readonly message: Ref; readonly reply: ThreadReply; readonly target: Promise<ReplyTarget> } | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Sends an option as the reply. A button that is pressed twice sends once. */
  async send(thread: Ref, message: Ref, option: string): Promise<void> {
    if (this.#chosen === undefined || refKey(this.#chosen.message) !== refKey(message)) {
      const reply = new ThreadReply(this.#server);
      reply.answer(message);
      this.#chosen = { message, reply, target: reply.target(thread) };
    }
    const { reply, target } = this.#chosen;
    const { canSend, reason } = await target;
    if (!canSend) {
      this.#chosen = undefined;
      throw new Error(reason);
    }
    await reply.send(option);
    this.#chosen = undefined;
  }
}

/** Returns who replies. Signed mail comes from the user's own mailbox. */
function sender({ from, canSend, reason, draft, amp }: ComposeContext): Omit<ReplyTarget, 'to' | 'message'> {
  if (draft?.replyTo?.protocol !== 'amp') return { from, canSend, reason };
  if (amp === undefined) return { from: '', canSend: false, reason };
  return { from: amp.address, canSend: amp.canSend, reason: amp.canSend ? '' : (amp.reason ?? reason) };
}
