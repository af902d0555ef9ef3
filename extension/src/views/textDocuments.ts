// "Open as text": shows the content of a view as a read-only document.

import type * as vscode from 'vscode';
import type { Server } from '../server/client';
import type { Change, Ref } from '../protocol';
import { fileNameOf, parseRef } from '../refs';
import { ReadOnlyDocuments } from './readOnlyDocuments';

export interface TextKind {
  readonly scheme: string;
  /** The document's file extension, without the dot. */
  readonly ending: string;
  /** The document's name if no character of the title is allowed in a file name. */
  readonly name: string;
  /** The error message for a URI without a ref. */
  readonly noRef: string;
  /** Reports whether the document has to be written again after a change. */
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
