// The reply to a thread: its receiver, and sending it only once however often the user tries.

import { failureOf } from '../server/failureWords';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { refKey } from '../refs';
import { describeError } from '../server/failures';
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

  /** Whether the server found no one to reply to. */
  get noReceiver(): boolean {
    return this.#draft?.to === '';
  }

  /** The receiver of a reply. */
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

  /** Returns the receiver of a reply and whether it can be sent, from the server. */
  async target(thread: Ref): Promise<ReplyTarget> {
    const message = this.#answered;
    try {
      const context = await this.#server.request('signalbox/compose/context', { ref: message ?? thread });
      this.#draft = context.draft;
      this.#reach = context.reach;
      const { agent, reach } = context;
      return { ...sender(context), to: this.to, message, reach, agent };
    } catch (error) {
      const reason = failureOf('reply', error, vscode.l10n.t).text;
      return { from: '', to: '', canSend: false, reason, message: undefined };
    }
  }

  /**
   * Returns a function that sends the reply to its current receiver. After a failure the same
   * text can be sent again, and it is still sent only once.
   */
  prepare(body: string): () => Promise<Sent> {
    if (this.#draft === undefined) throw new Error(vscode.l10n.t('there is nobody to reply to'));
    const draft: Draft = { ...this.#draft, body };
    const attempt = attemptFor(draft, this.#attempt);
    this.#attempt = attempt;
    return async () => {
      const sent = await this.#server.request('signalbox/message/send', {
        draft,
        clientToken: attempt.token,
      });
      if (this.#attempt === attempt) this.reset();
      return sent;
    };
  }
}

/** Answers questions with one of the options that they offer. */
export class Choosing {
  readonly #server: Server;
  /** The question that is being answered. */
  #chosen:
    { readonly message: Ref; readonly reply: ThreadReply; readonly target: Promise<ReplyTarget> } | undefined;

  readonly #read: (thread: Ref) => Promise<unknown>;

  /** `read` marks a thread as read after an answer. */
  constructor(server: Server, read: (thread: Ref) => Promise<unknown>) {
    this.#server = server;
    this.#read = read;
  }

  /** Sends an option as the reply. A button pressed twice sends it once. */
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
    await reply.prepare(option)();
    this.#chosen = undefined;
    try {
      await this.#read(thread);
    } catch (error) {
      this.#server.log.warn(`read mark: ${describeError(error)}`);
    }
  }
}

/** Returns the sender of a reply. Signed mail is sent from the user's own mailbox. */
function sender({ from, canSend, reason, draft, amp }: ComposeContext): Omit<ReplyTarget, 'to' | 'message'> {
  if (draft?.replyTo?.protocol !== 'amp') return { from, canSend, reason };
  if (amp === undefined) return { from: '', canSend: false, reason };
  return { from: amp.address, canSend: amp.canSend, reason: amp.canSend ? '' : (amp.reason ?? reason) };
}
