// The file system of compose documents, `signalbox-compose://<draft id>/<name>`.
// Saving a document saves its draft. The id is the authority of the URI, so that the
// editor shows only the name.

import * as vscode from 'vscode';
import type { DraftStore } from './drafts';
import { Registrations } from '../registrations';

export const composeScheme = 'signalbox-compose';

/** The language of compose documents, as package.json contributes it. */
export const composeLanguage = 'signalbox-compose';

/** Returns the URI of a draft's document. */
export function composeUri(id: string, name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: composeScheme, authority: id, path: `/${name}` });
}

/** Returns the draft id in a document's URI. */
export function draftId(uri: vscode.Uri): string {
  return uri.authority;
}

export class ComposeFiles extends Registrations implements vscode.FileSystemProvider {
  readonly #drafts: DraftStore;
  readonly #emitter = new vscode.EventEmitter<vscode.FileChangeEvent[]>();

  readonly onDidChangeFile = this.#emitter.event;

  constructor(drafts: DraftStore) {
    super();
    this.#drafts = drafts;
    this.register(
      this.#emitter,
      vscode.workspace.registerFileSystemProvider(composeScheme, this, {
        isCaseSensitive: true,
      }),
    );
  }

  watch(): vscode.Disposable {
    // Nothing else changes drafts.
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (uri.path === '' || uri.path === '/')
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    const { changed, created, size } = await orNotFound(uri, this.#drafts.stat(draftId(uri)));
    return { type: vscode.FileType.File, ctime: created, mtime: changed, size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode(await orNotFound(uri, this.#drafts.text(draftId(uri))));
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    await orNotFound(uri, this.#drafts.stat(draftId(uri)));
    await this.#drafts.setText(draftId(uri), new TextDecoder().decode(content));
    this.#emitter.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async delete(uri: vscode.Uri): Promise<void> {
    await this.#drafts.remove(draftId(uri));
    this.#emitter.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}

async function orNotFound<T>(uri: vscode.Uri, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch {
    throw vscode.FileSystemError.FileNotFound(uri);
  }
}
