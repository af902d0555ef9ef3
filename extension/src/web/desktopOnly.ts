// The commands that do not work in a browser. They say so.

import * as vscode from 'vscode';
import { memberOf } from './model';

/** The page of our docs about what works in a browser. */
const page = 'https://github.com/signalbox-dev/signalbox/blob/main/docs/web.md';

/** Commands of rows' keys that the manifest does not list. */
const others = ['signalbox.openSelected', 'signalbox.loadMore'];

/** Registers every command of the manifest that is not in `done`. */
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
