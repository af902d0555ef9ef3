// Where the files are, and what can be done with them. On the desktop the server's paths are
// paths of the machine. In a browser, src/browser/extension.ts provides what is different.

import * as vscode from 'vscode';
import type { Settings } from './protocol';

/** What is different in a browser. */
export interface Browser {
  /** Settings that override the workspace's settings, which a stranger may have written. */
  readonly settings: () => Settings;
  readonly onDidChangeSettings: vscode.Event<void>;
  readonly uriOf: (path: string) => vscode.Uri;
  readonly pathOf: (uri: vscode.Uri) => string;
  /** Returns the note that explains why nothing is written. */
  readonly readOnly: () => string;
  /** Returns the name that the user writes as, empty while writing is off. */
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

/** Returns the URI of a path in a message from the server. */
export function uriOfPath(path: string): vscode.Uri {
  return browser?.uriOf(path) ?? vscode.Uri.file(path);
}

/** Returns the server's path of a file. */
export function pathOfUri(uri: vscode.Uri): string {
  return browser?.pathOf(uri) ?? uri.fsPath;
}

/** Returns the part of a document selector that selects the workspace's files. */
export function inWorkspace(): { readonly scheme?: string } {
  return browser === undefined ? { scheme: 'file' } : {};
}

/** Returns the note that explains why nothing is written. */
export function readOnlyNote(): string {
  return browser?.readOnly() ?? vscode.l10n.t('Read-only: this workspace is not trusted.');
}
