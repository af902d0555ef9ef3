// The parts of Node that the extension uses, for a browser: there this file replaces all modules
// "node:…". Paths are the server's, and the files are the workspace's.

import * as vscode from 'vscode';
import { normal } from './fs';

let uriOf = (path: string): vscode.Uri => vscode.Uri.file(path);

export function useUris(find: (path: string) => vscode.Uri): void {
  uriOf = find;
}

const { fs } = vscode.workspace;

export const sep = '/';
export const delimiter = ':';
export const isAbsolute = (path: string): boolean => path.startsWith('/');
export const join = (...parts: string[]): string => normal(parts.join('/'));
export const resolve = (...parts: string[]): string =>
  normal(parts.slice(Math.max(0, parts.findLastIndex(isAbsolute))).join('/'));
export const basename = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const relative = (from: string, to: string): string =>
  to === from ? '' : to.startsWith(`${from}/`) ? to.slice(from.length + 1) : `../${to}`;

export const homedir = (): string => '/.signalbox';
export const randomUUID = (): string => crypto.randomUUID();
export const randomBytes = (count: number): { toString(form: string): string } => {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return { toString: () => btoa(String.fromCharCode(...bytes)) };
};

export const realpath = async (path: string): Promise<string> => {
  await fs.stat(uriOf(path));
  return path;
};
export const stat = async (path: string): Promise<object> => {
  const { type, mtime, ctime, size } = await fs.stat(uriOf(path));
  const is = (kind: vscode.FileType) => () => (type & kind) !== 0;
  const kinds = { isFile: is(vscode.FileType.File), isDirectory: is(vscode.FileType.Directory) };
  return { size, mtimeMs: mtime, birthtimeMs: ctime, ...kinds };
};
export const mkdir = (path: string): Thenable<void> => fs.createDirectory(uriOf(path));
export const readdir = async (path: string): Promise<string[]> =>
  (await fs.readDirectory(uriOf(path))).map(([name]) => name);
export const readFile = async (path: string, coding?: string): Promise<unknown> => {
  const bytes = await fs.readFile(uriOf(path));
  return coding === undefined ? bytes : new TextDecoder().decode(bytes);
};
export const writeFile = (path: string, text: string): Thenable<void> =>
  fs.writeFile(uriOf(path), new TextEncoder().encode(text));
export const rename = (from: string, to: string): Thenable<void> =>
  fs.rename(uriOf(from), uriOf(to), { overwrite: true });
export const rm = async (path: string): Promise<void> => {
  await Promise.resolve(fs.delete(uriOf(path), { recursive: true })).catch(() => undefined);
};

const desktop = (): never => {
  throw new Error(vscode.l10n.t('that needs the desktop'));
};
export { desktop as createHash, desktop as execFile, desktop as rmSync };
