// "Signalbox: Doctor": what the server sees and where each setting came from, as a
// read-only document.

import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { ReadOnlyDocuments } from '../views/readOnlyDocuments';

export class Doctor extends ReadOnlyDocuments {
  readonly #server: Server;

  constructor(server: Server) {
    super('signalbox-doctor');
    this.#server = server;
  }

  /** Makes the report again and opens it. */
  async show(): Promise<void> {
    const uri = this.uri(`${vscode.l10n.t('Signalbox Doctor')}.md`);
    this.changed(uri);
    await this.open(uri);
  }

  /** Returns the report. Without a server it says why there is none. */
  override async provideTextDocumentContent(): Promise<string> {
    return [
      '# Signalbox doctor',
      '',
      `- VS Code ${vscode.version}, ${process.platform} ${process.arch}`,
      `- Workspace ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted: read-only'}`,
      `- Server: ${this.#server.command || 'none'}`,
      '',
      await this.#report(),
      '',
    ].join('\n');
  }

  async #report(): Promise<string> {
    try {
      const text = await this.#server.execute('signalbox.status');
      return text.trimEnd().replace(/^# /gm, '## ');
    } catch (error) {
      return `${vscode.l10n.t('The server does not answer:')} ${describeError(error)}`;
    }
  }
}
