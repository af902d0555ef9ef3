// The rows of the inbox: groups, threads and "Load more…". Everything that a
// message or a thread says goes in as text: appendPlain escapes all markup.

import * as vscode from 'vscode';
import { startsOpen } from './model';
import { type AgentThread, type Group, type Status, type ThreadItem } from '../protocol';
import { folderName, refKey } from '../refs';
import { contextOf, leading, rowOf, standsOut, warns, type Row, type RowContext } from './rowFacts';
import { rowWords } from './words';
import { agentsWords, agentWords, fullName, linesWords } from '../needs/agentWords';
import { agentIcon } from '../needs/rows';
import { ownBox } from '../thread/signedWords';
import { appendPlain } from '../strangers';
import { sessionState, sessionWords } from '../thread/sessionWords';
import { age } from '../when';
import { rowItem, themeIcon } from '../views/rowItem';
import { shortened, taken } from '../views/shorten';
import { join } from '../fill';

export type InboxNode =
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'thread'; readonly thread: ThreadItem }
  | { readonly kind: 'more'; readonly group: string | undefined };

const rowScheme = 'signalbox-row';

/** The addresses by which rows get their decoration. The decoration of an address never changes. */
const rows = {
  mail: (thread: ThreadItem) =>
    vscode.Uri.from({
      scheme: rowScheme,
      path: pathOf(thread),
      query: String(thread.unread),
    }),
  gone: vscode.Uri.from({ scheme: rowScheme, path: '/gone' }),
};

/** The address of a row that is urgent, in whichever list. */
export const urgentRow = vscode.Uri.from({ scheme: rowScheme, path: '/urgent' });

function pathOf({ unread, returned, needsReply, agent }: ThreadItem): string {
  if (unread > 0) return '/thread';
  if (returned === true) return '/returned';
  if (agent?.unseen === true) return '/new';
  return needsReply ? '/reply' : '/thread';
}

/**
 * Returns the decoration of a row. Unread rows have a number, a coloured icon
 * and text in full colour; rows that need a reply have text in full colour and an
 * arrow once they are read; other read rows and removed worktrees are dimmed. Trees
 * cannot show bold: highlighted labels look like search matches.
 *
 * The number is part of the address, so a decoration never changes. An event
 * that it did would hide all numbers until VS Code asks for them again.
 */
export function rowDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
  if (uri.scheme !== rowScheme) return undefined;
  if (uri.path === '/urgent')
    return {
      badge: '!',
      tooltip: vscode.l10n.t('Urgent'),
      color: new vscode.ThemeColor('list.errorForeground'),
    };
  if (uri.path === '/returned') return { badge: '•', tooltip: vscode.l10n.t('Back from snooze') };
  if (uri.path === '/new') return { badge: '•', tooltip: vscode.l10n.t('New since you looked') };
  if (uri.path === '/reply') return { badge: '↩', tooltip: vscode.l10n.t('Needs your reply') };
  const unread = Number(uri.query);
  if (!(unread > 0)) return { color: new vscode.ThemeColor('signalbox.readForeground') };
  return { badge: unread > 99 ? '99' : String(unread), tooltip: vscode.l10n.t('{0} unread', unread) };
}

export function groupItem(group: Group, filtered: boolean, now: number): vscode.TreeItem {
  const title = group.kind === 'mail' ? vscode.l10n.t('Mail') : group.title;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const { id, kind, path = '', threads, gone = false, main = false, note = '', agents = [] } = group;
  const folder = folderName(path);
  const count = threadCount(threads);
  const facts = groupFacts(group, now);
  const item = rowItem({
    // A group that gets its first thread is a new row: VS Code would leave it folded.
    id: `group:${id}${threads === 0 ? ' empty' : ''}`,
    title,
    // What its agent does, and since when.
    label: shortened(title, facts.filter((fact) => fact !== '').slice(0, 2), taken.sign),
    facts,
    icon: groupIcon(group),
    context: kind === 'mail' ? 'group.mail' : 'group.worktree',
    tooltip: [
      ...[title, path, main ? vscode.l10n.t('The main checkout') : '', note, count],
      group.doing?.said ?? '',
      ...agents.map((agent) => agentWords(vscode.l10n.t, agent, fullName(agent))),
    ],
    state: threads === 0 ? None : startsOpen(group) || filtered ? Expanded : Collapsed,
  });
  if (gone) item.resourceUri = rows.gone;
  const name = kind === 'mail' ? title : vscode.l10n.t('Worktree {0}', title);
  item.accessibilityInformation = {
    label: join([name, ...facts, count, folder === title ? '' : folder], ', '),
  };
  return item;
}

/** Returns what stands beside a group's title: what its agent is at, what it changed, and its last words. */
function groupFacts(group: Group, now: number): readonly string[] {
  const { kind, gone, note = '', agents = [], doing, waiting = 0, failed = 0, lastTime } = group;
  if (kind === 'mail') return [];
  const locale = vscode.env.language;
  const others = [
    waiting > 1 ? vscode.l10n.t('{0} wait', waiting) : '',
    failed > 1 ? vscode.l10n.t('{0} failed', failed) : '',
  ];
  const when = lastTime > 0 ? age(lastTime, now, locale) : '';
  if (gone === true) return [vscode.l10n.t('removed'), when];
  const lines = linesWords(doing?.added, doing?.removed);
  const lead = leading(group);
  if (lead === undefined) return [when, note];
  if ('client' in lead)
    return [agentsWords(vscode.l10n.t, agents), age(lead.since, now, locale), lines, note];
  const state = sessionState(lead, sessionWords(vscode.l10n.t));
  return [state, age(lead.time, now, locale), ...others, lines, lead.agent, note, lead.said];
}

function threadCount(count: number): string {
  if (count === 0) return vscode.l10n.t('no threads');
  return count === 1 ? vscode.l10n.t('1 thread') : vscode.l10n.t('{0} threads', count);
}

function groupIcon(group: Group): vscode.ThemeIcon {
  const { kind, gone, branch = '' } = group;
  if (kind === 'mail') return themeIcon('mail');
  const lead = leading(group);
  const busy = lead?.state === undefined ? undefined : agentIcon({ unread: 0, ...lead, state: lead.state });
  if (busy !== undefined && gone !== true) return busy;
  if (gone === true) return themeIcon('archive', 'signalbox.readForeground');
  return themeIcon(branch === '' ? 'folder' : 'git-branch');
}

/** Returns the row of a thread, which the user may have begun a reply to. */
export function threadItem(
  thread: ThreadItem,
  status: Status | undefined,
  now: number,
  where: Pick<RowContext, 'draft' | 'grouped'>,
): vscode.TreeItem {
  const { agent, amp } = thread;
  const box = amp === undefined ? undefined : ownBox(thread.ref, status);
  const me = amp === undefined ? (status?.alias ?? '') : (box?.address ?? '');
  const own = amp !== undefined && box?.name === amp.mailbox;
  const locale = vscode.env.language;
  const row = rowOf(thread, { words: rowWords(vscode.l10n.t), now, locale, me, own, ...where });
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

/** Returns the row's icon: a warning, back from snooze, verified, or what to do. The words say the same. */
function iconOf(thread: ThreadItem): vscode.ThemeIcon {
  const { agent, amp, marks } = thread;
  const color = standsOut(thread) ? 'signalbox.unreadForeground' : undefined;
  if (warns(thread)) return themeIcon('warning', 'list.warningForeground');
  if (thread.returned === true) return themeIcon('bell', color);
  if (amp?.trust.level === 'ok') return themeIcon('verified', 'testing.iconPassed');
  if (amp !== undefined) return themeIcon('info');
  if (agent !== undefined)
    return ownThreadIcon(agent, marks.includes('gone') ? 'signalbox.readForeground' : undefined);
  if (thread.needsReply) return themeIcon('reply', color);
  return themeIcon(thread.unread > 0 ? 'mail' : 'mail-read', color);
}

/** Returns the icon of an agent's own thread: that of what its agent is at. */
function ownThreadIcon({ state = 'ended' }: AgentThread, color: string | undefined): vscode.ThemeIcon {
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
