// The commands about the rows of "Needs You": open, answer, nudge. Those that are
// only about tasks are in task/commands.ts.

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import type { AgentItem, AgentRequest, Question, Ref } from '../protocol';
import { noticeText, withoutIcons } from '../strangers';
import { isRow, openTaskRow } from '../task/commands';
import type { TaskViews } from '../task/tabs';
import { reachWords } from '../thread/reach';
import type { Choosing } from '../thread/reply';
import type { RequestTabs } from '../thread/requestTabs';
import type { Threads } from '../thread/tabs';
import { describeError, isError } from '../server/failures';
import { fill, join } from '../fill';
import { questionIn } from '../inbox/rowFacts';
import type { InboxNode } from '../inbox/rows';
import { relativeTime } from '../when';
import { agentWords, nameOf } from './agentWords';
import { canNudge, type NeedNode } from './model';
import type { Needs } from './needs';
import { requestWords } from './requestWords';
import { questionWords } from './rows';
import type { Terminals } from './terminals';

export interface NeedParts {
  readonly server: Server;
  readonly needs: Needs;
  readonly terminals: Terminals;
  readonly threads: Threads;
  readonly requests: RequestTabs;
  readonly views: TaskViews;
  readonly choosing: Choosing;
}

/** What a nudge types: our own words alone, since they run in a terminal. */
const nudge = 'You have mail: call check_mail.';

export function needCommands(parts: NeedParts): Record<string, (argument: unknown) => unknown> {
  const { server, needs, terminals, threads } = parts;
  const rowOf = (argument: unknown): NeedNode | undefined => {
    needs.held = false;
    if (isRow(argument)) return argument;
    if (argument === 'selected') return needs.selected;
    // A link in the status bar's tooltip.
    return typeof argument === 'string' ? needs.rowOf(argument) : undefined;
  };
  const openQuestion = ({ thread, message }: Question, focusReply = false): void =>
    threads.open(thread.ref, { message, focusReply });
  const open = async (row: NeedNode | undefined): Promise<void> => {
    if (row?.kind === 'question') openQuestion(row.question);
    else if (row?.kind === 'reply' || row?.kind === 'stuck') threads.open(row.thread.ref);
    else if (row?.kind === 'agent') await openAgent(parts, row);
    else if (row?.kind === 'more') await needs.more(row.list);
    else await openTaskRow(row, parts.views);
  };
  return {
    openSelectedNeed: async () => (needs.held ? undefined : open(await needs.clicked())),
    openSelectedTask: async () => open(await needs.clickedTask()),
    dismissAway: () => needs.dismissAway(),
    openNeed: (argument) => open(rowOf(argument)),
    answerNeed: async (argument) => {
      const row = rowOf(argument);
      if (row?.kind === 'question') await answer(parts, row.question);
      else if (row?.kind === 'reply') threads.open(row.thread.ref, { focusReply: true });
      else if (row?.kind === 'agent') await open(row);
      else if (row !== undefined) await vscode.commands.executeCommand('signalbox.respondToEscalation', row);
    },
    answerQuestion: async (argument) => {
      const row = rowOf(argument);
      const question = row === undefined ? await chooseQuestion(needs) : questionOf(row);
      if (question !== undefined) await answer(parts, question);
    },
    nudgeAgent: async (argument) => {
      const row = rowOf(argument);
      const agent = row === undefined ? await chooseAgent(needs, terminals) : agentOf(row);
      if (agent !== undefined) await nudgeAgent(server, terminals, agent);
    },
    messageAgent: async (argument) => {
      const row = rowOf(argument);
      const agent = row === undefined ? await chooseReached(server) : agentOf(row);
      if (agent !== undefined) await messageAgent(server, terminals, agent);
    },
    showAgentTerminal: (argument) => {
      const row = rowOf(argument);
      if (row?.kind === 'agent') terminals.of(row.agent)?.show();
    },
    // What is allowed is shown whole first, above the box of its thread.
    allowRequest: (argument) => open(rowOf(argument)),
    answerRequest: (argument) => open(rowOf(argument)),
    denyRequest: async (argument) => {
      const row = rowOf(argument);
      if (row?.kind === 'agent' && row.request !== undefined)
        await denyRequest(parts, row.agent, row.request);
    },
    refreshNeeds: async () => {
      await server.ensure();
      await needs.refresh();
    },
  };
}

/** Returns the question of a row of "Needs You" or of the inbox. */
function questionOf(row: NeedNode | InboxNode): Question | undefined {
  if (row.kind === 'thread') return questionIn(row.thread);
  return row.kind === 'question' ? row.question : undefined;
}

function agentOf(row: NeedNode): AgentItem | undefined {
  return row.kind === 'agent' ? row.agent : undefined;
}

interface AnswerPick extends vscode.QuickPickItem {
  /** Missing for an answer in the user's own words. */
  readonly option?: string;
}

/** Offers a question's answers and sends the chosen one. A question without any opens with its reply box. */
async function answer({ threads, choosing }: NeedParts, question: Question): Promise<void> {
  const { from, message, options = [], thread } = question;
  if (options.length > 0) {
    const picks: AnswerPick[] = [
      ...options.map((option) => ({ label: withoutIcons(option), option })),
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      { label: vscode.l10n.t('Answer in Words…') },
    ];
    const title = vscode.l10n.t('{0} asks you', from);
    const chosen = await vscode.window.showQuickPick(picks, { title, placeHolder: questionWords(question) });
    if (chosen === undefined) return;
    if (chosen.option !== undefined) return choosing.send(thread.ref, message, chosen.option);
  }
  threads.open(thread.ref, { message, focusReply: true });
}

/** Lets the user choose among the open questions. */
async function chooseQuestion(needs: Needs): Promise<Question | undefined> {
  await needs.refresh();
  const picks = needs.items.flatMap(({ question }) =>
    question === undefined
      ? []
      : {
          label: withoutIcons(questionWords(question)),
          description: withoutIcons(
            join([question.from, relativeTime(question.time, Date.now(), vscode.env.language)], ' · '),
          ),
          question,
        },
  );
  if (picks.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Signalbox: nobody asks you anything.'));
    return undefined;
  }
  const placeHolder = vscode.l10n.t('Questions that wait for your answer');
  return (await vscode.window.showQuickPick(picks, { placeHolder, matchOnDescription: true }))?.question;
}

/**
 * Shows where an agent can be helped: in its thread, or a tab for what it waits for where that
 * can be answered, else in its terminal. For one that does not wait the newest thread of its worktree
 * says what it did.
 */
async function openAgent(
  parts: NeedParts,
  { agent, request }: Extract<NeedNode, { readonly kind: 'agent' }>,
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

/** Denies what an agent waits for, with a reason if the user has one. */
async function denyRequest(
  { server, needs }: NeedParts,
  agent: AgentItem,
  { id, hash, kind }: AgentRequest,
): Promise<void> {
  const words = requestWords(vscode.l10n.t).no[kind];
  const reason = await vscode.window.showInputBox({
    title: withoutIcons(agentWords(vscode.l10n.t, agent, nameOf(agent))),
    prompt: vscode.l10n.t('{0}. Say why, or nothing.', fill(words.note, nameOf(agent))),
    ignoreFocusOut: true,
  });
  if (reason === undefined) return;
  const told = reason.trim();
  try {
    await server.request('signalbox/needs/answer', {
      ...{ id, hash, allow: false },
      ...(told === '' ? {} : { reason: told }),
    });
  } catch (error) {
    if (!isError(error, 'NotFound')) throw error;
    // It is over, and its row goes: the server's sentence is all there is to say.
    vscode.window.setStatusBarMessage(withoutIcons(describeError(error)), 6_000);
  }
  await needs.refresh();
}

/** Returns the newest thread of an agent's worktree. */
async function newestThread(server: Server, { worktree, folder }: AgentItem): Promise<Ref | undefined> {
  const { groups } = await server.request('signalbox/inbox/list', { limit: 1 });
  const group = groups.find(({ kind, path }) => kind === 'worktree' && path === (worktree ?? folder));
  if (group === undefined || group.threads === 0) return undefined;
  const filter = { group: group.id };
  return (await server.request('signalbox/inbox/list', { filter, limit: 1 })).threads[0]?.ref;
}

/** Lets the user choose among the agents that can be nudged. */
async function chooseAgent(needs: Needs, terminals: Terminals): Promise<AgentItem | undefined> {
  await needs.refresh();
  const picks = needs.items.flatMap(({ agent }) =>
    agent !== undefined && canNudge(agent, terminals.of(agent))
      ? {
          label: withoutIcons(agentWords(vscode.l10n.t, agent, nameOf(agent))),
          description: agent.folder,
          agent,
        }
      : [],
  );
  if (picks.length === 0) {
    const words = vscode.l10n.t(
      'Signalbox: no agent sits idle with unread mail in a terminal of this window.',
    );
    void vscode.window.showInformationMessage(words);
    return undefined;
  }
  const placeHolder = vscode.l10n.t('Agents that sit idle with unread mail');
  return (await vscode.window.showQuickPick(picks, { placeHolder }))?.agent;
}

/** Types a line into an agent's terminal, if the agent still sits there with unread mail. */
async function nudgeAgent(server: Server, terminals: Terminals, { key }: AgentItem): Promise<void> {
  await typeTo(server, terminals, (one, terminal) => one.key === key && canNudge(one, terminal));
}

/** Types a line into the terminal of an agent to whom mail was sent, if the agent still sits there. */
export async function typeToNamed(server: Server, terminals: Terminals, alias: string): Promise<void> {
  await typeTo(server, terminals, (one) => one.alias === alias && one.reach === 'type');
}

async function typeTo(
  server: Server,
  terminals: Terminals,
  means: (agent: AgentItem, terminal: vscode.Terminal | undefined) => boolean,
): Promise<void> {
  const { agents } = await server.request('signalbox/agents/list', {});
  const agent = agents.find((one) => means(one, terminals.of(one)));
  const terminal = agent === undefined ? undefined : terminals.of(agent);
  if (terminal === undefined) {
    const words = vscode.l10n.t('Not nudged: the agent is not idle with unread mail in a terminal any more.');
    vscode.window.setStatusBarMessage(words, 4_000);
    return;
  }
  terminal.show(true);
  terminal.sendText(nudge, true);
}

/** Lets the user choose among the agents that mail reaches. */
async function chooseReached(server: Server): Promise<AgentItem | undefined> {
  const { agents } = await server.request('signalbox/agents/list', {});
  const words = reachWords(vscode.l10n.t);
  const picks = agents.flatMap((agent) =>
    agent.reach === undefined || agent.reach === 'continue'
      ? []
      : {
          label: withoutIcons(agentWords(vscode.l10n.t, agent, nameOf(agent))),
          description: words[agent.reach].note,
          detail: agent.folder,
          agent,
        },
  );
  if (picks.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Signalbox: mail reaches no agent here.'));
    return undefined;
  }
  return (await vscode.window.showQuickPick(picks, { matchOnDescription: true }))?.agent;
}

/** Asks for a text and sends it to an agent, in the way that the box says. */
async function messageAgent(
  server: Server,
  terminals: Terminals,
  { alias, reach }: AgentItem,
): Promise<void> {
  if (alias === '' || reach === undefined || reach === 'continue') {
    void vscode.window.showInformationMessage(vscode.l10n.t('Signalbox: mail does not reach this agent.'));
    return;
  }
  const { button, note } = reachWords(vscode.l10n.t)[reach];
  const body = await vscode.window.showInputBox({
    title: vscode.l10n.t('Message to {0}', alias),
    prompt: `${note} (${button})`,
    ignoreFocusOut: true,
  });
  if (body === undefined || body.trim() === '') return;
  const draft = { to: alias, body };
  const sent = await server.request('signalbox/message/send', { draft, clientToken: randomUUID() });
  if (sent.reach === 'type') await typeToNamed(server, terminals, alias);
  const done = sent.reach === undefined ? button : reachWords(vscode.l10n.t)[sent.reach].note;
  vscode.window.setStatusBarMessage(`${alias}: ${done}`, 4_000);
}
