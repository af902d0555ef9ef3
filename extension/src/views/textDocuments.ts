// "Open as text": what a view shows, as a read-only document.

import * as vscode from 'vscode';
import type { Server } from '../server/client';
import type { Change, Ref } from '../protocol';
import { fileNameOf, parseRef } from '../refs';
import { Registrations } from '../registrations';

/** One kind of text. */
export interface TextKind {
  readonly scheme: string;
  /** The document's file ending. */
  readonly ending: string;
  /** Its name where the title has nothing that a file's name may have. */
  readonly name: string;
  /** What an address that names nothing is answered with. */
  readonly noRef: string;
  /** Whether a change is about what the document shows. */
  concerns(change: Change, ref: Ref): boolean;
  write(ref: Ref): Promise<string>;
}

export class TextDocuments extends Registrations implements vscode.TextDocumentContentProvider {
  readonly #kind: TextKind;
  readonly #emitter = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.#emitter.event;

  constructor(server: Server, kind: TextKind) {
    super();
    this.#kind = kind;
    this.register(
      this.#emitter,
      vscode.workspace.registerTextDocumentContentProvider(kind.scheme, this),
      server.onDidChange((change) => {
        for (const { uri } of vscode.workspace.textDocuments) {
          if (uri.scheme !== kind.scheme) continue;
          const ref = parseRef(uri.query);
          if (ref !== undefined && kind.concerns(change, ref)) this.#emitter.fire(uri);
        }
      }),
    );
  }

  async show(ref: Ref, title: string): Promise<void> {
    const { scheme, ending, name } = this.#kind;
    const path = `/${fileNameOf(title) || name}.${ending}`;
    const uri = vscode.Uri.from({ scheme, path, query: JSON.stringify(ref) });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const ref = parseRef(uri.query);
    if (ref === undefined) throw new Error(this.#kind.noRef);
    return this.#kind.write(ref);
  }
}
