// Offers to start an agent that was set up and has not answered yet. Its thread shows the button,
// even after the window was reloaded.

import * as vscode from 'vscode';
import type { MessageItem, Ref } from '../protocol';
import { refKey } from '../refs';
import { noticeText } from '../strangers';
import type { StartOffer } from '../thread/messages';
import { readStart, answered, type Started } from './startOffer';
import { startLine } from './plan';
import { openFolder } from './program';

const key = 'signalbox.start';

export class Starter {
  readonly #memory: vscode.Memento;
  readonly #sample: () => boolean;

  /** `sample` reports whether sample mail is shown. */
  constructor(memory: vscode.Memento, sample: () => boolean) {
    this.#memory = memory;
    this.#sample = sample;
  }

  /** Offers to start an agent in the thread to which it is to answer. */
  async offer(thread: Ref, { client, title, agent }: Omit<Started, 'thread'>): Promise<void> {
    await this.#memory.update(key, { thread: refKey(thread), client, title, agent });
  }

  /** Returns the offer of a thread, or undefined if it has none or the agent has answered. */
  of(thread: Ref, messages: readonly MessageItem[]): StartOffer | undefined {
    if (this.#sample()) {
      return {
        note: vscode.l10n.t(
          'This is sample mail: nobody reads what you send. Set Up connects your own agents.',
        ),
        button: vscode.l10n.t('Set Up…'),
      };
    }
    const started = readStart(this.#memory.get(key));
    if (started?.thread !== refKey(thread)) return undefined;
    if (answered(messages)) {
      void this.#memory.update(key, undefined);
      return undefined;
    }
    const { title, agent } = started;
    return {
      note: vscode.l10n.t(
        '{0} reads its mail as {1} and answers here, once it runs.',
        title,
        noticeText(agent),
      ),
      button: vscode.l10n.t('Start {0}', title),
    };
  }

  /** Starts the agent of a thread in a terminal. In the sample it runs Set Up instead. */
  async start(thread: Ref): Promise<void> {
    if (this.#sample()) {
      await vscode.commands.executeCommand('signalbox.leaveSample');
      await vscode.commands.executeCommand('signalbox.setUp');
      return;
    }
    const started = readStart(this.#memory.get(key));
    const line = started?.thread === refKey(thread) ? startLine(started.client) : undefined;
    if (started === undefined || line === undefined) return;
    const folder = openFolder();
    const terminal = vscode.window.createTerminal({
      name: started.title,
      ...(folder === undefined ? {} : { cwd: folder.uri }),
    });
    terminal.show();
    terminal.sendText(line);
  }
}
