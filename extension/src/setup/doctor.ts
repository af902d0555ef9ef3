// "Signalbox: Doctor": what the server sees and where each setting came from,
// as a read-only document that can be copied and closes without a question.

import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';

const scheme = 'signalbox-doctor';

export class Doctor implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #server: Server;
  readonly #emitter = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;

  readonly onDidChange = this.#emitter.event;

  constructor(server: Server) {
    this.#server = server;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#emitter.dispose();
  }

  /** Opens the report, made anew. */
  async show(): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${vscode.l10n.t('Signalbox Doctor')}.md` });
    this.#emitter.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Works without a server too: then it says why there is none. */
  async provideTextDocumentContent(): Promise<string> {
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
