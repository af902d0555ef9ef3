// The commands that a browser cannot do. They are there, and say so.

import * as vscode from 'vscode';
import { memberOf } from './model';

/** Where the docs say what works in a browser. */
const page = 'https://github.com/signalbox-dev/signalbox/blob/main/docs/web.md';

/** Commands that packageJSON does not name, and rows' keys lead to. */
const others = ['signalbox.openSelected', 'signalbox.loadMore'];

/** Registers every command of the manifest that nothing else here does. */
export function desktopCommands(manifest: unknown, done: ReadonlySet<string>): vscode.Disposable[] {
  const titles = commandsOf(manifest);
  for (const other of others) titles.set(other, '');
  return [...titles]
    .filter(([command]) => !done.has(command))
    .map(([command, title]) => vscode.commands.registerCommand(command, () => say(title)));
}

async function say(title: string): Promise<void> {
  const more = vscode.l10n.t('What Works Here');
  const text =
    title === ''
      ? vscode.l10n.t('This needs the desktop: in the browser Signalbox only reads.')
      : vscode.l10n.t('“{0}” needs the desktop: in the browser Signalbox only reads.', title);
  const chosen = await vscode.window.showInformationMessage(text, more);
  if (chosen === more) await vscode.env.openExternal(vscode.Uri.parse(page));
}

/** The commands that a manifest contributes, with their titles. */
export function commandsOf(manifest: unknown): Map<string, string> {
  const titles = new Map<string, string>();
  const list = memberOf(memberOf(manifest, 'contributes'), 'commands');
  if (!Array.isArray(list)) return titles;
  for (const each of list) {
    const command = memberOf(each, 'command');
    const title = memberOf(each, 'title');
    if (typeof command === 'string') titles.set(command, typeof title === 'string' ? title : '');
  }
  return titles;
}
