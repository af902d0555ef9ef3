// The commands behind the keys of a thread's page. They act on the tab in front.

import * as vscode from 'vscode';
import type { KeyAct } from '../keys';

const commands: Readonly<Partial<Record<KeyAct, string>>> = {
  next: 'nextUnread',
  previous: 'previousUnread',
  changes: 'showChanges',
  terminal: 'showAgentTerminal',
  window: 'openInNewWindow',
  done: 'noReplyNeeded',
  archive: 'archiveThread',
  snooze: 'snoozeThread',
  read: 'markThreadRead',
  unread: 'markThreadUnread',
  undo: 'undo',
};

/** Runs the command of a key. Escape moves to a text editor that is open beside the thread. */
export async function runKey(act: KeyAct): Promise<void> {
  if (act === 'leave') {
    const [beside] = vscode.window.visibleTextEditors.filter(({ viewColumn }) => viewColumn !== undefined);
    if (beside !== undefined)
      await vscode.window.showTextDocument(beside.document, beside.viewColumn ?? vscode.ViewColumn.Active);
    return;
  }
  const command = commands[act];
  if (command !== undefined) await vscode.commands.executeCommand(`signalbox.${command}`);
}
