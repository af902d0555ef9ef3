// Carries out the buttons and keys of the rows of "Needs You", mostly by running commands.

import * as vscode from 'vscode';
import type { AgentItem, AgentRequest, NeedItem, Ref } from '../protocol';
import type { Server } from '../server/client';
import { noticeText } from '../strangers';
import { openFile } from '../task/commands';
import type { TaskViews } from '../task/tabs';
import type { TaskRow } from '../task/treeModel';
import type { RequestTabs } from '../thread/requestTabs';
import type { Threads } from '../thread/tabs';
import { agentWords, nameOf } from '../agent/agentWords';
import { threadOf } from './model';
import type { NeedAct } from './row';
import type { Terminals } from '../agent/terminals';

/** The parts of the extension that the acts use. */
export interface ActParts {
  readonly server: Server;
  readonly terminals: Terminals;
  readonly threads: Threads;
  readonly requests: RequestTabs;
  readonly views: TaskViews;
}

/** The commands that act on a thread. */
const threadCommands: Readonly<Partial<Record<NeedAct, string>>> = {
  done: 'noReplyNeeded',
  snooze: 'snoozeThread',
  archive: 'archiveThread',
  read: 'markThreadRead',
  unread: 'markThreadUnread',
  changes: 'showChanges',
  window: 'openInNewWindow',
  continue: 'resumeSession',
};

/** Carries out the act of a row's button. */
export async function actOn(parts: ActParts, item: NeedItem, act: NeedAct): Promise<void> {
  const command = act === 'done' && item.agent !== undefined ? 'archiveThread' : threadCommands[act];
  if (command !== undefined) {
    const ref = refOf(item);
    if (ref !== undefined) await vscode.commands.executeCommand(`signalbox.${command}`, ref);
    return;
  }
  await others[act]?.(parts, item);
}

type Run = (parts: ActParts, item: NeedItem) => unknown;

const others: Readonly<Partial<Record<NeedAct, Run>>> = {
  open: openNeed,
  reply,
  message,
  respond: (_, item) => task('respondToEscalation', item),
  acknowledge: (_, item) => task('acknowledgeEscalation', item),
  terminal: showTerminal,
  nudge: (_, { agent }) => vscode.commands.executeCommand('signalbox.nudgeAgent', agent),
  copy: (_, item) => copy(item),
};

/** Returns the thread of an item: the one that it is about, or its agent's. */
export function refOf(item: NeedItem): Ref | undefined {
  return threadOf(item)?.ref ?? item.agent?.thread;
}

/** Opens the thread, agent, file or task that an item is about. */
export async function openNeed(parts: ActParts, item: NeedItem): Promise<void> {
  const { agent, escalation, overdue, question, request } = item;
  const thread = threadOf(item);
  if (question !== undefined) parts.threads.open(question.thread.ref, { message: question.message });
  else if (thread !== undefined) parts.threads.open(thread.ref);
  else if (agent !== undefined) await openAgent(parts, agent, request);
  else if (escalation?.malformed === true) await openFile(escalation.path ?? '');
  else {
    const ref = escalation?.ref ?? overdue?.ref;
    if (ref !== undefined) parts.views.open(ref);
  }
}

function reply({ threads }: ActParts, item: NeedItem): void {
  const thread = threadOf(item);
  if (thread === undefined) return;
  const message = item.question?.message;
  threads.open(thread.ref, { focusReply: true, ...(message === undefined ? {} : { message }) });
}

async function message({ threads }: ActParts, { agent, thread }: NeedItem): Promise<void> {
  const ref = thread?.ref ?? agent?.thread;
  if (ref !== undefined) threads.open(ref, { focusReply: true });
  else if (agent !== undefined) await vscode.commands.executeCommand('signalbox.messageAgent', agent);
}

async function task(command: string, { escalation, overdue }: NeedItem): Promise<void> {
  const row: TaskRow | undefined =
    escalation !== undefined
      ? { kind: 'escalation', escalation }
      : overdue === undefined
        ? undefined
        : { kind: 'overdue', overdue };
  if (row !== undefined) await vscode.commands.executeCommand(`signalbox.${command}`, row);
}

function showTerminal({ terminals }: ActParts, item: NeedItem): void {
  const agent = item.agent ?? item.from;
  if (agent !== undefined) terminals.of(agent)?.show();
}

async function copy({ agent, request }: NeedItem): Promise<void> {
  const asked = request?.input.find(({ name }) => name === 'command')?.text;
  const command = asked ?? agent?.permission ?? agent?.for;
  if (command !== undefined) await vscode.env.clipboard.writeText(command);
}

/**
 * Shows the place where an agent can be helped:
 * 1. If it has a request: its thread, or a tab for the request if there is no thread.
 * 2. If it waits: its terminal.
 * 3. Its thread, or the newest thread of its worktree, or its terminal.
 */
async function openAgent(
  parts: ActParts,
  agent: AgentItem,
  request: AgentRequest | undefined,
): Promise<void> {
  const terminal = parts.terminals.of(agent);
  if (request !== undefined) {
    if (agent.thread === undefined) parts.requests.open(agent, request);
    else parts.threads.open(agent.thread, { request: request.id });
    return;
  }
  if (agent.state === 'waiting' && terminal !== undefined) {
    terminal.show();
    return;
  }
  const thread = agent.thread ?? (await newestThread(parts.server, agent));
  if (thread !== undefined) parts.threads.open(thread);
  else if (terminal !== undefined) terminal.show();
  else {
    const words = agentWords(vscode.l10n.t, agent, nameOf(agent));
    const text = vscode.l10n.t('{0}. It runs outside this window, in {1}.', words, agent.folder);
    void vscode.window.showInformationMessage(`Signalbox: ${noticeText(text, 400)}`);
  }
}

/** Returns the newest thread of an agent's worktree. */
async function newestThread(server: Server, { worktree, folder }: AgentItem): Promise<Ref | undefined> {
  const { groups } = await server.request('signalbox/inbox/list', { limit: 1 });
  const group = groups.find(({ kind, path }) => kind === 'worktree' && path === (worktree ?? folder));
  if (group === undefined || group.threads === 0) return undefined;
  const filter = { group: group.id };
  return (await server.request('signalbox/inbox/list', { filter, limit: 1 })).threads[0]?.ref;
}
