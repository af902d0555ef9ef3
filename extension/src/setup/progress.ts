// Shows that something takes a while.

import * as vscode from 'vscode';

/** Runs a task with a notification that says what is going on. */
export function busy<T>(title: string, task: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, task);
}
