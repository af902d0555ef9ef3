// The rows of the inbox: what a group, a thread and "Load more…" look like.
// Everything a message or a thread says goes in as text: appendPlain escapes
// all markup.

import * as vscode from 'vscode';
import { startsOpen, type FilterName } from './inboxModel';
import { refKey, type AgentThread, type Group, type Status, type ThreadItem } from './protocol';
import { folderName } from './refs';
import { signedWords } from './signedL10n';
import { describeSigned } from './signedRows';
import { ownBox } from './signedWords';
import { appendLines, appendPlain } from './tooltips';
import { exactTime, relativeTime } from './when';

/** A row of the inbox. */
export type InboxNode =
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'thread'; readonly thread: ThreadItem }
  | { readonly kind: 'more'; readonly group: string | undefined };

const rowScheme = 'signalbox-row';

/** The addresses that rows are decorated by. What one shows never changes. */
const rows = {
  mail: (unread: number) => vscode.Uri.from({ scheme: rowScheme, path: '/thread', query: String(unread) }),
  gone: vscode.Uri.from({ scheme: rowScheme, path: '/gone' }),
};

/**
 * Unread rows stand out by a number and the full colour of the text; read
 * ones, and what is gone, step back. A tree cannot show bold: highlighted
 * labels, which once were bold, look like search matches in today's VS Code.
 *
 * The number is in the address, so what an address shows never changes.
 * Saying that it did would take all numbers away until they are asked for.
 */
export function rowDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
  if (uri.scheme !== rowScheme) return undefined;
  const unread = Number(uri.query);
  if (!(unread > 0)) return { color: new vscode.ThemeColor('signalbox.readForeground') };
  return { badge: unread > 99 ? '99' : String(unread), tooltip: vscode.l10n.t('{0} unread', unread) };
}

export function moreItem(group: string | undefined): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Load more…'));
  item.id = `more:${group ?? ''}`;
  item.command = { command: 'signalbox.loadMore', title: vscode.l10n.t('Load more…') };
  item.contextValue = 'more';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  return item;
}

export function groupItem(group: Group, filter: FilterName): vscode.TreeItem {
  const title = group.kind === 'mail' ? vscode.l10n.t('Mail') : group.title;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const state = group.threads === 0 ? None : startsOpen(group) || filter !== 'all' ? Expanded : Collapsed;
  const item = new vscode.TreeItem(title, state);
  item.id = `group:${group.id}`;
  const folder = folderName(group.path ?? '');
  const facts = [threadCount(group.threads), ...(folder === '' || folder === title ? [] : [folder])];
  if (group.gone === true) facts.unshift(vscode.l10n.t('removed'));
  item.description = [...facts, ...(group.gone === true ? [] : notesOf(group))].join(' · ');
  item.iconPath = groupIcon(group);
  item.contextValue = group.kind === 'mail' ? 'group.mail' : 'group.worktree';
  if (group.gone === true) item.resourceUri = rows.gone;
  item.tooltip = groupTooltip(group, title);
  const kind = group.kind === 'mail' ? title : vscode.l10n.t('Worktree {0}', title);
  item.accessibilityInformation = { label: [kind, ...facts, ...notesOf(group)].join(', ') };
  return item;
}

function notesOf(group: Group): string[] {
  return group.note === undefined || group.note === '' ? [] : [group.note];
}

function threadCount(count: number): string {
  if (count === 0) return vscode.l10n.t('no threads');
  return count === 1 ? vscode.l10n.t('1 thread') : vscode.l10n.t('{0} threads', count);
}

function messageCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 message') : vscode.l10n.t('{0} messages', count);
}

function groupIcon(group: Group): vscode.ThemeIcon {
  if (group.kind === 'mail') return new vscode.ThemeIcon('mail');
  if (group.gone === true)
    return new vscode.ThemeIcon('archive', new vscode.ThemeColor('signalbox.readForeground'));
  return new vscode.ThemeIcon(group.branch === undefined || group.branch === '' ? 'folder' : 'git-branch');
}

function groupTooltip(group: Group, title: string): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString('', true);
  const lines = [
    title,
    group.path ?? '',
    ...(group.main === true ? [vscode.l10n.t('The main checkout')] : []),
    ...notesOf(group),
    threadCount(group.threads),
  ];
  appendLines(tooltip, lines);
  return tooltip;
}

export function threadItem(thread: ThreadItem, status: Status | undefined, now: number): vscode.TreeItem {
  const item = new vscode.TreeItem(thread.title);
  item.id = refKey(thread.ref);
  // Without arguments: VS Code forgets those of a row as soon as the list is
  // renewed, and a click at that moment would do nothing.
  item.command = { command: 'signalbox.openSelected', title: vscode.l10n.t('Open Thread') };
  const { agent, amp } = thread;
  if (agent !== undefined) describeAgent(item, thread, agent, now);
  else if (amp !== undefined) {
    const box = ownBox(thread.ref, status);
    const own = box?.name === amp.mailbox;
    const me = box?.address ?? '';
    item.resourceUri = rows.mail(thread.unread);
    describeSigned(item, thread, amp, { words: signedWords(), now, locale: vscode.env.language, own, me });
  } else describeMail(item, thread, status?.alias ?? '', now);
  return item;
}

function describeMail(item: vscode.TreeItem, thread: ThreadItem, me: string, now: number): void {
  const locale = vscode.env.language;
  const unread = thread.unread > 0;
  const who = thread.lastFrom === me ? vscode.l10n.t('to {0}', thread.lastTo) : thread.lastFrom;
  const facts = [who, relativeTime(thread.lastTime, now, locale), ...thread.marks];
  item.description = facts.join(' · ');
  item.resourceUri = rows.mail(thread.unread);
  item.iconPath = mailIcon(thread);
  item.tooltip = mailTooltip(thread, locale);
  item.contextValue = unread ? 'thread.unread' : 'thread.read';
  const spoken = [thread.title, ...facts];
  if (thread.needsReply) spoken.push(vscode.l10n.t('needs your reply'));
  if (unread) spoken.push(vscode.l10n.t('{0} unread', thread.unread));
  item.accessibilityInformation = { label: spoken.join(', ') };
}

function mailIcon(thread: ThreadItem): vscode.ThemeIcon {
  if (thread.marks.includes('suspicious')) return warningIcon();
  if (thread.needsReply) return new vscode.ThemeIcon('reply');
  return new vscode.ThemeIcon(thread.unread > 0 ? 'mail' : 'mail-read');
}

function warningIcon(): vscode.ThemeIcon {
  return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
}

function mailTooltip(thread: ThreadItem, locale: string): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString('', true);
  const counts = vscode.l10n.t('messages: {0}, unread: {1}', thread.count, thread.unread);
  appendLines(tooltip, [
    thread.title,
    thread.participants.join(', '),
    `${counts} · ${exactTime(thread.lastTime, locale)}`,
  ]);
  if (thread.needsReply) {
    tooltip.appendMarkdown('\n\n$(reply) ');
    appendPlain(tooltip, vscode.l10n.t('Needs your reply'));
  }
  if (thread.preview !== '') {
    tooltip.appendMarkdown('\n\n---\n\n');
    appendPlain(tooltip, `${thread.lastFrom}: ${thread.preview}`);
  }
  return tooltip;
}

/** An agent's own conversation: nobody's mail, so neither read nor unread. */
function describeAgent(item: vscode.TreeItem, thread: ThreadItem, agent: AgentThread, now: number): void {
  const locale = vscode.env.language;
  const gone = thread.marks.includes('gone');
  // Where thread.json cannot be read, nobody counted.
  const count = agent.fault === undefined ? messageCount(thread.count) : '';
  // What is special comes first: at the end a narrow side bar would cut it off.
  const facts = [...thread.marks, agent.name, relativeTime(thread.lastTime, now, locale), count].filter(
    (fact) => fact !== '',
  );
  item.description = facts.join(' · ');
  if (gone) item.resourceUri = rows.gone;
  item.iconPath = agentIcon(agent, gone);
  item.tooltip = agentTooltip(thread, agent, locale);
  item.contextValue = 'agent';
  const spoken = [thread.title, ...facts];
  if (agent.fault !== undefined) spoken.push(agent.fault);
  item.accessibilityInformation = { label: spoken.join(', ') };
}

function agentIcon(agent: AgentThread, gone: boolean): vscode.ThemeIcon {
  if (agent.fault !== undefined) return warningIcon();
  return gone
    ? new vscode.ThemeIcon('comment-discussion', new vscode.ThemeColor('signalbox.readForeground'))
    : new vscode.ThemeIcon('comment-discussion');
}

function agentTooltip(thread: ThreadItem, agent: AgentThread, locale: string): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString('', true);
  const counts = vscode.l10n.t('messages: {0}, tool calls: {1}', thread.count, agent.toolCalls);
  const { branch = '', parent = '' } = agent;
  appendLines(tooltip, [
    thread.title,
    branch === '' ? agent.name : vscode.l10n.t('{0} on branch {1}', agent.name, branch),
    `${counts} · ${exactTime(thread.lastTime, locale)}`,
    parent === '' ? '' : vscode.l10n.t('Forked from {0}', parent),
    thread.marks.includes('gone') ? vscode.l10n.t('Its worktree was removed.') : '',
    agent.dir === agent.threadId || agent.threadId === '' ? '' : vscode.l10n.t('Directory: {0}', agent.dir),
  ]);
  if (agent.fault !== undefined) {
    tooltip.appendMarkdown('\n\n$(warning) ');
    appendPlain(tooltip, vscode.l10n.t('thread.json cannot be read: {0}', agent.fault));
  }
  return tooltip;
}
