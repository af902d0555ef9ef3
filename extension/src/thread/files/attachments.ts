// Attachments of signed mail, opened in the editor or saved. The server checks size and
// digest before it returns a file. An opened file is a read-only document with a scheme
// of our own: no tool treats it as a file of the project, and nothing runs it.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { isBinary, shownAs } from './attachmentKinds';
import type { Server } from '../../server/client';
import { type AttachmentItem, type Ref } from '../../protocol';
import { documentNameOf, refKey } from '../../refs';
import { colourOnly } from '../../views/textLanguages';
import { ServerPart } from '../../server/serverPart';

const scheme = 'signalbox-attachment';

/** VS Code's own viewer of images. */
const imageViewer = 'imagePreview.previewEditor';

interface Source {
  readonly message: Ref;
  readonly file: AttachmentItem;
}

export class Attachments extends ServerPart implements vscode.FileSystemProvider {
  /** The open files by address. Each was checked when it was opened, and does not change. */
  readonly #open = new Map<string, Uint8Array>();
  readonly #emitter = new vscode.EventEmitter<vscode.FileChangeEvent[]>();

  readonly onDidChangeFile = this.#emitter.event;

  constructor(server: Server) {
    super(server);
    this.register(
      this.#emitter,
      colourOnly(scheme),
      vscode.workspace.registerFileSystemProvider(scheme, this, { isReadonly: true, isCaseSensitive: true }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const { input } of closed) this.#forget(input);
      }),
    );
  }

  /** Shows a file in an editor, after the server has checked its content against the signed digest. */
  async open(message: Ref, file: AttachmentItem): Promise<void> {
    const shown = shownAs(file.name, file.type);
    if (shown === undefined) {
      const words = vscode.l10n.t('The editor cannot show {0}. Save it instead.', file.name);
      void vscode.window.showInformationMessage(words);
      return;
    }
    const confirmed = await askToConfirm(file, vscode.l10n.t('Open Anyway'));
    if (confirmed === undefined) return;
    const params = { ref: message, attachment: file.id, ...confirmed };
    const { path } = await this.server.request('signalbox/attachment/open', params);
    const content = await readFile(path);
    if (shown === 'text' && isBinary(content))
      throw new Error(
        vscode.l10n.t('{0} is not a text, though its name or type says so. Save it instead.', file.name),
      );
    const uri = uriOf({ message, file }, shown);
    this.#open.set(keyOf(uri), content);
    if (shown === 'image') {
      await vscode.commands.executeCommand('vscode.openWith', uri, imageViewer);
      return;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Asks the user for a path, and has the server save the file there. */
  async save(message: Ref, file: AttachmentItem): Promise<void> {
    const confirmed = await askToConfirm(file, vscode.l10n.t('Save Anyway'));
    if (confirmed === undefined) return;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
    const target = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.joinPath(folder, file.name),
      title: vscode.l10n.t('Save Attachment'),
    });
    if (target === undefined) return;
    if (target.scheme !== 'file') throw new Error(vscode.l10n.t('the chosen place is not on this machine'));
    const params = { ref: message, attachment: file.id, path: target.fsPath, ...confirmed };
    const saved = await this.server.request('signalbox/attachment/save', params);
    vscode.window.setStatusBarMessage(
      `$(check) ${vscode.l10n.t('Checked and saved: {0}', saved.path)}`,
      6_000,
    );
  }

  watch(): vscode.Disposable {
    // Open files do not change.
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { length: size } = this.#content(uri);
    const permissions = vscode.FilePermission.Readonly;
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size, permissions };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#content(uri);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  #content(uri: vscode.Uri): Uint8Array {
    const content = this.#open.get(keyOf(uri));
    // In a restored tab the file must be opened and checked again.
    if (content === undefined)
      throw vscode.FileSystemError.FileNotFound(vscode.l10n.t('Open it again from its message.'));
    return content;
  }

  #forget(input: unknown): void {
    const uri = shownUri(input);
    if (uri?.scheme !== scheme) return;
    const same = (tab: vscode.Tab): boolean => shownUri(tab.input)?.toString() === uri.toString();
    if (!vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(same))) this.#open.delete(keyOf(uri));
  }
}

function shownUri(input: unknown): vscode.Uri | undefined {
  const one = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
  return one ? input.uri : undefined;
}

/** Returns a file's address. The editor derives the language from the name. */
function uriOf({ message, file }: Source, shown: 'text' | 'image'): vscode.Uri {
  const digest = createHash('sha256')
    .update(`${refKey(message)}\n${file.id}`)
    .digest('hex')
    .slice(0, 16);
  const name = shown === 'image' ? file.name : documentNameOf(file.name);
  // The digest is the URI's authority, so the editor shows only the name.
  return vscode.Uri.from({ scheme, authority: digest, path: `/${name}` });
}

/** Returns the address without its query. VS Code's image viewer adds a query of its own. */
function keyOf(uri: vscode.Uri): string {
  return `${uri.authority}${uri.path}`;
}

/** Asks the user to confirm a dangerous file. Returns undefined if they do not. */
async function askToConfirm(file: AttachmentItem, yes: string): Promise<{ confirmed?: true } | undefined> {
  if (file.confirm !== true) return {};
  const question = vscode.l10n.t('{0} may be dangerous.', file.name);
  const detail = file.problem ?? '';
  const choice = await vscode.window.showWarningMessage(question, { modal: true, detail }, yes);
  return choice === yes ? { confirmed: true } : undefined;
}
