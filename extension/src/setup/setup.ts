// The commands of the first steps, which the walkthrough and the welcome texts
// link to: set the alias, choose the directory, write a first message, connect an
// agent.

import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { writeSetting } from './config';
import type { Draft } from '../protocol';
import { agentInstructions } from './text';

/** What the first steps need from the other parts. */
export interface SetupParts {
  readonly server: Server;
  /** Opens a new message with a first text. */
  readonly compose: (draft: Draft, name: string) => Promise<void>;
}

export function setupCommands(parts: SetupParts): Record<string, () => Promise<void>> {
  return {
    setAlias: () => setAlias(parts.server),
    chooseDirectory: () => chooseDirectory(parts.server),
    testMessage: () => testMessage(parts),
    connectAgent: () => connectAgent(parts.server),
  };
}

async function setAlias(server: Server): Promise<void> {
  const title = vscode.l10n.t('Your alias');
  const prompt = vscode.l10n.t('The name that agents write to, such as your own first name.');
  const alias = await askAlias(title, prompt, server.status?.alias ?? '');
  if (alias === undefined || !(await write('alias', alias))) return;
  const status = await server.refreshStatus();
  if (!status.aliasValid) {
    const why = status.warnings.map(({ message }) => message).join(' ');
    throw new Error(vscode.l10n.t('"{0}" cannot be an alias. {1}', alias, why));
  }
}

async function askAlias(title: string, prompt: string, value: string): Promise<string | undefined> {
  const validateInput = (text: string): string | undefined =>
    text.trim() === '' ? vscode.l10n.t('An alias is not empty.') : undefined;
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
    { title: vscode.l10n.t('Where is the mail?'), ignoreFocusOut: true },
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

/** Asks where a setting holds and writes it. Returns false if the user cancelled. */
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

/** Opens a message to the user themselves: sent, it is written to disk, read back and counted. */
async function testMessage({ server, compose }: SetupParts): Promise<void> {
  const { alias } = await server.refreshStatus();
  const body = vscode.l10n.t('A test: this message went to disk and came back.');
  await compose({ to: alias, body }, vscode.l10n.t('Test message'));
}

async function connectAgent(server: Server): Promise<void> {
  const status = await server.refreshStatus();
  const prompt = vscode.l10n.t('Each agent has its own name, such as the name of its worktree.');
  const agent = await askAlias(vscode.l10n.t("The agent's alias"), prompt, 'agent');
  if (agent === undefined) return;
  const content = agentInstructions({
    program: server.program,
    directory: status.directories[0]?.path ?? '',
    me: status.alias,
    agent,
    windows: process.platform === 'win32',
  });
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: false });
  const copy = vscode.l10n.t('Copy');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t("Put this into the agent's instructions, such as AGENTS.md or CLAUDE.md."),
    copy,
  );
  if (choice === copy) await vscode.env.clipboard.writeText(content);
}
