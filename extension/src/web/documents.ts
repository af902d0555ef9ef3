// Threads, tasks and escalations as read-only Markdown documents. What a
// stranger said in them went through the core.

import * as vscode from 'vscode';
import { fileNameOf } from '../refs';
import { documentOf, knows, parseKey } from './look';
import type { Mailroom } from './mailroom';
import type { Key } from './model';
import { Registrations } from '../registrations';

const scheme = 'signalbox-web';

export class Documents extends Registrations implements vscode.TextDocumentContentProvider {
  readonly #mailroom: Mailroom;
  readonly #emitter = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.#emitter.event;

  constructor(mailroom: Mailroom) {
    super();
    this.#mailroom = mailroom;
    this.register(
      this.#emitter,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      mailroom.onDidChange(() => {
        for (const { uri } of vscode.workspace.textDocuments) {
          if (uri.scheme === scheme) this.#emitter.fire(uri);
        }
      }),
    );
  }

  /** Opens what a key stands for. */
  async show(key: Key, title: string, beside = false): Promise<void> {
    const name = fileNameOf(title) || fileNameOf(key.id) || 'thread';
    const uri = vscode.Uri.from({ scheme, path: `/${name}.md`, query: JSON.stringify(key) });
    const document = await vscode.workspace.openTextDocument(uri);
    const column = beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    await vscode.window.showTextDocument(document, { preview: true, viewColumn: column });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    // The address may be anybody's, and what it names must be what was found.
    const key = parseKey(uri.query);
    if (key === undefined) return `${vscode.l10n.t('This address names nothing in the workspace.')}\n`;
    const found = await this.#mailroom.look();
    if (!knows(found, key)) return `${vscode.l10n.t('This is no longer in the workspace.')}\n`;
    return documentOf(await this.#mailroom.desk(), found, key);
  }
}
