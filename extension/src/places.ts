// Where the files are, and what the place can do. On the desktop the server's paths are the
// machine's. In a browser src/browser/extension.ts puts in what is different there.

import * as vscode from 'vscode';
import type { Settings } from './protocol';

/** What a browser has that is different. */
export interface Browser {
  /** Settings that win over those of the workspace, which may be a stranger's. */
  readonly settings: () => Settings;
  readonly onDidChangeSettings: vscode.Event<void>;
  readonly uriOf: (path: string) => vscode.Uri;
  readonly pathOf: (uri: vscode.Uri) => string;
  /** Says why nothing is written. */
  readonly readOnly: () => string;
  /** The name under which the user writes, empty while writing is off. */
  readonly writesAs: () => string;
  readonly commands: Readonly<Record<string, () => Promise<void>>>;
}

let browser: Browser | undefined;

export function useBrowser(place: Browser): void {
  browser = place;
}

export function browserPlace(): Browser | undefined {
  return browser;
}

/** Returns the address of a path that the server named. */
export function uriOfPath(path: string): vscode.Uri {
  return browser?.uriOf(path) ?? vscode.Uri.file(path);
}

/** Returns the path by which the server knows a file. */
export function pathOfUri(uri: vscode.Uri): string {
  return browser?.pathOf(uri) ?? uri.fsPath;
}

/** Returns the part of a document selector that stands for the workspace's files. */
export function inWorkspace(): { readonly scheme?: string } {
  return browser === undefined ? { scheme: 'file' } : {};
}

/** Says why nothing is written. */
export function readOnlyNote(): string {
  return browser?.readOnly() ?? vscode.l10n.t('Read-only: this workspace is not trusted.');
}
