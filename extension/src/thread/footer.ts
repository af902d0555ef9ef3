// The extension's part of the foot of a thread's page: whom the box reaches and how, the
// outcome of the message sent last, and the next thing that needs the user.

import { basename } from 'node:path';
import type * as vscode from 'vscode';
import type { AgentItem, MessageItem, Ref, Sent, ThreadItem } from '../protocol';
import { refKey } from '../refs';
import type { Server } from '../server/client';
import { describeError } from '../server/failures';
import { noFacts, type ReachFacts } from './foot/foot';
import type { NextNeed, ReplyTarget } from './messages';
import type { Outbox } from './foot/outbox';
import { resumeCommand } from '../agent/resume';
import type { Trace } from './foot/trace';

/** The next thing that needs the user, and the way to open it. */
export interface NextStep extends NextNeed {
  open(): void;
}

export interface FooterHost {
  readonly server: Server;
  readonly outbox: Outbox;
  /** Returns the terminal of an agent, if it is in this window. */
  terminalOf(agent: AgentItem): vscode.Terminal | undefined;
  /** Returns the next thing that needs the user, leaving out a thread. */
  next(thread: Ref): NextStep | undefined;
}

export class Footer {
  readonly #host: FooterHost;
  #agent: AgentItem | undefined;

  constructor(host: FooterHost) {
    this.#host = host;
  }

  /** Shows the terminal that the agent of the box runs in. */
  showTerminal(): boolean {
    const terminal = this.#agent === undefined ? undefined : this.#host.terminalOf(this.#agent);
    terminal?.show();
    return terminal !== undefined;
  }

  /** Returns the facts about the agent that the box reaches. */
  async facts(thread: ThreadItem | undefined, { agent, reach }: ReplyTarget): Promise<ReachFacts> {
    this.#agent = agent;
    if (reach === undefined) return noFacts;
    try {
      const since = agent?.since ?? (reach === 'continue' ? (thread?.lastTime ?? 0) : 0);
      const terminal = (agent === undefined ? undefined : this.#host.terminalOf(agent)?.name) ?? '';
      if (reach !== 'continue' || thread?.agent === undefined) return { ...noFacts, since, terminal };
      return { ...noFacts, since, ...(await this.#command(thread.ref)) };
    } catch (error) {
      this.#host.server.log.warn(`reach: ${describeError(error)}`);
      return noFacts;
    }
  }

  async #command(ref: Ref): Promise<{ readonly folder: string; readonly command: string }> {
    const { words, folder, taken } = await this.#host.server.request('signalbox/sessions/resume', {
      ref,
      text: '…',
    });
    return { folder: basename(folder), command: resumeCommand(words, taken) };
  }

  /** Returns the outcome of the message sent last from a thread, or undefined if there is none to show. */
  async trace(thread: Ref, messages: readonly MessageItem[]): Promise<Trace | undefined> {
    const { outbox, server } = this.#host;
    const key = refKey(thread);
    const held = outbox.held(key);
    if (held !== undefined)
      return { kind: 'held', text: held.text, until: held.until, message: held.message };
    const sent = outbox.lastSent(key);
    if (sent === undefined) return undefined;
    const wanted = refKey(sent.ref);
    const isSent = ({ ref }: MessageItem): boolean => refKey(ref) === wanted;
    try {
      const found =
        messages.find(isSent) ??
        (
          await server.request('signalbox/thread/get', { ref: sent.ref, side: 'around', limit: 3 })
        ).messages.find(isSent);
      const { receipt, time = 0 } = found ?? {};
      if (receipt === undefined) return undefined;
      // Its answer is in the thread.
      if (receipt.state === 'answered') outbox.forget(key);
      return { kind: 'sent', name: sent.name, reach: sent.reach, receipt, time };
    } catch (error) {
      server.log.warn(`receipt: ${describeError(error)}`);
      return undefined;
    }
  }

  /** Notes a sent message, so that its outcome can be shown. */
  sent(thread: Ref, { ref, reach }: Sent, { to, reach: before }: ReplyTarget): void {
    if (to !== '') this.#host.outbox.sent(refKey(thread), { ref, name: to, reach: reach ?? before });
  }
}
