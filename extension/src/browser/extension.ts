// The entry point in a browser: the desktop's extension, with the server in a Worker. The files of
// the workspace may be a stranger's, so nothing is written before the user turns writing on.

import * as vscode from 'vscode';
import { activate as start } from '../extension';
import { useBrowser } from '../places';
import type { Settings } from '../protocol';
import { withoutRemedies } from '../server/failureWords';
import { useUris } from './node';
import { usePlace } from './process';
import { Workspace } from './workspace';

export { deactivate } from '../extension';

const writingKey = 'signalbox.writing';
const foundKey = 'signalbox.found';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const workspace = new Workspace(context.globalStorageUri);
  let found: Partial<Settings> | undefined;
  const { version } = context.extension.packageJSON as { readonly version: string };
  // Logs are directly in their folder; other mail is at most five levels below its folder.
  const ahead = (): (readonly [string, number])[] => [
    ...(found?.directories ?? []).map((path) => [path, 1] as const),
    ...[found?.ampDirectory && `${found.ampDirectory}/agents`, found?.ssot].flatMap((path) =>
      path ? [[path, 5] as const] : [],
    ),
  ];
  usePlace({ workspace, extension: context.extensionUri, version, ahead });
  void vscode.commands.executeCommand('setContext', 'signalbox.web', true);
  withoutRemedies(['doctor', 'alias', 'trust']);
  const memory = context.workspaceState;
  const storages = [context.storageUri, context.globalStorageUri];
  useUris((path) => {
    const own = storages.find((uri) => uri !== undefined && path.startsWith(uri.path));
    return own?.with({ path }) ?? workspace.uriOf(path);
  });
  // The next window starts with the mail that was found, and looks again.
  const looking = workspace.find();
  found = memory.get(foundKey) ?? (await looking);
  const changed = new vscode.EventEmitter<void>();
  context.subscriptions.push(changed);
  const writing = (): string => memory.get(writingKey, '');
  const turn = async (alias: string): Promise<void> => {
    await memory.update(writingKey, alias);
    await vscode.commands.executeCommand('setContext', 'signalbox.writing', alias !== '');
    changed.fire();
  };
  useBrowser({
    // A workspace's own settings are files of the workspace, so they are not read.
    settings: () => {
      const own = vscode.workspace.getConfiguration('signalbox').inspect<string>('alias')?.globalValue ?? '';
      const alias = writing() || own;
      const named = { alias, writes: writing() !== '', ampIdentity: '', sessions: false, watchdog: false };
      return { directories: [], ampDirectory: '', ssot: '', ...found, ...named };
    },
    onDidChangeSettings: changed.event,
    uriOf: (path) => workspace.uriOf(path),
    pathOf: (uri) => workspace.pathOf(uri),
    readOnly: () => vscode.l10n.t('Read-only: writing is off. "Signalbox: Turn On Writing" turns it on.'),
    writesAs: writing,
    commands: {
      turnOnWriting: async () => {
        const folder = vscode.workspace.name ?? '';
        const alias = await vscode.window.showInputBox({
          title: vscode.l10n.t('Turn On Writing in {0}', folder),
          prompt: vscode.l10n.t(
            'Enter the name to write under. What you send is written to this folder, and signed by nobody. Choose a name that no program on another machine writes under.',
          ),
          value: writing(),
          ignoreFocusOut: true,
          validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined),
        });
        if (alias !== undefined) await turn(alias.trim());
      },
      turnOffWriting: () => turn(''),
    },
  });
  void vscode.commands.executeCommand('setContext', 'signalbox.writing', writing() !== '');
  start(context);
  const now = await looking;
  const same = (one: unknown): boolean => JSON.stringify(one) === JSON.stringify(now);
  if (!same(memory.get(foundKey))) await memory.update(foundKey, now);
  if (same(found)) return;
  found = now;
  changed.fire();
}
