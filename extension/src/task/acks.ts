// Writes the admin's ACK, which cannot be undone.

import { refKey } from '../refs';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { type Ref } from '../protocol';

/** Returns a function that asks for confirmation and writes the ACK. */
export function acknowledger(server: Server): (ref: Ref, label: string) => Promise<void> {
  // The tokens of ACKs that got no answer yet: trying again with the same token writes nothing twice.
  const tokens = new Map<string, string>();
  return async (ref, label) => {
    const yes = vscode.l10n.t('Acknowledge');
    const question = vscode.l10n.t('Acknowledge “{0}”?', label);
    const detail = vscode.l10n.t(
      'This writes one file, your ACK, beside the messages. It says that you have seen the escalation; it is not an answer. It cannot be undone.',
    );
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) return;
    const key = refKey(ref);
    const clientToken = tokens.get(key) ?? randomUUID();
    tokens.set(key, clientToken);
    await server.request('signalbox/message/ack', { ref, clientToken });
    tokens.delete(key);
  };
}
