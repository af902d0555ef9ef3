// The words of rows, filters and orders. {0} and {1} are filled in later.

import type { Translate } from '../fill';
import { sessionProtocol } from '../refs';
import { sessionWords } from '../agent/sessionWords';
import { signedWords } from '../signed/signedWords';

/** Returns the formats' names for people. */
function protocolTable(t: Translate): Readonly<Record<string, string>> {
  return { samp: t('Mail'), amp: t('Signed Mail'), atsf: t('Agent Logs') };
}

export type RowWords = Readonly<ReturnType<typeof rowWords>>;
export type FilterWords = Readonly<ReturnType<typeof filterWords>>;

export function rowWords(t: Translate) {
  return {
    signed: signedWords(t),
    session: sessionWords(t),
    arrow: t('{0} → {1}', '{0}', '{1}'),
    fromTo: t('from {0} to {1}', '{0}', '{1}'),
    you: t('you'),
    draft: t('Draft'),
    unread: t('{0} unread', '{0}'),
    needsReply: t('needs your reply'),
    returned: t('back from snooze'),
    archived: t('archived'),
    snoozed: t('snoozed, back {0}', '{0}'),
    snoozedUntil: t('Snoozed until {0}', '{0}'),
    protocols: protocolTable(t),
    unsigned: t('unsigned'),
    unsignedDetail: t('the sender is the owner of the log'),
    agentTrust: t('an agent’s own thread'),
    thread: t('thread {0}', '{0}'),
    counts: t('messages: {0}, unread: {1}', '{0}', '{1}'),
    toolCalls: t('messages: {0}, tool calls: {1}', '{0}', '{1}'),
    with: t('With {0}', '{0}'),
    onBranch: t('{0} on branch {1}', '{0}', '{1}'),
    forkedFrom: t('Forked from {0}', '{0}'),
    worktreeGone: t('Its worktree was removed.'),
    directory: t('Directory: {0}', '{0}'),
    unreadable: t('thread.json cannot be read: {0}', '{0}'),
    sessionUnreadable: t('The session cannot be read: {0}', '{0}'),
    sessionTrust: t('recorded by the agent’s program'),
    sessionState: t('State: {0}', '{0}'),
    model: t('Model: {0}', '{0}'),
    version: t('Version: {0}', '{0}'),
    folder: t('Folder: {0}', '{0}'),
    sessionId: t('Session: {0}', '{0}'),
    priority: t('Priority: {0}', '{0}'),
  };
}

/** Returns the counts in words: "9 need you, 216 unread". */
export function countWords(t: Translate, needs: number, unread: number): string {
  const need =
    needs === 0 ? t('Nothing needs you') : needs === 1 ? t('1 needs you') : t('{0} need you', String(needs));
  return unread === 0 ? need : t('{0}, {1} unread', need, String(unread));
}

/** How threads are put away, or brought back. */
export type Shelving =
  { readonly archived: boolean } | { readonly snoozeUntil: number } | { readonly noReply: boolean };

/** Returns what was done to `count` threads. `until` is when snoozed threads come back. */
export function doneWords(t: Translate, how: Shelving, count: number, until: string): string {
  const several = count !== 1;
  if ('archived' in how) {
    if (how.archived) return several ? t('{0} threads archived', String(count)) : t('Archived');
    return several ? t('{0} threads moved to the inbox', String(count)) : t('Moved to the inbox');
  }
  if ('noReply' in how) {
    if (how.noReply) return several ? t('{0} threads need no reply', String(count)) : t('No reply needed');
    return several ? t('{0} threads need a reply', String(count)) : t('Needs a reply');
  }
  if (how.snoozeUntil === 0)
    return several ? t('{0} threads are back from snooze', String(count)) : t('Back from snooze');
  return several ? t('{0} threads snoozed, back {1}', String(count), until) : t('Snoozed, back {0}', until);
}

/** Returns the result of marking all as read. */
export function markedWords(t: Translate, count: number): string {
  if (count === 0) return t('Nothing was unread');
  return count === 1 ? t('1 thread marked as read') : t('{0} threads marked as read', String(count));
}

export function filterWords(t: Translate) {
  return {
    places: {
      inbox: t('Inbox'),
      archived: t('Archived'),
      snoozed: t('Snoozed'),
    },
    unread: t('Unread'),
    needsReply: t('Needs Reply'),
    mine: t('Threads I’m In'),
    suspicious: t('Suspicious'),
    protocols: { ...protocolTable(t), [sessionProtocol]: t('Sessions') } as Readonly<Record<string, string>>,
    sorts: {
      newest: t('newest first'),
      oldest: t('oldest first'),
      unread: t('unread first'),
      sender: t('by sender'),
    },
    sorted: t('sorted {0}', '{0}'),
  };
}
