// The rows of the inbox: groups, threads and "Load more…". The texts of messages and threads
// go in as plain text: appendPlain escapes all markup.

import * as vscode from 'vscode';
import { startsOpen } from './model';
import { type AgentThread, type Group, type Status, type ThreadItem } from '../protocol';
import { folderName, refKey } from '../refs';
import { contextOf, rowOf, signOf, type Row } from './rowFacts';
import { rowWords } from './words';
import { agentIcon } from '../agent/agentIcon';
import { standsOut } from '../thread/model';
import { ownBox } from '../signed/signedWords';
import { appendPlain } from '../strangers';
import { age } from '../when';
import { rowItem, themeIcon } from '../views/rowItem';
import { join } from '../fill';

export type InboxNode =
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'thread'; readonly thread: ThreadItem }
  /** The finished threads of a group, or of the flat list, that are older than a day. */
  | { readonly kind: 'older'; readonly group: string | undefined; readonly count: number }
  | { readonly kind: 'more'; readonly group: string | undefined };

const rowScheme = 'signalbox-row';

/** The URIs that give rows their decoration. The decoration of a URI never changes. */
const rows = {
  mail: (thread: ThreadItem) =>
    vscode.Uri.from({
      scheme: rowScheme,
      path: pathOf(thread),
      query: String(thread.unread),
    }),
  gone: vscode.Uri.from({ scheme: rowScheme, path: '/gone' }),
};

/** The URI of an urgent row, in any list. */
export const urgentRow = vscode.Uri.from({ scheme: rowScheme, path: '/urgent' });

function pathOf({ unread, returned, needsReply, agent }: ThreadItem): string {
  if (unread > 0) return '/thread';
  if (agent?.unseen === true) return '/new';
  return needsReply || returned === true ? '/open' : '/thread';
}

/**
 * Returns the decoration of a row. Unread rows have a number, a coloured icon and text in full
 * colour. Rows that need a reply have an icon for it and text in full colour. Other read rows
 * and removed worktrees are dimmed. Trees cannot show bold text, and highlighted labels look
 * like search matches.
 *
 * The number is part of the URI, so a decoration never changes. A change event would hide all
 * numbers until VS Code asks for them again.
 */
export function rowDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
  if (uri.scheme !== rowScheme) return undefined;
  if (uri.path === '/urgent') return { color: new vscode.ThemeColor('list.errorForeground') };
  if (uri.path === '/new') return { badge: '•', tooltip: vscode.l10n.t('New since you looked') };
  if (uri.path === '/open') return undefined;
  const unread = Number(uri.query);
  if (!(unread > 0)) return { color: new vscode.ThemeColor('signalbox.readForeground') };
  return { badge: unread > 99 ? '99' : String(unread), tooltip: vscode.l10n.t('{0} unread', unread) };
}

export function groupItem(group: Group, filtered: boolean, now: number): vscode.TreeItem {
  const title = group.kind === 'mail' ? vscode.l10n.t('Mail') : group.title;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const { id, kind, path = '', threads, gone = false, main = false, note = '' } = group;
  const folder = folderName(path);
  const count = threadCount(threads);
  const facts = groupFacts(group, now);
  const item = rowItem({
    // A group that gets its first thread is a new row: VS Code would leave the old row folded.
    id: `group:${id}${threads === 0 ? ' empty' : ''}`,
    title,
    facts,
    icon: groupIcon(group),
    context: kind === 'mail' ? 'group.mail' : 'group.worktree',
    tooltip: [title, path, main ? vscode.l10n.t('The main checkout') : '', note, count],
    state: threads === 0 ? None : startsOpen(group) || filtered ? Expanded : Collapsed,
  });
  if (gone) item.resourceUri = rows.gone;
  const name = kind === 'mail' ? title : vscode.l10n.t('Worktree {0}', title);
  item.accessibilityInformation = {
    label: join([name, ...facts, count, folder === title ? '' : folder], ', '),
  };
  return item;
}

/** Returns the facts beside a group's title, such as the age of its last message. */
function groupFacts({ kind, gone, note = '', lastTime }: Group, now: number): readonly string[] {
  if (kind === 'mail') return [];
  const when = lastTime > 0 ? age(lastTime, now, vscode.env.language) : '';
  return gone === true ? [vscode.l10n.t('removed'), when] : [when, note];
}

/** Returns the row that the older, finished threads fold into. */
export function olderItem(group: string | undefined, count: number): vscode.TreeItem {
  return rowItem({
    id: `older:${group ?? ''}`,
    title: vscode.l10n.t('Older'),
    facts: [String(count)],
    icon: themeIcon('history'),
    context: 'older',
    tooltip: [vscode.l10n.t('Finished threads in which nothing was written for a day')],
    state: vscode.TreeItemCollapsibleState.Collapsed,
  });
}

function threadCount(count: number): string {
  if (count === 0) return vscode.l10n.t('no threads');
  return count === 1 ? vscode.l10n.t('1 thread') : vscode.l10n.t('{0} threads', count);
}

function groupIcon(group: Group): vscode.ThemeIcon {
  const { kind, gone, branch = '' } = group;
  if (kind === 'mail') return themeIcon('mail');
  if (gone === true) return themeIcon('archive', 'signalbox.readForeground');
  return themeIcon(branch === '' ? 'folder' : 'git-branch');
}

/** Returns the row of a thread. `draft` is set if the user began a reply to it. */
export function threadItem(
  thread: ThreadItem,
  status: Status | undefined,
  now: number,
  draft: boolean,
): vscode.TreeItem {
  const { agent, amp } = thread;
  const box = amp === undefined ? undefined : ownBox(thread.ref, status);
  const me = amp === undefined ? (status?.alias ?? '') : (box?.address ?? '');
  const own = amp !== undefined && box?.name === amp.mailbox;
  const locale = vscode.env.language;
  const row = rowOf(thread, { words: rowWords(vscode.l10n.t), now, locale, me, own, draft });
  const item = new vscode.TreeItem(row.label);
  item.id = refKey(thread.ref);
  // The command has no arguments: VS Code forgets them when the list is redrawn, and a click
  // at that moment would do nothing.
  item.command = { command: 'signalbox.openSelected', title: vscode.l10n.t('Open Thread') };
  item.description = row.description;
  item.tooltip = tooltipOf(row);
  item.accessibilityInformation = { label: row.spoken };
  item.iconPath = iconOf(thread, draft);
  item.contextValue = contextOf(thread);
  if (thread.marks.includes('gone')) item.resourceUri = rows.gone;
  else if (agent === undefined || standsOut(thread)) item.resourceUri = rows.mail(thread);
  return item;
}

/** Returns the icon that shows a row's sign. */
function iconOf(thread: ThreadItem, draft: boolean): vscode.ThemeIcon {
  const { agent, amp, marks, unread } = thread;
  const color = standsOut(thread) ? 'signalbox.unreadForeground' : undefined;
  switch (signOf(thread, draft)) {
    case 'warning':
      return themeIcon('warning', 'list.warningForeground');
    case 'draft':
      return themeIcon('edit', color);
    case 'returned':
      return themeIcon('bell', color);
    case 'reply':
      return themeIcon('reply', color);
    case 'trust':
      return amp?.trust.level === 'ok' ? themeIcon('verified', 'testing.iconPassed') : themeIcon('info');
    case 'agent':
      return ownThreadIcon(agent ?? {}, marks.includes('gone') ? 'signalbox.readForeground' : undefined);
    case 'mail':
      return themeIcon(unread > 0 ? 'mail' : 'mail-read', color);
  }
}

/** Returns the icon of an agent's own thread, which shows the agent's state. */
function ownThreadIcon(
  { state = 'ended' }: Pick<AgentThread, 'state'>,
  color: string | undefined,
): vscode.ThemeIcon {
  const busy = agentIcon({ state, unread: 0 });
  return busy ?? themeIcon(state === 'idle' ? 'circle-outline' : 'comment-discussion', color);
}

function tooltipOf({ tooltip: lines, preview }: Row): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString('', true);
  for (const [at, { sign, text }] of lines.entries()) {
    if (at > 0) tooltip.appendMarkdown('\n\n');
    if (sign !== undefined) tooltip.appendMarkdown(`$(${sign}) `);
    appendPlain(tooltip, text);
  }
  if (preview !== '') {
    tooltip.appendMarkdown('\n\n---\n\n');
    appendPlain(tooltip, preview);
  }
  return tooltip;
}
