// The few notifications there are: critical escalations, and a server that
// was given up. Ordinary mail is a badge.

import * as vscode from 'vscode';
import type { Server } from './client';
import { readConfig, silenceNotifications } from './config';

export class Notices implements vscode.Disposable {
  readonly #server: Server;
  readonly #disposables: vscode.Disposable[];
  #critical = 0;
  #shown = false;

  constructor(server: Server) {
    this.#server = server;
    this.#disposables = [
      server.onDidChange((change) => {
        const risen = change.critical > this.#critical;
        this.#critical = change.critical;
        // Only the window in use speaks: every window sees the same mail.
        if (risen && vscode.window.state.focused) void this.#critically(change.critical);
      }),
      server.onDidChangeState((state) => {
        if (state === 'stopped') void this.#stopped();
      }),
    ];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #critically(count: number): Promise<void> {
    if (this.#shown || readConfig().notifications === 'off') return;
    this.#shown = true;
    const show = vscode.l10n.t('Show Inbox');
    const never = vscode.l10n.t("Don't Show Again");
    const text = vscode.l10n.t('Signalbox: critical escalations that wait for an answer: {0}', count);
    const choice = await vscode.window.showWarningMessage(text, show, never);
    this.#shown = false;
    if (choice === show) await vscode.commands.executeCommand('signalbox.inboxView.focus');
    if (choice === never) await silenceNotifications();
  }

  async #stopped(): Promise<void> {
    const restart = vscode.l10n.t('Restart Server');
    const log = vscode.l10n.t('Show Log');
    const text = vscode.l10n.t(
      'The Signalbox server crashed five times in three minutes and was not started again: {0}',
      this.#server.problem,
    );
    const choice = await vscode.window.showErrorMessage(text, restart, log);
    if (choice === restart) await vscode.commands.executeCommand('signalbox.restartServer');
    if (choice === log) await vscode.commands.executeCommand('signalbox.showLog');
  }
}
