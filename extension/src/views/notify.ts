// How all parts of the extension set context keys and report failures.

import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import { noticeText } from '../strangers';

/** Sets a context key, which package.json's when clauses read. */
export function setContext(key: string, value: unknown): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', key, value);
}

/** Logs why something failed and shows the reason to the user. */
export function showFailure(log: vscode.LogOutputChannel, what: string, error: unknown): void {
  log.error(`${what}: ${describeError(error)}`);
  void vscode.window.showErrorMessage(`Signalbox: ${noticeText(describeError(error))}`);
}
