// Writing the admin's ACK, which is one action that nobody can take back.

import { refKey } from '../refs';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { type Ref } from '../protocol';

export class Acks {
  readonly #server: Server;
  /** The tokens of ACKs whose answer is not known, so that trying again writes none twice. */
  readonly #tokens = new Map<string, string>();

  constructor(server: Server) {
    this.#server = server;
  }

  /** Asks, and writes one if the answer is yes. */
  async acknowledge(ref: Ref, label: string): Promise<void> {
    const yes = vscode.l10n.t('Acknowledge');
    const choice = await vscode.window.showWarningMessage(
      vscode.l10n.t('Acknowledge “{0}”?', label),
      {
        modal: true,
        detail: vscode.l10n.t(
          'This writes one file, your ACK, beside the messages. It says that you have seen the escalation and answers nothing. Nobody can undo it.',
        ),
      },
      yes,
    );
    if (choice !== yes) return;
    const key = refKey(ref);
    const clientToken = this.#tokens.get(key) ?? randomUUID();
    this.#tokens.set(key, clientToken);
    await this.#server.request('signalbox/message/ack', { ref, clientToken });
    this.#tokens.delete(key);
  }
}
