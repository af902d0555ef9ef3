// "Open as text": a thread as a read-only Markdown document.

import * as vscode from 'vscode';
import type { Server } from './client';
import { concerns } from './inboxModel';
import { refKey, type Ref } from './protocol';
import { fileNameOf, parseRef } from './refs';
import { threadAsMarkdown } from './threadText';

const scheme = 'signalbox-thread';

/** As many messages as one page may hold: the newest ones. */
const pageLimit = 200;

export class ThreadDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #server: Server;
  readonly #emitter = new vscode.EventEmitter<vscode.Uri>();
  readonly #disposables: vscode.Disposable[];

  readonly onDidChange = this.#emitter.event;

  constructor(server: Server) {
    this.#server = server;
    this.#disposables = [
      this.#emitter,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      server.onDidChange((change) => {
        for (const { uri } of vscode.workspace.textDocuments) {
          if (uri.scheme !== scheme) continue;
          const ref = parseRef(uri.query);
          if (ref !== undefined && concerns(change, refKey(ref))) this.#emitter.fire(uri);
        }
      }),
    ];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async show(ref: Ref, title: string): Promise<void> {
    const name = fileNameOf(title) || 'thread';
    const uri = vscode.Uri.from({ scheme, path: `/${name}.md`, query: JSON.stringify(ref) });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const ref = parseRef(uri.query);
    if (ref === undefined) throw new Error(vscode.l10n.t('this address names no thread'));
    const page = await this.#server.request('signalbox/thread/get', { ref, limit: pageLimit });
    return threadAsMarkdown(page, {
      older: vscode.l10n.t('Older messages are not shown here.'),
      truncated: vscode.l10n.t('This message is longer than what is shown.'),
      gap: vscode.l10n.t('Line {0} is no message: {1}', '{0}', '{1}'),
    });
  }
}
