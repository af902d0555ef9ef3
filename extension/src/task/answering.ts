// Answering from the view of a task: previews while somebody types, and one
// attempt to send that can be made again.

import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { attemptWith, type Attempt } from '../compose/draft';
import { type Ref, type Requests } from '../protocol';
import type { ToTaskView } from './messages';
import { begun, type Answer } from './model';

/** A preview is asked for once typing has rested for this long. */
const restMillis = 120;

export interface AnsweringHost {
  readonly server: Server;
  readonly log: vscode.LogOutputChannel;
  /** What would be answered, or undefined where there is nothing to answer any more. */
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

  /** Shows what sending would write, once typing rests. */
  previewSoon(answer: Answer): void {
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    if (!begun(answer)) return;
    this.#timer = setTimeout(() => void this.#preview(answer, turn), restMillis);
  }

  async #preview(answer: Answer, turn: number): Promise<void> {
    const params = this.#paramsOf(answer);
    if (params === undefined) return;
    try {
      const preview = await this.#host.server.request('signalbox/escalation/preview', params);
      if (turn === this.#turn) this.#host.post({ type: 'preview', answer, preview });
    } catch (error) {
      const fault = describeError(error);
      if (turn === this.#turn) this.#host.post({ type: 'preview', answer, preview: { fault } });
    }
  }

  /**
   * Sends an answer. True where it was written. The same answer sent again has
   * the same token, so that one whose confirmation was lost is not refused.
   */
  async send(answer: Answer): Promise<boolean> {
    const host = this.#host;
    const params = this.#paramsOf(answer);
    if (params === undefined) {
      host.post({ type: 'sendFailed', message: vscode.l10n.t('There is nothing to answer any more.') });
      return false;
    }
    this.#attempt = attemptWith(JSON.stringify(params), this.#attempt);
    try {
      await host.server.request('signalbox/escalation/respond', {
        ...params,
        clientToken: this.#attempt.token,
      });
    } catch (error) {
      host.log.error(`answer: ${describeError(error)}`);
      host.post({ type: 'sendFailed', message: describeError(error) });
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
