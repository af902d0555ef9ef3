// The rows of the inbox: groups, threads and "Load more…". Everything that a
// message or a thread says goes in as text: appendPlain escapes all markup.

import * as vscode from 'vscode';
import { startsOpen } from './model';
import { type Group, type Status, type ThreadItem } from '../protocol';
import { folderName, refKey } from '../refs';
import { rowOf, standsOut, type Row } from './rowFacts';
import { rowWords } from './words';
import { ownBox } from '../thread/signedWords';
import { appendLines, appendPlain } from '../tooltips';

/** A row of the inbox. */
export type InboxNode =
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'thread'; readonly thread: ThreadItem }
  | { readonly kind: 'more'; readonly group: string | undefined };

const rowScheme = 'signalbox-row';

/** The addresses by which rows get their decoration. The decoration of an address never changes. */
const rows = {
  mail: ({ unread, returned }: ThreadItem) =>
    vscode.Uri.from({
      scheme: rowScheme,
      path: returned === true && unread === 0 ? '/returned' : '/thread',
      query: String(unread),
    }),
  gone: vscode.Uri.from({ scheme: rowScheme, path: '/gone' }),
};

/**
 * Returns the decoration of a row. Unread rows have a number, a coloured icon
 * and text in full colour; read rows and removed worktrees are dimmed. Trees
 * cannot show bold: highlighted labels look like search matches.
 *
 * The number is part of the address, so a decoration never changes. An event
 * that it did would hide all numbers until VS Code asks for them again.
 */
export function rowDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
  if (uri.scheme !== rowScheme) return undefined;
  if (uri.path === '/returned') return { badge: '•', tooltip: vscode.l10n.t('Back from snooze') };
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

export function groupItem(group: Group, filtered: boolean): vscode.TreeItem {
  const title = group.kind === 'mail' ? vscode.l10n.t('Mail') : group.title;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const state = group.threads === 0 ? None : startsOpen(group) || filtered ? Expanded : Collapsed;
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
  const { agent, amp } = thread;
  const box = amp === undefined ? undefined : ownBox(thread.ref, status);
  const me = amp === undefined ? (status?.alias ?? '') : (box?.address ?? '');
  const own = amp !== undefined && box?.name === amp.mailbox;
  const row = rowOf(thread, { words: rowWords(vscode.l10n.t), now, locale: vscode.env.language, me, own });
  const item = new vscode.TreeItem(row.label);
  item.id = refKey(thread.ref);
  // Without arguments: VS Code forgets the arguments of a row when the list is
  // redrawn, and a click at that moment would do nothing.
  item.command = { command: 'signalbox.openSelected', title: vscode.l10n.t('Open Thread') };
  item.description = row.description;
  item.tooltip = tooltipOf(row);
  item.accessibilityInformation = { label: row.spoken };
  item.iconPath = iconOf(thread);
  item.contextValue = contextOf(thread);
  if (thread.marks.includes('gone')) item.resourceUri = rows.gone;
  else if (agent === undefined || standsOut(thread)) item.resourceUri = rows.mail(thread);
  return item;
}

/** Returns the row's context value, which the menus go by. */
function contextOf(thread: ThreadItem): string {
  return [
    thread.agent === undefined ? 'thread' : 'agent',
    standsOut(thread) ? '.unread' : '.read',
    thread.amp === undefined ? '' : '.signed',
    thread.amp?.archivable === true ? '.own' : '',
    thread.marks.includes('suspicious') ? '.suspicious' : '',
    thread.archived === true ? '.archived' : '',
    (thread.snoozed ?? 0) > 0 ? '.snoozed' : '',
  ].join('');
}

/** Returns the row's icon: a warning, back from snooze, verified, or what to do. The words say the same. */
function iconOf(thread: ThreadItem): vscode.ThemeIcon {
  const { agent, amp, marks } = thread;
  const color = standsOut(thread) ? new vscode.ThemeColor('signalbox.unreadForeground') : undefined;
  if (marks.includes('suspicious') || agent?.fault !== undefined || amp?.trust.level === 'warn') {
    return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  }
  if (thread.returned === true) return new vscode.ThemeIcon('bell', color);
  if (amp?.trust.level === 'ok') {
    return new vscode.ThemeIcon('verified', new vscode.ThemeColor('testing.iconPassed'));
  }
  if (amp !== undefined) return new vscode.ThemeIcon('info');
  if (agent !== undefined) {
    return marks.includes('gone')
      ? new vscode.ThemeIcon('comment-discussion', new vscode.ThemeColor('signalbox.readForeground'))
      : new vscode.ThemeIcon('comment-discussion');
  }
  if (thread.needsReply) return new vscode.ThemeIcon('reply', color);
  return new vscode.ThemeIcon(thread.unread > 0 ? 'mail' : 'mail-read', color);
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
