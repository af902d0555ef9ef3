// Read-only documents with a URI scheme of their own.

import * as vscode from 'vscode';
import { Registrations } from '../registrations';

export abstract class ReadOnlyDocuments extends Registrations implements vscode.TextDocumentContentProvider {
  readonly #scheme: string;
  readonly #emitter = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.#emitter.event;

  constructor(scheme: string) {
    super();
    this.#scheme = scheme;
    this.register(this.#emitter, vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  abstract provideTextDocumentContent(uri: vscode.Uri): string | Promise<string>;

  protected uri(name: string, query = ''): vscode.Uri {
    return vscode.Uri.from({ scheme: this.#scheme, path: `/${name}`, query });
  }

  protected async open(uri: vscode.Uri, options: vscode.TextDocumentShowOptions = {}): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true, ...options });
  }

  /** Makes VS Code ask for this document's content again if it is open. */
  protected changed(uri: vscode.Uri): void {
    this.#emitter.fire(uri);
  }

  protected get opened(): readonly vscode.Uri[] {
    return vscode.workspace.textDocuments
      .map(({ uri }) => uri)
      .filter(({ scheme }) => scheme === this.#scheme);
  }
}
