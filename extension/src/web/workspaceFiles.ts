// The files of the opened folders, through vscode.workspace.fs: they may be in a
// repository on a server, in a browser's memory, or on a disk.

import * as vscode from 'vscode';
import { limits } from './limits';
import type { Files, Memo } from './model';
import { globs, placeOf, sorted, wellKnown, type Found } from './paths';

/** How many bytes of files are cached. */
const kept = 32 << 20;

export class WorkspaceFiles implements Files, Memo {
  readonly #bytes = new Map<string, Uint8Array>();
  #size = 0;
  readonly #made = new Map<string, Map<string, Promise<unknown>>>();

  /** Forgets a file, or all files of a folder. */
  drop(path: string): void {
    const known = new Set([path, ...this.#bytes.keys(), ...this.#made.keys()]);
    for (const each of known) {
      if (each !== path && !each.startsWith(`${path}/`)) continue;
      this.#size -= this.#bytes.get(each)?.length ?? 0;
      this.#bytes.delete(each);
      this.#made.delete(each);
    }
    // The owner of a mailbox is cached with its config.json and depends on these files too.
    const owner = /^(.*)\/(?:keys|registrations)\/[^/]+$/.exec(path)?.[1];
    if (owner !== undefined) this.#made.delete(`${owner}/config.json`);
  }

  clear(): void {
    this.#bytes.clear();
    this.#made.clear();
    this.#size = 0;
  }

  of<T>(path: string, what: string, make: () => Promise<T>): Promise<T> {
    const known = this.#made.get(path) ?? new Map<string, Promise<unknown>>();
    this.#made.set(path, known);
    const before = known.get(what);
    // The same caller made it, so it has this type.
    if (before !== undefined) return before as Promise<T>;
    const made = make();
    known.set(what, made);
    made.catch(() => known.delete(what));
    return made;
  }

  async read(path: string, most: number): Promise<Uint8Array | number | undefined> {
    const known = this.#bytes.get(path);
    if (known !== undefined) return known.length > most ? known.length : known;
    const uri = uriOf(path);
    if (uri === undefined) return undefined;
    try {
      const { size, type } = await vscode.workspace.fs.stat(uri);
      if ((type & vscode.FileType.File) === 0) return undefined;
      if (size > most) return size;
      const data = await vscode.workspace.fs.readFile(uri);
      if (data.length > most) return data.length; // it grew, or its size was unknown
      if (this.#size + data.length <= kept) {
        this.#bytes.set(path, data);
        this.#size += data.length;
      }
      return data;
    } catch {
      return undefined; // gone, or not readable
    }
  }

  async list(folder: string): Promise<readonly string[]> {
    const entries = await entriesOf(folder);
    return entries.filter(([, type]) => (type & vscode.FileType.File) !== 0).map(([name]) => name);
  }

  label(path: string): string {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const [number = '', ...names] = path.split('/');
    const folder = folders[Number(number)]?.name ?? '';
    if (names.length === 0) return folder;
    return folders.length > 1 ? [folder, ...names].join('/') : names.join('/');
  }
}

/** Searches all folders for our files. If the search finds nothing, well-known folders are walked. */
export async function findFiles(
  token: vscode.CancellationToken,
  log: vscode.LogOutputChannel,
): Promise<Found> {
  const paths: string[] = [];
  for (const glob of globs) {
    if (token.isCancellationRequested) break;
    try {
      const uris = await vscode.workspace.findFiles(glob, '**/node_modules/**', limits.files, token);
      for (const uri of uris) paths.push(pathOf(uri) ?? '');
      if (uris.length === limits.files)
        log.warn(`more than ${limits.files} files match ${glob}: the others are left out`);
    } catch (error) {
      log.warn(`the search for ${glob} failed: ${String(error)}`);
    }
  }
  const found = paths.filter((path) => placeOf(path) !== undefined);
  return sorted(found.length > 0 ? found : await walked(token));
}

/** Walks the well-known folders, for hosts without a search. */
async function walked(token: vscode.CancellationToken): Promise<string[]> {
  const paths: string[] = [];
  const walk = async (folder: string, depth: number): Promise<void> => {
    for (const [name, type] of await entriesOf(folder)) {
      if (token.isCancellationRequested || paths.length >= limits.files) return;
      const path = `${folder}/${name}`;
      if ((type & vscode.FileType.Directory) === 0) paths.push(path);
      // A symbolic link may lead back to its own folder.
      else if (depth > 0 && (type & vscode.FileType.SymbolicLink) === 0) await walk(path, depth - 1);
    }
  };
  for (const { index } of vscode.workspace.workspaceFolders ?? []) {
    await walk(String(index), 0);
    for (const [name, depth] of wellKnown) await walk(`${index}/${name}`, depth);
  }
  return paths;
}

async function entriesOf(folder: string): Promise<[string, vscode.FileType][]> {
  const uri = uriOf(folder);
  if (uri === undefined) return [];
  try {
    return await vscode.workspace.fs.readDirectory(uri);
  } catch {
    return []; // not there
  }
}

/** Returns the address of a path, or undefined if it is in no open folder. */
export function uriOf(path: string): vscode.Uri | undefined {
  const [number = '', ...names] = path.split('/');
  const folder = /^\d+$/.test(number) ? vscode.workspace.workspaceFolders?.[Number(number)] : undefined;
  // The path may come from a document's address, which anybody can write.
  if (folder === undefined || names.some((name) => name === '' || name === '.' || name === '..'))
    return undefined;
  return vscode.Uri.joinPath(folder.uri, ...names);
}

/** Returns the path of a file in an open folder, or undefined for other files. */
export function pathOf(uri: vscode.Uri): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return undefined;
  const root = folder.uri.path.replace(/\/$/, '');
  if (!uri.path.startsWith(`${root}/`)) return undefined;
  return `${folder.index}${uri.path.slice(root.length)}`;
}
