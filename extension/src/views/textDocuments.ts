// "Open as text": the content of a view as a read-only document.

import type * as vscode from 'vscode';
import type { Server } from '../server/client';
import type { Change, Ref } from '../protocol';
import { fileNameOf, parseRef } from '../refs';
import { ReadOnlyDocuments } from './readOnlyDocuments';

export interface TextKind {
  readonly scheme: string;
  /** The document's file ending. */
  readonly ending: string;
  /** The document's name if the title has no character that a file name may have. */
  readonly name: string;
  /** The error for an address that names nothing. */
  readonly noRef: string;
  /** Whether the document has to be written again after a change. */
  concerns(change: Change, ref: Ref): boolean;
  write(ref: Ref): Promise<string>;
}

export class TextDocuments extends ReadOnlyDocuments {
  readonly #kind: TextKind;

  constructor(server: Server, kind: TextKind) {
    super(kind.scheme);
    this.#kind = kind;
    this.register(
      server.onDidChange((change) => {
        for (const uri of this.opened) {
          const ref = parseRef(uri.query);
          if (ref !== undefined && kind.concerns(change, ref)) this.changed(uri);
        }
      }),
    );
  }

  async show(ref: Ref, title: string): Promise<void> {
    const { ending, name } = this.#kind;
    await this.open(this.uri(`${fileNameOf(title) || name}.${ending}`, JSON.stringify(ref)));
  }

  override async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const ref = parseRef(uri.query);
    if (ref === undefined) throw new Error(this.#kind.noRef);
    return this.#kind.write(ref);
  }
}
