// The words of rows, filters and orders, in the user's language.

import * as vscode from 'vscode';
import type { FilterWords } from './filter';
import type { RowWords } from './rowFacts';
import { signedWords } from '../thread/signedL10n';

/** The formats by their names, which are the same in every language. */
const protocols = { samp: 'SAMP', amp: 'amp/0.1', atsf: 'ATSF' } as const;

export function rowWords(): RowWords {
  const { t } = vscode.l10n;
  return {
    signed: signedWords(),
    arrow: t('{0} → {1}', '{0}', '{1}'),
    fromTo: t('from {0} to {1}', '{0}', '{1}'),
    you: t('you'),
    unread: t('{0} unread', '{0}'),
    needsReply: t('needs your reply'),
    returned: t('back from snooze'),
    archived: t('archived'),
    snoozed: t('snoozed, back {0}', '{0}'),
    snoozedUntil: t('Snoozed until {0}', '{0}'),
    protocols,
    unsigned: t('unsigned'),
    unsignedDetail: t('the sender is who the log belongs to'),
    agentTrust: t('an agent’s own conversation'),
    thread: t('thread {0}', '{0}'),
    oneMessage: t('1 message'),
    messages: t('{0} messages', '{0}'),
    counts: t('messages: {0}, unread: {1}', '{0}', '{1}'),
    toolCalls: t('messages: {0}, tool calls: {1}', '{0}', '{1}'),
    with: t('With {0}', '{0}'),
    onBranch: t('{0} on branch {1}', '{0}', '{1}'),
    forkedFrom: t('Forked from {0}', '{0}'),
    worktreeGone: t('Its worktree was removed.'),
    directory: t('Directory: {0}', '{0}'),
    unreadable: t('thread.json cannot be read: {0}', '{0}'),
    priority: t('Priority: {0}', '{0}'),
  };
}

export function filterWords(): FilterWords {
  const { t } = vscode.l10n;
  return {
    places: {
      inbox: t('Inbox'),
      archived: t('Archived'),
      snoozed: t('Snoozed'),
      suspicious: t('Suspicious'),
    },
    unread: t('Unread'),
    mine: t('Mine'),
    protocols,
    sorts: {
      newest: t('newest first'),
      oldest: t('oldest first'),
      unread: t('needs reply first'),
      sender: t('by sender'),
    },
    sorted: t('sorted {0}', '{0}'),
  };
}
