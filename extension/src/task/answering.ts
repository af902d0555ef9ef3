// Answers an escalation from the task view: previews while the user types, and a
// send that can be repeated safely.

import { failureOf, whyWords } from '../server/failureWords';
import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { attemptWith, type Attempt } from '../compose/draft';
import { type Ref, type Requests } from '../protocol';
import type { ToTaskView } from './messages';
import { hasContent, type Answer } from './model';

/** How long typing must pause before a preview is requested. */
const restMillis = 120;

export interface AnsweringHost {
  readonly server: Server;
  /** Returns the message to answer, or undefined if there is nothing to answer any more. */
  target(): Ref | undefined;
  post(message: ToTaskView): void;
}

export class Answering implements vscode.Disposable {
  readonly #host: AnsweringHost;
  #attempt: Attempt | undefined;
  #timer: NodeJS.Timeout | undefined;
  #turn = 0;

  constructor(host: AnsweringHost) {
    this.#host = host;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  /** Shows what sending would write, once typing pauses. */
  previewSoon(answer: Answer): void {
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    if (!hasContent(answer)) return;
    this.#timer = setTimeout(() => void this.#preview(answer, turn), restMillis);
  }

  async #preview(answer: Answer, turn: number): Promise<void> {
    const params = this.#paramsOf(answer);
    if (params === undefined) return;
    try {
      const preview = await this.#host.server.request('signalbox/escalation/preview', params);
      if (turn === this.#turn) this.#host.post({ type: 'preview', answer, preview });
    } catch (error) {
      const fault = whyWords(error, vscode.l10n.t);
      if (turn === this.#turn) this.#host.post({ type: 'preview', answer, preview: { fault } });
    }
  }

  /**
   * Sends an answer and returns whether it was written. The same answer keeps its
   * token, so that sending it again after a lost confirmation is not refused.
   */
  async send(answer: Answer): Promise<boolean> {
    const host = this.#host;
    const params = this.#paramsOf(answer);
    if (params === undefined) {
      const text = vscode.l10n.t('There is nothing to answer any more.');
      host.post({ type: 'sendFailed', failure: { text, remedies: [] } });
      return false;
    }
    this.#attempt = attemptWith(JSON.stringify(params), this.#attempt);
    try {
      await host.server.request('signalbox/escalation/respond', {
        ...params,
        clientToken: this.#attempt.token,
      });
    } catch (error) {
      host.server.log.error(`answer: ${describeError(error)}`);
      host.post({ type: 'sendFailed', failure: failureOf('answer', error, vscode.l10n.t) });
      return false;
    }
    this.#attempt = undefined;
    return true;
  }

  #paramsOf({
    action,
    body,
    suggested,
  }: Answer): Requests['signalbox/escalation/preview']['params'] | undefined {
    const ref = this.#host.target();
    if (ref === undefined) return undefined;
    return {
      ref,
      body,
      ...(action === undefined ? {} : { action }),
      ...(suggested === undefined ? {} : { suggestedIndex: suggested }),
    };
  }
}
