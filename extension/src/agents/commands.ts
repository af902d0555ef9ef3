// The commands about agents: their view as an editor tab, what changed, and their folders.

import * as vscode from 'vscode';
import type { InboxNode } from '../inbox/rows';
import type { AgentItem, Ref } from '../protocol';
import { readRef, refKey } from '../refs';
import { withoutIcons } from '../strangers';
import { openWindow, runAct, type ActParts } from './acts';
import type { AgentList } from './list';
import { folderOf, nameOf, placeOf } from '../agent/agentWords';
import type { AgentAct } from './model';
import type { AgentsTabs } from './tab';
import type { AgentsView } from './view';

export interface AgentCommandParts extends ActParts {
  readonly list: AgentList;
  readonly view: AgentsView;
  readonly tabs: AgentsTabs;
  /** The thread whose tab is in front, or undefined. */
  readonly front: () => { readonly ref: Ref; readonly title: string } | undefined;
}

export function agentCommands(parts: AgentCommandParts): Record<string, (argument: unknown) => unknown> {
  const { changes, front, list, tabs, view } = parts;
  const onRow =
    (act: AgentAct) =>
    async (argument: unknown): Promise<void> => {
      const agent = list.of(rowKey(argument) ?? '');
      if (agent === undefined) return;
      if (act === 'message' || act === 'continue') await view.write(agent.key);
      else await runAct(parts, agent, act);
    };
  return {
    openAgents: () => tabs.open(),
    refreshAgents: async () => {
      await parts.server.ensure();
      await list.refresh();
    },
    agentMessage: onRow('message'),
    agentContinue: onRow('continue'),
    agentOpenThread: onRow('open'),
    agentShowChanges: onRow('changes'),
    agentShowTerminal: onRow('terminal'),
    agentOpenInNewWindow: onRow('window'),
    showChanges: async (argument) => {
      const thread = threadOf(argument) ?? front()?.ref;
      if (thread === undefined) await chooseChanges(parts);
      else
        await changes.show({ title: titleOf(argument) ?? front()?.title ?? vscode.l10n.t('Thread'), thread });
    },
    showAllChanges: () => chooseChanges(parts),
    openInNewWindow: async (argument) => {
      const thread = threadOf(argument) ?? front()?.ref;
      const agent = thread === undefined ? await chooseAgent(parts) : await agentOf(list, thread);
      if (agent !== undefined) await openWindow(agent);
    },
  };
}

/** Returns the key of the row that a menu of the page was opened on. */
function rowKey(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('agentKey' in argument)) return undefined;
  return typeof argument.agentKey === 'string' ? argument.agentKey : undefined;
}

/** Returns the thread that a command is called on: a row of the inbox, or a thread itself. */
function threadOf(argument: unknown): Ref | undefined {
  return rowThread(argument)?.ref ?? readRef(argument);
}

function titleOf(argument: unknown): string | undefined {
  return rowThread(argument)?.title;
}

function rowThread(argument: unknown): Extract<InboxNode, { readonly kind: 'thread' }>['thread'] | undefined {
  if (typeof argument !== 'object' || argument === null || !('kind' in argument)) return undefined;
  return argument.kind === 'thread' ? (argument as Extract<InboxNode, { kind: 'thread' }>).thread : undefined;
}

async function agentOf(list: AgentList, thread: Ref): Promise<AgentItem | undefined> {
  const agents = await list.fetch();
  const found = agents.find((one) => one.thread !== undefined && refKey(one.thread) === refKey(thread));
  if (found === undefined)
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Signalbox: it is not known in which folder this was.'),
    );
  return found;
}

/** Lets the user choose a worktree that has a folder. */
async function chooseAgent({ list }: AgentCommandParts): Promise<AgentItem | undefined> {
  const picks = folderPicks(await list.fetch());
  const placeHolder = vscode.l10n.t('Worktrees');
  return (await vscode.window.showQuickPick(picks, { placeHolder, matchOnDescription: true }))?.agent;
}

/** Returns one line for each worktree, with the agents in it. */
function folderPicks(agents: readonly AgentItem[]): (vscode.QuickPickItem & { readonly agent: AgentItem })[] {
  const there = agents.filter((agent) => agent.gone !== true && folderOf(agent) !== '');
  const first = there.filter(
    (agent, at) => there.findIndex((one) => folderOf(one) === folderOf(agent)) === at,
  );
  return first.map((agent) => {
    const inside = there.filter((one) => folderOf(one) === folderOf(agent) && one.state !== 'none');
    return {
      label: `$(git-branch) ${withoutIcons(placeOf(agent))}`,
      description: withoutIcons([...new Set(inside.map(nameOf))].join(', ')),
      detail: withoutIcons(folderOf(agent)),
      agent,
    };
  });
}

/** Lets the user choose a worktree or a branch, and shows its changes. */
async function chooseChanges({ changes, list }: AgentCommandParts): Promise<void> {
  const trees = folderPicks(await list.fetch());
  const opened = trees.find(({ agent }) => agent.opened === true) ?? trees[0];
  const branches = opened === undefined ? [] : await changes.branches(folderOf(opened.agent));
  const taken = new Set(trees.map(({ agent }) => agent.branch ?? ''));
  const others = branches
    .filter((branch) => !taken.has(branch))
    .map((branch) => ({ label: `$(git-branch) ${withoutIcons(branch)}`, branch }));
  if (trees.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Signalbox: no git repository is open.'));
    return;
  }
  const separator = { label: vscode.l10n.t('Branches'), kind: vscode.QuickPickItemKind.Separator };
  type Pick = vscode.QuickPickItem & { readonly agent?: AgentItem; readonly branch?: string };
  const picks: readonly Pick[] = [...trees, ...(others.length > 0 ? [separator, ...others] : [])];
  const chosen = await vscode.window.showQuickPick(picks, {
    title: vscode.l10n.t('Show All Changes'),
    placeHolder: vscode.l10n.t('A worktree, or a branch'),
    matchOnDescription: true,
  });
  if (chosen?.agent !== undefined)
    await changes.show({ title: placeOf(chosen.agent), folder: folderOf(chosen.agent) });
  else if (chosen?.branch !== undefined && opened !== undefined)
    await changes.show({ title: chosen.branch, folder: folderOf(opened.agent), branch: chosen.branch });
}
