// The answer to a thread: whom it goes to, and sending it once however often
// that is tried.

import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { attemptFor, type Attempt } from '../compose/draft';
import { type ComposeContext, type Draft, type Ref } from '../protocol';
import type { ReplyTarget } from './messages';

export class ThreadReply {
  readonly #server: Server;
  #answered: Ref | undefined;
  #draft: Draft | undefined;
  #attempt: Attempt | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  /** The message answered, if the user chose one; else the thread's last word is. */
  get answered(): Ref | undefined {
    return this.#answered;
  }

  /** Whether the server was asked and named nobody. */
  get nobody(): boolean {
    return this.#draft?.to === '';
  }

  answer(message: Ref | undefined): void {
    this.#answered = message;
  }

  /** Another thread, or an answer that was sent: nothing of it is kept. */
  reset(): void {
    this.#answered = undefined;
    this.#attempt = undefined;
  }

  /** Asks the server whom an answer goes to, and whether it may. */
  async target(thread: Ref): Promise<ReplyTarget> {
    const message = this.#answered;
    try {
      const context = await this.#server.request('signalbox/compose/context', { ref: message ?? thread });
      this.#draft = context.draft;
      return { ...sender(context), to: context.draft?.to ?? '', message };
    } catch (error) {
      return { from: '', to: '', canSend: false, reason: describeError(error), message: undefined };
    }
  }

  /** Sends the answer. What was tried in vain can be tried again. */
  async send(body: string): Promise<void> {
    if (this.#draft === undefined) throw new Error(vscode.l10n.t('There is nobody to reply to.'));
    const draft: Draft = { ...this.#draft, body };
    this.#attempt = attemptFor(draft, this.#attempt);
    await this.#server.request('signalbox/message/send', { draft, clientToken: this.#attempt.token });
    this.reset();
  }
}

/** Who answers: of signed mail whoever signs it. */
function sender({ from, canSend, reason, draft, amp }: ComposeContext): Omit<ReplyTarget, 'to' | 'message'> {
  if (draft?.replyTo?.protocol !== 'amp') return { from, canSend, reason };
  if (amp === undefined) return { from: '', canSend: false, reason };
  return { from: amp.address, canSend: amp.canSend, reason: amp.canSend ? '' : (amp.reason ?? reason) };
}
