// The rows of "Needs You" and "Tasks".

import * as vscode from 'vscode';
import {
  escalationItem,
  escalationWords,
  overdueItem,
  overdueWords,
  rejectedItem,
  taskItem,
} from '../task/escalationRows';
import { urgentRow } from '../inbox/rows';
import type { AgentItem, Question, ThreadItem } from '../protocol';
import { sessionState, sessionWords } from '../thread/sessionWords';
import { folderName, refKey } from '../refs';
import { moreItem, rowItem, themeIcon } from '../views/rowItem';
import { shortened, shortName, taken } from '../views/shorten';
import { age, exactTime, relativeTime } from '../when';
import { agentWords, nameOf } from './agentWords';
import { agentKey, canNudge, type Folder, type NeedNode } from './model';

type AgentNode = Extract<NeedNode, { readonly kind: 'agent' }>;
type ReplyNode = Extract<NeedNode, { readonly kind: 'reply' }>;

/** What a row depends on besides what it is about. */
export interface NeedContext {
  /** The terminal of this window that an agent runs in. */
  readonly terminal?: object | undefined;
  /** Whether the user began an answer. */
  readonly draft?: boolean;
}

export function needRow(
  node: NeedNode,
  now: number,
  { terminal, draft = false }: NeedContext = {},
): vscode.TreeItem {
  switch (node.kind) {
    case 'question':
      return opening(questionItem(node.question, now, draft));
    case 'reply':
      return opening(replyItem(node, now, draft));
    case 'agent':
      return opening(agentItem(node, now, terminal));
    case 'stuck':
      return opening(stuckItem(node.thread, node.urgent, now));
    case 'escalation':
      return opening(
        escalationItem(node.escalation, now),
        `signalbox.${node.escalation.open ? 'openSelectedNeed' : 'openSelectedTask'}`,
      );
    case 'overdue':
      return opening(overdueItem(node.overdue, now));
    case 'rejected':
      return opening(rejectedItem(node.rejected, now), 'signalbox.openSelectedTask');
    case 'task':
      return opening(taskItem(node.task, now), 'signalbox.openSelectedTask');
    case 'folder':
      return folderItem(node.folder, node.count);
    case 'more':
      return moreItem(
        `more ${node.list}`,
        `signalbox.${node.list === 'needs' ? 'openSelectedNeed' : 'openSelectedTask'}`,
      );
    case 'away':
      return awayItem(node.words);
  }
}

function awayItem(words: string): vscode.TreeItem {
  const meanwhile = vscode.l10n.t('while you were away');
  const hide = vscode.l10n.t('Click to dismiss');
  const item = rowItem({
    id: 'away',
    title: words,
    facts: [meanwhile],
    spoken: [hide],
    icon: themeIcon('history'),
    context: 'away',
    tooltip: [`${words} – ${meanwhile}`, hide],
  });
  item.command = { command: 'signalbox.dismissAway', title: vscode.l10n.t('Dismiss') };
  return item;
}

function opening(item: vscode.TreeItem, command = 'signalbox.openSelectedNeed'): vscode.TreeItem {
  // Without arguments: VS Code forgets the arguments of a row when the list is
  // redrawn, and a click at that moment would do nothing.
  item.command = { command, title: vscode.l10n.t('Open') };
  return item;
}

/** Returns what a row is about, in full. */
export function titleOf(node: NeedNode): string {
  if (node.kind === 'question') return questionWords(node.question);
  if (node.kind === 'reply' || node.kind === 'stuck') return node.thread.title;
  if (node.kind === 'overdue') return overdueWords(node.overdue);
  if (node.kind === 'escalation') return escalationWords(node.escalation);
  const { label } = needRow(node, 0);
  return typeof label === 'string' ? label : '';
}

/** Returns a question's words. An urgent one says so itself, unless it was cut to its last line. */
export function questionWords({ text, thread, urgent }: Question): string {
  const words = text === '' ? thread.title : text;
  return urgent === true && !/^urgent:/i.test(words) ? vscode.l10n.t('Urgent: {0}', words) : words;
}

function draftWords(draft: boolean): string {
  return draft ? vscode.l10n.t('Draft') : '';
}

function questionItem(question: Question, now: number, draft: boolean): vscode.TreeItem {
  const { from, message, options = [], thread, time, urgent } = question;
  const locale = vscode.env.language;
  const title = questionWords(question);
  const icon = themeIcon('question', `problems${urgent === true ? 'Error' : 'Info'}Icon.foreground`);
  const facts = [draftWords(draft), shortName(from), age(time, now, locale)];
  const item = rowItem({
    id: `question ${refKey(message)}`,
    title: shortened(title, facts, urgent === true ? taken.sign : 0),
    facts,
    icon,
    context: `question.${options.length > 0 ? 'options' : 'words'}`,
    tooltip: [
      title,
      vscode.l10n.t('{0} asks you', from),
      ...options.map((option) => `○ ${option}`),
      thread.title,
      exactTime(time, locale),
    ],
  });
  if (urgent === true) item.resourceUri = urgentRow;
  const offered = options.length === 0 ? '' : vscode.l10n.t('answers: {0}', options.join(', '));
  item.accessibilityInformation = {
    label: [
      vscode.l10n.t('{0} asks: {1}', from, title),
      draftWords(draft),
      relativeTime(time, now, locale),
      offered,
    ]
      .filter((part) => part !== '')
      .join(', '),
  };
  return item;
}

/** Returns the row of a thread that needs a reply, with its last words. */
function replyItem({ thread, urgent }: ReplyNode, now: number, draft: boolean): vscode.TreeItem {
  const { agent, lastFrom, lastTime, preview, ref, returned, title, unread } = thread;
  const locale = vscode.env.language;
  const facts = [draftWords(draft), shortName(lastFrom), age(lastTime, now, locale)];
  const why = returned === true ? vscode.l10n.t('Back from snooze') : replyWords(thread);
  const item = rowItem({
    id: `reply ${refKey(ref)}`,
    title: shortened(title, facts, urgent ? taken.sign : 0),
    facts,
    icon: themeIcon(
      returned === true ? 'bell' : 'reply',
      urgent ? 'problemsErrorIcon.foreground' : unread > 0 ? 'signalbox.unreadForeground' : undefined,
    ),
    context: `reply.${agent === undefined ? 'mail' : 'agent'}`,
    tooltip: [
      title,
      why,
      `${lastFrom}: ${preview}`,
      urgent ? vscode.l10n.t('urgent') : '',
      exactTime(lastTime, locale),
    ],
  });
  if (urgent) item.resourceUri = urgentRow;
  item.accessibilityInformation = {
    label: [
      title,
      draftWords(draft),
      why,
      urgent ? vscode.l10n.t('urgent') : '',
      vscode.l10n.t('from {0}', lastFrom),
      relativeTime(lastTime, now, locale),
      preview,
    ]
      .filter((part) => part !== '')
      .join(', '),
  };
  return item;
}

function replyWords({ unsure }: ThreadItem): string {
  return unsure === true ? vscode.l10n.t('Perhaps needs no reply') : vscode.l10n.t('Needs your reply');
}

/** Returns the icon of what an agent does; none for one that does nothing. */
export function agentIcon({
  state,
  unread,
}: Pick<AgentItem, 'state' | 'unread'>): vscode.ThemeIcon | undefined {
  if (state === 'waiting') return themeIcon('bell-dot', 'problemsWarningIcon.foreground');
  if (state === 'failed') return themeIcon('error', 'problemsErrorIcon.foreground');
  if (state === 'silent') return themeIcon('watch', 'problemsWarningIcon.foreground');
  if (state === 'working') return themeIcon('sync');
  if (state === 'done') return themeIcon('pass', 'testing.iconPassed');
  return state === 'idle' && unread > 0 ? themeIcon('mail') : undefined;
}

function agentItem(node: AgentNode, now: number, terminal: object | undefined): vscode.TreeItem {
  const { agent, urgent, request } = node;
  const { alias, branch = '', client, folder, since, state } = agent;
  const locale = vscode.env.language;
  const title = agentWords(vscode.l10n.t, agent, nameOf(agent));
  return rowItem({
    id: agentKey(node),
    title,
    facts: [age(since, now, locale), branch || folderName(folder)],
    icon: agentIcon(agent) ?? themeIcon('circle-outline'),
    context: [
      'agent',
      state,
      ...(request === undefined ? [] : [request.kind === 'permission' ? 'allow' : 'answer', 'deny']),
      ...(terminal === undefined ? [] : ['terminal']),
      ...(canNudge(agent, terminal) ? ['nudge'] : []),
      ...(agent.reach === undefined || alias === '' ? [] : ['mail']),
    ].join('.'),
    spoken: [alias === '' ? '' : client, urgent ? vscode.l10n.t('urgent') : ''],
    tooltip: [
      title,
      client,
      branch === '' ? '' : vscode.l10n.t('Branch: {0}', branch),
      folder,
      vscode.l10n.t('Since {0}', exactTime(since, locale)),
      terminal === undefined ? '' : vscode.l10n.t('Runs in a terminal of this window.'),
    ],
  });
}

/** Returns the row of an agent's own thread: what its agent waits for, or why it failed. */
function stuckItem(thread: ThreadItem, urgent: boolean, now: number): vscode.TreeItem {
  const { agent, lastTime, preview, ref, title } = thread;
  const { branch = '', name = '' } = agent ?? {};
  const locale = vscode.env.language;
  const state = agent?.state ?? 'waiting';
  const doing = sessionState({ ...agent, state }, sessionWords(vscode.l10n.t));
  const facts = [doing, age(lastTime, now, locale)];
  return rowItem({
    id: `stuck ${refKey(ref)}`,
    title,
    label: shortened(title, facts),
    facts: [...facts, name, branch],
    icon: agentIcon({ state, unread: 0 }) ?? themeIcon('circle-outline'),
    context: 'stuck',
    spoken: urgent ? [vscode.l10n.t('urgent')] : [],
    tooltip: [
      title,
      agentWords(vscode.l10n.t, { ...agent, state }, name),
      preview,
      branch === '' ? '' : vscode.l10n.t('Branch: {0}', branch),
      vscode.l10n.t('Since {0}', exactTime(lastTime, locale)),
    ],
  });
}

function folderItem(folder: Folder, count: number): vscode.TreeItem {
  const titles = {
    unanswered: vscode.l10n.t('Unanswered ({0})', count),
    rejected: vscode.l10n.t('Rejected ({0})', count),
    answered: vscode.l10n.t('Answered ({0})', count),
    tasks: vscode.l10n.t('Tasks ({0})', count),
  };
  const item = new vscode.TreeItem(titles[folder], vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `folder ${folder}`;
  item.contextValue = 'folder';
  return item;
}
