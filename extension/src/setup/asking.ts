// The questions of Set Up: the user's name, the programs that run agents, and whether to
// write what is shown.

import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { noticeText } from '../strangers';
import type { SetupChanges } from './changes';
import { type ToolHost, takesTools } from './mcp';
import type { Facts, FileState, Plan, State } from './facts';
import { nameProblem } from './plan';
import { openFolder } from './program';

/** Returns the names of the agents here: each is named after its worktree. */
export function worktreeNames(server: Server, facts: Facts): readonly string[] {
  const paths = (server.status?.projects ?? []).flatMap(({ worktrees }) =>
    worktrees.filter(({ gone }) => gone !== true).map(({ path = '' }) => path.split(/[/\\]/).at(-1) ?? ''),
  );
  // A folder outside every worktree does not give an agent its name.
  const here = openFolder() === undefined || facts.agent === '' ? [] : [facts.agent];
  return [...new Set([...here, ...paths.filter((name) => nameProblem(name, []) === undefined)])];
}

export async function askName(
  server: Server,
  facts: Facts,
  agents: readonly string[],
): Promise<string | undefined> {
  const { alias = '', aliasOrigin = '' } = server.status ?? {};
  const given = /signalbox\.alias|SIGNALBOX_AS/.test(aliasOrigin) ? alias : '';
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Set Up Signalbox (1 of 3): Your Name'),
    prompt: vscode.l10n.t('Enter your name. Your agents write to you under it.'),
    value: given || (facts.person ?? facts.proposed),
    ignoreFocusOut: true,
    validateInput: (text) => {
      const problem = nameProblem(text.trim(), agents);
      if (problem === undefined) return undefined;
      return problem === 'agent'
        ? vscode.l10n.t('An agent here already has this name. Choose another name for yourself.')
        : vscode.l10n.t('A name is up to 64 letters, digits, dots, dashes and underscores.');
    },
  });
  return name?.trim();
}

interface ClientPick extends vscode.QuickPickItem {
  readonly found: State;
}

/** Lets the user choose among the programs that were found. Returns undefined if they cancelled. */
export async function chooseClients(
  facts: Facts,
  worktrees: readonly string[],
): Promise<readonly State[] | undefined> {
  // VS Code's own agents get the tools from the extension.
  const own = takesTools(vscode as unknown as ToolHost);
  const found = facts.clients.filter(({ client }) => !(own && client === 'vscode'));
  if (found.length === 0) return [];
  const states: Readonly<Record<State['state'], string>> = {
    'set up': vscode.l10n.t('set up'),
    'out of date': vscode.l10n.t('to be brought up to date'),
    'not set up': '',
    'cannot be read': vscode.l10n.t('its settings cannot be read'),
    'switched off': vscode.l10n.t('set up, and switched off in its settings'),
  };
  const chosen = await vscode.window.showQuickPick(
    found.map((client): ClientPick => ({
      label: client.title,
      description: states[client.state],
      detail: noticeText(client.state === 'cannot be read' ? leftWords(client.files ?? []) : ''),
      picked: client.state !== 'cannot be read',
      found: client,
    })),
    {
      title: vscode.l10n.t('Set Up Signalbox (2 of 3): Your Agents'),
      placeHolder:
        worktrees.length === 0
          ? vscode.l10n.t('Connect these programs to your mail')
          : vscode.l10n.t('Each agent is named after its worktree: {0}', noticeText(worktrees.join(', '))),
      canPickMany: true,
      ignoreFocusOut: true,
    },
  );
  if (chosen?.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No program was chosen: nothing changes.'));
    return undefined;
  }
  return chosen?.map((pick) => pick.found);
}

function leftWords(files: readonly FileState[]): string {
  return files.map(({ path, reason }) => `${path}: ${reason}`).join('; ');
}

/** The words around the edits that are shown. */
export interface ConfirmWords {
  readonly title: string;
  /** The title of the editor that shows them. */
  readonly editor: string;
  readonly write: string;
  readonly hint: string;
}

export function setUpWords(): ConfirmWords {
  return {
    title: vscode.l10n.t('Set Up Signalbox (3 of 3): Files That Change'),
    editor: vscode.l10n.t('What Signalbox Will Write'),
    write: vscode.l10n.t('Write These Changes'),
    hint: vscode.l10n.t('The editor shows what changes. "Undo Set Up…" takes it back.'),
  };
}

/** Shows what will be written, and returns whether the user agrees. Without changes it does not ask. */
export async function confirmed(
  changes: SetupChanges,
  plans: readonly Plan[],
  words: ConfirmWords,
): Promise<boolean> {
  const files = plans.flatMap((plan) => plan.files);
  const left = plans.flatMap((plan) => plan.left ?? []);
  if (files.length === 0) return true;
  const close = await changes.show(files, words.editor);
  try {
    const paths = noticeText(files.map(({ path }) => path).join(', '), 400);
    const write = {
      label: `$(check) ${words.write}`,
      detail:
        left.length === 0 ? paths : noticeText(vscode.l10n.t('Left as it is: {0}', leftWords(left)), 400),
    };
    const stop = { label: `$(close) ${vscode.l10n.t('Change Nothing')}` };
    const choice = await vscode.window.showQuickPick([write, stop], {
      title: words.title,
      placeHolder: words.hint,
      ignoreFocusOut: true,
    });
    return choice === write;
  } finally {
    await close();
  }
}
