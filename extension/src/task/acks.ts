// Writes the admin's ACK, which cannot be undone.

import { refKey } from '../refs';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { type Ref } from '../protocol';

export class Acks {
  readonly #server: Server;
  /** The tokens of ACKs that got no answer yet: trying again with the same token writes nothing twice. */
  readonly #tokens = new Map<string, string>();

  constructor(server: Server) {
    this.#server = server;
  }

  /** Asks for confirmation and writes the ACK. */
  async acknowledge(ref: Ref, label: string): Promise<void> {
    const yes = vscode.l10n.t('Acknowledge');
    const choice = await vscode.window.showWarningMessage(
      vscode.l10n.t('Acknowledge “{0}”?', label),
      {
        modal: true,
        detail: vscode.l10n.t(
          'This writes one file, your ACK, beside the messages. It says that you have seen the escalation; it is not an answer. It cannot be undone.',
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
