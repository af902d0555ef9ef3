// All changes of a work tree, a branch or a thread, in VS Code's editor for several files. The
// old side is a read-only document of ours. The new side is the file itself if git tracks it.
// The path in an agent's edit is a label: no such file is read.

import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ChangesPage, Diff, FileEditRef, Ref, UnshownReason } from '../../protocol';
import { documentNameOf, folderName } from '../../refs';
import type { Server } from '../../server/client';
import { describeError, isError } from '../../server/failures';
import { colourOnly } from '../../views/textLanguages';
import { ReadOnlyDocuments } from '../../views/readOnlyDocuments';
import { entriesOf, joinPieces, parseSide, type ChangeEntry, type Side } from './changeModel';

const scheme = 'signalbox-changes';

/** The place whose changes are shown. */
export interface ChangesOf {
  /** The title of the tab. */
  readonly title: string;
  /** The work tree, or empty. */
  readonly folder?: string;
  /** A branch to compare instead of the checked-out files. */
  readonly branch?: string;
  /** The thread whose edits are shown if the work tree has no changes. */
  readonly thread?: Ref | undefined;
}

/** The largest number of diffs in the cache. */
const maxDiffs = 200;

export class ChangeEditors extends ReadOnlyDocuments {
  readonly #server: Server;
  readonly #diffs = new Map<string, Promise<Diff>>();

  constructor(server: Server) {
    super(scheme);
    this.#server = server;
    this.register(colourOnly(scheme));
  }

  /** Shows all changed files. */
  async show(of: ChangesOf): Promise<void> {
    const { entries, root } = await this.#find(of);
    if (entries.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Signalbox: {0} has no changes.', of.title));
      return;
    }
    const resources = entries.map((entry) => {
      const label = this.#label(entry, root);
      return [label, this.#uri(entry, entry.before, root), this.#uri(entry, entry.after, root)];
    });
    await vscode.commands.executeCommand(
      'vscode.changes',
      vscode.l10n.t('Changes: {0}', of.title),
      resources,
    );
  }

  /** Shows the changes of one of the files. */
  async showFile(of: ChangesOf, path: string): Promise<void> {
    const inFolder = await this.#find(of);
    let found = inFolder.entries.find((entry) => entry.path === path);
    let { root } = inFolder;
    if (found === undefined && of.thread !== undefined) {
      const inThread = await this.#find({ title: of.title, thread: of.thread });
      found = inThread.entries.find((entry) => entry.path === path);
      root = inThread.root;
    }
    if (found === undefined) return this.show(of);
    const entry = found;
    const nothing = this.uri(documentNameOf(path), '{"kind":"edits"}');
    const [before, after] = [entry.before, entry.after].map(
      (side) => this.#uri(entry, side, root) ?? nothing,
    );
    await vscode.commands.executeCommand('vscode.diff', before, after, `${folderName(path)} (${of.title})`);
  }

  /** Returns the other branches of a work tree's repository. */
  async branches(folder: string): Promise<readonly string[]> {
    return (await this.#list({ folder }))?.branches ?? [];
  }

  /** Returns the changes in a work tree. If there are none, returns the thread's edits. */
  async #find({ branch, folder = '', thread }: ChangesOf): Promise<{
    readonly entries: readonly ChangeEntry[];
    readonly root: string;
  }> {
    const here =
      folder === '' ? undefined : await this.#list({ folder, ...(branch === undefined ? {} : { branch }) });
    const page =
      thread === undefined || (here !== undefined && here.files.length > 0)
        ? here
        : await this.#server.request('signalbox/changes/list', { thread });
    if (page === undefined) return { entries: [], root: '' };
    return { entries: entriesOf(page, folder), root: page.root ?? '' };
  }

  /** Returns git's changes in a folder, or undefined if the folder is not in a repository. */
  async #list(of: { readonly folder: string; readonly branch?: string }): Promise<ChangesPage | undefined> {
    try {
      return await this.#server.request('signalbox/changes/list', of);
    } catch (error) {
      if (!isError(error, 'Unsupported') && !isError(error, 'NotFound')) throw error;
      this.#server.log.info(`changes: ${describeError(error)}`);
      return undefined;
    }
  }

  #label({ inside, path }: ChangeEntry, root: string): vscode.Uri {
    return inside && root !== '' ? vscode.Uri.file(join(root, path)) : this.uri(documentPath(path));
  }

  #uri(entry: ChangeEntry, side: Side, root: string): vscode.Uri | undefined {
    if (side === undefined) return undefined;
    const { path } = this.#label(entry, root);
    if (side === 'disk') return vscode.Uri.file(path);
    // VS Code shows a file with two different paths as renamed, so both sides have one path.
    return this.uri(documentPath(path), JSON.stringify(side));
  }

  override async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const side = parseSide(uri.query);
    switch (side?.kind) {
      case undefined:
        throw new Error(vscode.l10n.t('this address does not name a change'));
      case 'unshown':
        return unshownWords(side.why);
      case 'more':
        return moreWords(side);
      case 'edits':
        return joinPieces(
          (await Promise.all(side.edits.map((edit) => this.#diff(edit)))).map((diff) => diff[side.side]),
        );
      case 'blob': {
        const { folder, name } = side;
        const { text, unshown } = await this.#server.request('signalbox/changes/text', { folder, name });
        return unshown === undefined ? text : unshownWords(unshown);
      }
    }
  }

  #diff({ message, tool }: FileEditRef): Promise<Diff> {
    const key = JSON.stringify([message, tool]);
    const known = this.#diffs.get(key);
    if (known !== undefined) return known;
    if (this.#diffs.size >= maxDiffs) this.#diffs.clear();
    const diff = this.#server.request('signalbox/thread/diff', { ref: message, tool });
    this.#diffs.set(key, diff);
    diff.catch(() => this.#diffs.delete(key));
    return diff;
  }
}

/** Returns a path that only text editors open. */
function documentPath(path: string): string {
  const name = documentNameOf(path);
  const base = folderName(path);
  const whole = name === `${base}.txt` ? `${path}.txt` : path;
  return whole.replace(/^[/\\]+/, '');
}

function unshownWords(why: UnshownReason): string {
  const words: Readonly<Record<UnshownReason, string>> = {
    binary: vscode.l10n.t('This file is not text.'),
    large: vscode.l10n.t('This file is larger than 1 MB. Open it to see it.'),
    link: vscode.l10n.t('This is a symbolic link.'),
    repository: vscode.l10n.t('This is a repository of its own.'),
    name: vscode.l10n.t('The name of this file holds characters that cannot be shown.'),
    unreadable: vscode.l10n.t('This file cannot be read.'),
  };
  return `${words[why]}\n`;
}

function moreWords({ files, cut }: { readonly files: number; readonly cut: boolean }): string {
  const lines = [
    files === 0 ? '' : vscode.l10n.t('{0} more files changed and are not listed.', files),
    cut ? vscode.l10n.t('Only the newest messages of the thread were looked through.') : '',
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}
