// "Open as text": a task's timeline as a read-only document of at most 80
// columns, as `signalbox task show` prints it.

import * as vscode from 'vscode';
import type { Server } from './client';
import { parseRef, fileNameOf } from './refs';
import type { Ref, TaskPage } from './protocol';

const scheme = 'signalbox-task';
const pageLimit = 200;
/** Older pages are put before the newest, up to this many. */
const pagesMax = 10;

export class TaskDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
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
        if (!change.kinds.includes('tasks')) return;
        for (const { uri } of vscode.workspace.textDocuments) {
          if (uri.scheme === scheme) this.#emitter.fire(uri);
        }
      }),
    ];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Opens the text of a task, or of the task a message belongs to. */
  async show(ref: Ref, title: string): Promise<void> {
    const name = fileNameOf(title) || 'task';
    const uri = vscode.Uri.from({ scheme, path: `/${name}.txt`, query: JSON.stringify(ref) });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const ref = parseRef(uri.query);
    if (ref === undefined) throw new Error(vscode.l10n.t('this address names no task'));
    const texts: string[] = [];
    let before: string | undefined;
    do {
      const page: TaskPage = await this.#server.request('signalbox/task/get', {
        ref,
        limit: pageLimit,
        ...(before === undefined ? {} : { before }),
      });
      texts.unshift(page.text.trimEnd());
      before = page.before;
    } while (before !== undefined && texts.length < pagesMax);
    if (before !== undefined) texts.unshift(vscode.l10n.t('Older steps are not shown here.'));
    return `${texts.join('\n\n')}\n`;
  }
}
