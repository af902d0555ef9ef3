// "Signalbox: Doctor": what the server sees, where each setting came from and which
// agents' programs are set up, as a read-only document.

import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { fenced } from '../strangers';
import { ReadOnlyDocuments } from '../views/readOnlyDocuments';
import type { SetupProgram } from './program';

export class Doctor extends ReadOnlyDocuments {
  readonly #server: Server;
  readonly #setup: SetupProgram;

  constructor(server: Server, setup: SetupProgram) {
    super('signalbox-doctor');
    this.#server = server;
    this.#setup = setup;
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
      const agents = await this.#setup.check();
      return [
        text.trimEnd().replace(/^# /gm, '## '),
        '',
        `## ${vscode.l10n.t('Agents')}`,
        '',
        ...fenced(agents),
      ].join('\n');
    } catch (error) {
      return `${vscode.l10n.t('The server does not answer:')} ${describeError(error)}`;
    }
  }
}
