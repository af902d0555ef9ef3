// The commands about items that need the user: open, answer, nudge. Commands that are only
// about tasks are in task/commands.ts.

import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { rowRefs } from '../inbox/commands';
import { questionIn } from '../inbox/rowFacts';
import { sendingOnce } from '../compose/sendOnce';
import type { AgentItem, Draft, Question, Ref, Sent, ThreadItem } from '../protocol';
import { refKey } from '../refs';
import { withoutIcons } from '../strangers';
import { reachWords } from '../agent/reach';
import type { Choosing } from '../thread/reply';
import { join } from '../fill';
import { relativeTime } from '../when';
import { agentWords, nameOf } from '../agent/agentWords';
import { openNeed, type ActParts } from './acts';
import { canNudge } from './model';
import type { Needs } from './needs';
import { questionWords } from './titles';
import type { Terminals } from '../agent/terminals';

export interface NeedParts extends ActParts {
  readonly needs: Needs;
  readonly choosing: Choosing;
}

/** The text that a nudge types. It is always the same, since a terminal runs it. */
const nudge = 'You have mail: call check_mail.';

export function needCommands(parts: NeedParts): Record<string, (argument: unknown) => unknown> {
  const { server, needs, terminals, threads } = parts;
  const send = sendingOnce(server);
  /** Returns a command of the rows' menu, whose argument holds the row's key. */
  const onRow =
    (act: Parameters<Needs['run']>[1]) =>
    (argument: unknown): unknown => {
      const key = rowKey(argument);
      return key === undefined ? undefined : needs.run(key, act);
    };
  return {
    // Links in the status bar's tooltip run this.
    openNeed: async (argument) => {
      const item = typeof argument === 'string' ? needs.itemOf(argument) : undefined;
      if (item !== undefined) await openNeed(parts, item);
    },
    answerQuestion: async (argument) => {
      const question = isThreadRow(argument) ? questionIn(argument.thread) : await chooseQuestion(needs);
      if (question !== undefined) await answer(parts, question);
    },
    nudgeAgent: async (argument) => {
      const agent = isAgent(argument) ? argument : await chooseAgent(needs, terminals);
      if (agent !== undefined) await nudgeAgent(server, terminals, agent);
    },
    messageAgent: async (argument) => {
      const agent = isAgent(argument) ? argument : await chooseReached(server);
      if (agent !== undefined) await messageAgent({ server, terminals, send }, agent);
    },
    showAgentTerminal: async (argument) => {
      const agent = isAgent(argument)
        ? argument
        : await agentOf(server, rowRefs(argument)[0] ?? threads.active?.ref);
      const terminal = agent === undefined ? undefined : terminals.of(agent);
      if (terminal !== undefined) terminal.show();
      else vscode.window.setStatusBarMessage(vscode.l10n.t('It runs in no terminal of this window'), 4_000);
    },
    needsCopyCommand: onRow('copy'),
    needsAllowForSession: onRow('always'),
    needsOpenThread: onRow('open'),
    needsShowTerminal: onRow('terminal'),
    needsSnooze: onRow('snooze'),
    needsDismiss: onRow('done'),
    refreshNeeds: async () => {
      await server.ensure();
      await needs.refresh();
    },
  };
}

/** Returns the key of the row that a menu of the page was opened on. */
function rowKey(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('needKey' in argument)) return undefined;
  return typeof argument.needKey === 'string' ? argument.needKey : undefined;
}

/** Reports whether a command was called on a row of the inbox. */
function isThreadRow(argument: unknown): argument is { readonly thread: ThreadItem } {
  return (
    typeof argument === 'object' && argument !== null && 'kind' in argument && argument.kind === 'thread'
  );
}

/** Returns the agent whose own thread this is. */
async function agentOf(server: Server, thread: Ref | undefined): Promise<AgentItem | undefined> {
  if (thread === undefined) return undefined;
  const { agents } = await server.request('signalbox/agents/list', { all: true });
  return agents.find((agent) => agent.thread !== undefined && refKey(agent.thread) === refKey(thread));
}

function isAgent(argument: unknown): argument is AgentItem {
  return (
    typeof argument === 'object' &&
    argument !== null &&
    'processes' in argument &&
    Array.isArray(argument.processes)
  );
}

interface AnswerPick extends vscode.QuickPickItem {
  /** Missing for an answer in the user's own words. */
  readonly option?: string;
}

/** Offers a question's options and sends the chosen one. Without options it opens the reply box. */
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

/** Lets the user choose among the agents that can be nudged. */
async function chooseAgent(needs: Needs, terminals: Terminals): Promise<AgentItem | undefined> {
  await needs.refresh();
  const picks = needs.listed.flatMap(({ agent }) =>
    agent !== undefined && canNudge(agent, terminals.of(agent) !== undefined)
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
  await typeTo(
    server,
    terminals,
    (one, terminal) => one.key === key && canNudge(one, terminal !== undefined),
  );
}

/** Types a line into the terminal of an agent that got mail, if the agent still sits there. */
export async function typeToNamed(server: Server, terminals: Terminals, alias: string): Promise<void> {
  await typeTo(server, terminals, (one) => one.alias === alias && one.reach === 'type');
}

async function typeTo(
  server: Server,
  terminals: Terminals,
  matches: (agent: AgentItem, terminal: vscode.Terminal | undefined) => boolean,
): Promise<void> {
  const { agents } = await server.request('signalbox/agents/list', {});
  const agent = agents.find((one) => matches(one, terminals.of(one)));
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

/** Asks for a text and sends it to an agent. The box shows how the text reaches the agent. */
async function messageAgent(
  {
    server,
    terminals,
    send,
  }: Pick<NeedParts, 'server' | 'terminals'> & {
    readonly send: (draft: Draft) => Promise<Sent>;
  },
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
  const sent = await send({ to: alias, body });
  if (sent.reach === 'type') await typeToNamed(server, terminals, alias);
  const done = sent.reach === undefined ? button : reachWords(vscode.l10n.t)[sent.reach].note;
  vscode.window.setStatusBarMessage(`${alias}: ${done}`, 4_000);
}
