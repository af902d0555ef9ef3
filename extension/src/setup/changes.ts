// The edits that Set Up, or Undo Set Up, is about to make, as one editor of diffs. Both sides are
// read-only texts, so the user confirms exactly what was read.

import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ReadOnlyDocuments } from '../views/readOnlyDocuments';
import { colourOnly } from '../views/textLanguages';
import type { FilePlan } from './facts';
import { edited } from './plan';

const scheme = 'signalbox-setup';

export class SetupChanges extends ReadOnlyDocuments {
  readonly #texts = new Map<string, string>();

  constructor() {
    super(scheme);
    this.register(colourOnly(scheme));
  }

  override provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Shows the changes of files under a title. Returns a function that closes them. */
  async show(files: readonly FilePlan[], title: string): Promise<() => Promise<void>> {
    this.#texts.clear();
    const resources: [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined][] = [];
    for (const file of files) {
      const before = file.new === true ? Buffer.alloc(0) : await readFile(file.path);
      const after = edited(before, file.edits);
      if (after === undefined) throw new Error(vscode.l10n.t('{0} changed meanwhile: try again', file.path));
      const path = vscode.Uri.file(file.path);
      const old = this.#text(path, 'before', before);
      const changed = file.removed === true ? undefined : this.#text(path, 'after', after);
      resources.push([path, file.new === true ? undefined : old, changed]);
    }
    await vscode.commands.executeCommand('vscode.changes', title, resources);
    return async () => {
      this.#texts.clear();
      await closeTabs(title);
    };
  }

  #text(path: vscode.Uri, side: string, text: Buffer): vscode.Uri {
    const uri = path.with({ scheme, query: side });
    this.#texts.set(uri.toString(), text.toString());
    this.changed(uri);
    return uri;
  }
}

async function closeTabs(label: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  // The API of the oldest supported VS Code has no type for the editor of several diffs.
  const ours = tabs.filter(
    (tab) => !(tab.input instanceof vscode.TabInputText) && tab.label.startsWith(label),
  );
  await vscode.window.tabGroups.close(ours);
}
