// The commands about threads. They act on the row that was clicked, on all selected rows, or
// on the thread in the active tab.

import * as vscode from 'vscode';
import type { Inbox } from './inbox';
import { clearFilters, pickFilters, pickGroup, pickProtocol, pickSort } from './pickers';
import { toggled } from './filter';
import { linkAddress } from '../address';
import { type Ref } from '../protocol';
import { readRef, refKey } from '../refs';
import { askSnoozeTime } from './snooze';
import type { Threads } from '../thread/tabs';

export interface InboxParts {
  readonly inbox: Inbox;
  readonly threads: Threads;
}

type Command = (argument: unknown, selection: unknown) => unknown;

export function inboxCommands({ inbox, threads }: InboxParts): Record<string, Command> {
  const refsOf = (argument: unknown, selection: unknown): readonly Ref[] => {
    inbox.suppressOpen = false;
    if (argument === 'selected') return inbox.onGroup ? [] : inbox.selection.map(({ ref }) => ref);
    if (Array.isArray(selection) && selection.length > 0) return unique(selection.flatMap(rowRefs));
    const one = rowRefs(argument);
    if (one.length > 0) return one;
    const active = threads.active?.ref;
    return active === undefined ? inbox.selection.map(({ ref }) => ref) : [active];
  };
  const withRefs =
    (run: (refs: readonly Ref[]) => unknown): Command =>
    (argument, selection) => {
      const refs = refsOf(argument, selection);
      if (refs.length === 0) return argument === 'selected' ? inbox.unfold() : undefined;
      return argument === 'selected' ? inbox.keepPlace(() => run(refs)) : run(refs);
    };
  const go =
    (back: boolean): Command =>
    (argument) =>
      goToUnread({ inbox, threads }, back, argument === 'selected');
  return {
    markThreadRead: withRefs((refs) => inbox.actions.setRead(refs, true)),
    markThreadUnread: withRefs((refs) => {
      for (const view of refs.flatMap((ref) => threads.showing(ref))) view.keepUnread();
      return inbox.actions.setRead(refs, false);
    }),
    archiveThread: withRefs((refs) => inbox.actions.shelve(refs, { archived: true })),
    unarchiveThread: withRefs((refs) => inbox.actions.shelve(refs, { archived: false })),
    noReplyNeeded: withRefs((refs) => inbox.actions.shelve(refs, { noReply: true })),
    replyNeeded: withRefs((refs) => inbox.actions.shelve(refs, { noReply: false })),
    snoozeThread: withRefs(async (refs) => {
      const snoozeUntil = await askSnoozeTime(refs.length);
      if (snoozeUntil !== undefined) await inbox.actions.shelve(refs, { snoozeUntil });
    }),
    unsnoozeThread: withRefs((refs) => inbox.actions.shelve(refs, { snoozeUntil: 0 })),
    copyThreadLink: withRefs((refs) => copyLinks(inbox, refs)),
    keyOnGroup: () => {
      const words = vscode.l10n.t('This key acts on a row below: move there with the arrow keys.');
      vscode.window.setStatusBarMessage(words, 4_000);
    },
    markAllRead: () => inbox.actions.markAllRead(),
    undo: (argument) => inbox.undo(argument === 'selected'),
    nextUnread: go(false),
    previousUnread: go(true),
    filterInbox: () => pickFilters(inbox),
    filterAll: () => clearFilters(inbox),
    filterUnread: () => inbox.setFilter(toggled(inbox.filter, 'unread')),
    filterNeedsReply: () => inbox.setFilter(toggled(inbox.filter, 'needsReply')),
    filterMine: () => inbox.setFilter(toggled(inbox.filter, 'mine')),
    filterSuspicious: () => inbox.setFilter(toggled(inbox.filter, 'suspicious')),
    filterArchived: () => inbox.setFilter(toggled(inbox.filter, 'archived')),
    filterSnoozed: () => inbox.setFilter(toggled(inbox.filter, 'snoozed')),
    filterProtocol: () => pickProtocol(inbox),
    filterGroup: () => pickGroup(inbox),
    sortInbox: () => pickSort(inbox),
  };
}

async function goToUnread(
  { inbox, threads }: Pick<InboxParts, 'inbox' | 'threads'>,
  back: boolean,
  fromList: boolean,
): Promise<void> {
  const current = fromList ? inbox.selected?.ref : (threads.active?.ref ?? inbox.selected?.ref);
  const next = await inbox.nextUnread(current === undefined ? undefined : refKey(current), back);
  if (next === undefined) {
    vscode.window.setStatusBarMessage(vscode.l10n.t('No unread threads'), 4_000);
    return;
  }
  threads.open(next.ref, { preserveFocus: fromList });
  await inbox.reveal(next, fromList);
}

/** Copies links to threads, one a line. A thread has no link if its name does not fit into one. */
async function copyLinks(inbox: Inbox, refs: readonly Ref[]): Promise<void> {
  const names = await Promise.all(refs.map((ref) => inbox.nameOf(ref)));
  const links = names
    .filter((name) => name !== undefined)
    .map((name) => linkAddress(vscode.env.uriScheme, 'signalbox-dev.signalbox', 'thread', name));
  if (links.length === 0) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('This thread has no link: its name does not fit into one.'),
    );
    return;
  }
  await vscode.env.clipboard.writeText(links.join('\n'));
  const message =
    links.length === 1 ? vscode.l10n.t('Link copied') : vscode.l10n.t('{0} links copied', links.length);
  vscode.window.setStatusBarMessage(message, 4_000);
}

/** Returns the ref in a command's argument: a row of the inbox, or a ref. */
export function rowRefs(argument: unknown): readonly Ref[] {
  const ref = readRef(argument) ?? rowRef(argument);
  return ref === undefined ? [] : [ref];
}

function rowRef(argument: unknown): Ref | undefined {
  if (typeof argument !== 'object' || argument === null || !('thread' in argument)) return undefined;
  const { thread } = argument;
  return typeof thread === 'object' && thread !== null && 'ref' in thread ? readRef(thread.ref) : undefined;
}

function unique(refs: readonly Ref[]): readonly Ref[] {
  return [...new Map(refs.map((ref) => [refKey(ref), ref])).values()];
}
