// The commands of the first steps, which the walkthrough and the welcome texts
// link to: Set Up, and the other ways to start.

import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { writeSetting } from '../config';
import { setUp, type SetUpParts } from './firstRun';
import type { SampleMail } from './sample';
import { undoSetUp } from './undoSetUp';

export interface SetupParts extends SetUpParts {
  readonly sample: SampleMail;
}

export function setupCommands(parts: SetupParts): Record<string, () => Promise<void>> {
  const { server, sample } = parts;
  /** Returns a command about the user's own mail, which leaves the sample first. */
  const onOwnMail = (run: () => Promise<void>) => async (): Promise<void> => {
    await sample.leave();
    await run();
  };
  return {
    setUp: onOwnMail(() => setUp(parts)),
    undoSetUp: onOwnMail(() => undoSetUp(parts)),
    setUpMore,
    setAlias: onOwnMail(() => setAlias(server)),
    chooseDirectory: onOwnMail(() => chooseDirectory(server)),
    trySample: () => sample.enter(),
    leaveSample: () => sample.leave(),
  };
}

/** Offers the ways to start besides Set Up. */
async function setUpMore(): Promise<void> {
  const walkthrough = 'signalbox-dev.signalbox#start';
  const picks = [
    { label: `$(rocket) ${vscode.l10n.t('Set Up…')}`, command: 'signalbox.setUp' },
    {
      label: `$(folder-opened) ${vscode.l10n.t('Choose Message Directory…')}`,
      command: 'signalbox.chooseDirectory',
    },
    { label: `$(person) ${vscode.l10n.t('Your Name…')}`, command: 'signalbox.setAlias' },
    { label: `$(beaker) ${vscode.l10n.t('Try with Sample Mail')}`, command: 'signalbox.trySample' },
    { label: `$(new-file) ${vscode.l10n.t('Write a Message')}`, command: 'signalbox.newMessage' },
    {
      label: `$(book) ${vscode.l10n.t('Open the Walkthrough')}`,
      command: 'workbench.action.openWalkthrough',
      argument: walkthrough,
    },
    { label: `$(pulse) ${vscode.l10n.t('Open Doctor')}`, command: 'signalbox.doctor' },
    { label: `$(discard) ${vscode.l10n.t('Undo Set Up…')}`, command: 'signalbox.undoSetUp' },
  ];
  const chosen = await vscode.window.showQuickPick(picks, { title: vscode.l10n.t('More Ways to Start') });
  if (chosen !== undefined) await vscode.commands.executeCommand(chosen.command, chosen.argument);
}

async function setAlias(server: Server): Promise<void> {
  const title = vscode.l10n.t('Your Name');
  const prompt = vscode.l10n.t('Enter your name. Your agents write to you under it.');
  const alias = await askAlias(title, prompt, server.status?.alias ?? '');
  if (alias === undefined || !(await write('alias', alias))) return;
  const status = await server.refreshStatus();
  if (!status.aliasValid) {
    const why = status.warnings.map(({ message }) => message).join(' ');
    throw new Error(vscode.l10n.t('"{0}" cannot be your name. {1}', alias, why));
  }
}

async function askAlias(title: string, prompt: string, value: string): Promise<string | undefined> {
  const validateInput = (text: string): string | undefined =>
    text.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined;
  const options = { title, prompt, value, ignoreFocusOut: true, validateInput };
  return (await vscode.window.showInputBox(options))?.trim();
}

interface DirectoryPick extends vscode.QuickPickItem {
  readonly choose: () => Promise<readonly string[] | undefined>;
}

async function chooseDirectory(server: Server): Promise<void> {
  const status = server.status ?? (await server.refreshStatus());
  const found = status.directories.map((directory): DirectoryPick => ({
    label: `$(check) ${vscode.l10n.t('Keep what was found')}`,
    description: directory.origin,
    detail: directory.path,
    choose: () => Promise.resolve(undefined),
  }));
  const chosen = await vscode.window.showQuickPick<DirectoryPick>(
    [
      ...found,
      {
        label: `$(folder-opened) ${vscode.l10n.t('Choose a Folder…')}`,
        detail: vscode.l10n.t('A folder that your agents write their mail into, or an empty one.'),
        choose: pickFolder,
      },
      {
        label: `$(home) ${vscode.l10n.t('The Default Place')}`,
        detail: vscode.l10n.t('AGENT_MESSAGE_DIR, then the folder that the published tool uses.'),
        choose: () => Promise.resolve([]),
      },
    ],
    { title: vscode.l10n.t('Choose Message Directory'), ignoreFocusOut: true },
  );
  const directories = await chosen?.choose();
  if (directories === undefined) return;
  if (await write('directories', directories)) await server.refreshStatus();
}

async function pickFolder(): Promise<readonly string[] | undefined> {
  const folders = await vscode.window.showOpenDialog({
    canSelectFolders: true,
    canSelectFiles: false,
    canSelectMany: false,
    openLabel: vscode.l10n.t('Use as Message Directory'),
  });
  return folders?.map((folder) => folder.fsPath);
}

/** Asks where a setting should apply, and writes it. Returns false if the user cancelled. */
async function write(name: string, value: unknown): Promise<boolean> {
  const open = (vscode.workspace.workspaceFolders?.length ?? 0) > 0 && vscode.workspace.isTrusted;
  if (!open) {
    await writeSetting(name, value, false);
    return true;
  }
  const everywhere = { label: vscode.l10n.t('In Every Workspace'), here: false };
  const here = { label: vscode.l10n.t('In This Workspace Only'), here: true };
  const scope = await vscode.window.showQuickPick([everywhere, here], {
    title: vscode.l10n.t('Where should this apply?'),
    ignoreFocusOut: true,
  });
  if (scope === undefined) return false;
  await writeSetting(name, value, scope.here);
  return true;
}
