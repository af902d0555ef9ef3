// The commands that do not work in a browser. They say so.

import * as vscode from 'vscode';

/** The page of our docs about what works in a browser. */
const page = 'https://github.com/signalbox-dev/signalbox/blob/main/docs/web.md';

/** The command of rows and keys that the manifest does not list. */
const unlisted = { command: 'signalbox.openSelected', title: '' };

/** The part of the manifest that lists our commands. */
export interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
  };
}

/** Registers every command of the manifest that is not in `done`. */
export function desktopCommands({ contributes }: Manifest, done: ReadonlySet<string>): vscode.Disposable[] {
  const all = [...contributes.commands, unlisted];
  return all
    .filter(({ command }) => !done.has(command))
    .map(({ command, title }) => vscode.commands.registerCommand(command, () => say(title)));
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
