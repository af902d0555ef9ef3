// Threads, tasks and escalations as read-only Markdown documents. The core has
// sanitized what strangers wrote.

import * as vscode from 'vscode';
import { fileNameOf } from '../refs';
import { documentOf, knows, parseKey } from './look';
import type { Mailroom } from './mailroom';
import type { Key } from './model';
import { ReadOnlyDocuments } from '../views/readOnlyDocuments';

export class Documents extends ReadOnlyDocuments {
  readonly #mailroom: Mailroom;

  constructor(mailroom: Mailroom) {
    super('signalbox-web');
    this.#mailroom = mailroom;
    this.register(
      mailroom.onDidChange(() => {
        for (const uri of this.opened) this.changed(uri);
      }),
    );
  }

  async show(key: Key, title: string, beside = false): Promise<void> {
    const name = fileNameOf(title) || fileNameOf(key.id) || 'thread';
    const viewColumn = beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    await this.open(this.uri(`${name}.md`, JSON.stringify(key)), { viewColumn });
  }

  override async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    // Anybody can write an address. It may only name something that was found.
    const key = parseKey(uri.query);
    if (key === undefined) return `${vscode.l10n.t('This address names nothing in the workspace.')}\n`;
    const found = await this.#mailroom.look();
    if (!knows(found, key)) return `${vscode.l10n.t('This is no longer in the workspace.')}\n`;
    return documentOf(await this.#mailroom.desk(), found, key);
  }
}
