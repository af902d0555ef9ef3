// The command that starts an agent in a new worktree, from the row of a branch or a task, or from
// none. The server's program runs in a terminal, where it shows its plan and asks.

import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { InboxNode } from '../inbox/rows';
import { folderName } from '../refs';
import type { TaskRow } from '../task/treeModel';
import type { Server } from '../server/client';
import { lineFor } from '../agent/resume';
import { realFolder, workFolder } from '../agent/workFolder';
import { openFolder } from '../setup/program';
import { proposal, startable, startArguments, startWords, takesPrompt } from '../agent/startLine';

export async function startAgent(
  server: Server,
  storage: string,
  row: TaskRow | InboxNode | undefined,
): Promise<void> {
  const folder = openFolder();
  if (folder === undefined || !vscode.workspace.isTrusted) {
    showNoFolder();
    return;
  }
  const picks = startable.map(([client, label]) => ({ label, client }));
  const title = vscode.l10n.t('Start an Agent Here');
  const chosen = await vscode.window.showQuickPick(picks, { title });
  if (chosen === undefined) return;
  const group = row?.kind === 'group' ? row.group : undefined;
  const proposed = proposal(row?.kind === 'task' || row?.kind === 'group' ? row : undefined);
  const name = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Name of the new worktree and of its branch'),
    value: proposed.name,
    ignoreFocusOut: true,
  });
  if (name === undefined || name.trim() === '') return;
  const prompt = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('First prompt; empty for that of the project, if it has one'),
    value: proposed.prompt,
    ignoreFocusOut: true,
  });
  if (prompt === undefined) return;
  await server.ensure();
  const promptFile = prompt.trim() === '' ? '' : await writePrompt(storage, prompt);
  const args = startArguments({ name: name.trim(), client: chosen.client, promptFile });
  // A shell has the PATH that the user finds the agent's program with.
  const line =
    process.platform === 'win32' ? undefined : lineFor([server.program, ...args], vscode.env.shell);
  const terminal = vscode.window.createTerminal({
    name: chosen.label,
    cwd: (await workFolder('', group)) ?? folder.uri,
    ...(line === undefined ? { shellPath: server.program, shellArgs: [...args] } : { env: line.env }),
  });
  terminal.show();
  if (line !== undefined) terminal.sendText(line.line, true);
  if (promptFile === '') return;
  const closed = vscode.window.onDidCloseTerminal((one) => {
    if (one !== terminal) return;
    closed.dispose();
    void rm(promptFile, { force: true });
  });
}

/** Starts an agent in an existing worktree. */
export async function startAgentIn(path: string): Promise<void> {
  const cwd = vscode.workspace.isTrusted ? await realFolder(path) : undefined;
  if (cwd === undefined) {
    showNoFolder();
    return;
  }
  const title = vscode.l10n.t('Start an Agent in {0}', folderName(path));
  const picks = startable.map(([client, label]) => ({ label, client }));
  const chosen = await vscode.window.showQuickPick(picks, { title });
  if (chosen === undefined) return;
  // On Windows another shell runs what npm installs, and could interpret the text.
  const asks = takesPrompt(chosen.client) && process.platform !== 'win32';
  const prompt = asks
    ? await vscode.window.showInputBox({
        title,
        prompt: vscode.l10n.t('First prompt, or nothing'),
        ignoreFocusOut: true,
      })
    : '';
  if (prompt === undefined) return;
  const { shell } = vscode.env;
  const line = lineFor(startWords(chosen.client, prompt.trim()), shell) ?? lineFor([chosen.client], shell);
  const terminal = vscode.window.createTerminal({ name: chosen.label, cwd, env: line?.env ?? {} });
  terminal.show();
  terminal.sendText(line?.line ?? chosen.client, true);
}

function showNoFolder(): void {
  const text = vscode.l10n.t('Signalbox: agents are started in a trusted folder of a git repository.');
  void vscode.window.showInformationMessage(text);
}

/** Writes the prompt into a file that only the user can read: it must not be in the terminal's line. */
async function writePrompt(storage: string, prompt: string): Promise<string> {
  const folder = join(storage, 'prompts');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${randomUUID()}.md`);
  await writeFile(file, prompt, { mode: 0o600 });
  return file;
}
