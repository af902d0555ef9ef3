// The row of a thread of signed mail (amp/0.1) in the inbox. Everything a
// message says goes in as text: appendPlain escapes all markup.

import * as vscode from 'vscode';
import type { AmpThread, ThreadItem } from './protocol';
import { attachmentWords, expiryWords, priorityWords, type SignedWords } from './signedWords';
import { appendLines, appendPlain } from './tooltips';
import { exactTime, relativeTime } from './when';

/** What a row is made with. */
export interface RowContext {
  readonly words: SignedWords;
  readonly now: number;
  readonly locale: string;
  /** It lies in the user's own mailbox. */
  readonly own: boolean;
  /** The user's address, or empty. */
  readonly me: string;
}

export function describeSigned(
  item: vscode.TreeItem,
  thread: ThreadItem,
  amp: AmpThread,
  context: RowContext,
): void {
  const { words, now, locale, own, me } = context;
  // The server leaves the domain out where it is the user's own.
  const isMe = (name: string): boolean => me !== '' && (name === me || me.startsWith(`${name}@`));
  const unread = thread.unread > 0;
  const trust = amp.trust.label;
  const marks = thread.marks.filter((mark) => !trust.includes(mark));
  const expiry = expiryWords(amp, words, now, locale);
  // What is special comes first: at the end a narrow side bar would cut it off.
  const facts = [
    priorityWords(amp.priority, words),
    amp.trust.level === 'ok' ? '' : trust,
    isMe(thread.lastFrom) ? vscode.l10n.t('to {0}', thread.lastTo) : thread.lastFrom,
    relativeTime(thread.lastTime, now, locale),
    ...marks,
    amp.trust.level === 'ok' ? trust : '',
    // The trust of what is expired says so already.
    trust.includes(expiry) ? '' : expiry,
    attachmentWords(amp.attachments, words),
    amp.archived === true ? words.archived : '',
    own ? '' : words.mailboxOf.replace('{0}', () => amp.mailbox),
  ].filter((fact) => fact !== '');
  item.description = facts.join(' · ');
  item.iconPath = trustIcon(amp);
  item.tooltip = tooltipOf(thread, amp, expiry, context);
  item.contextValue = [
    `thread.${unread ? 'unread' : 'read'}.signed`,
    amp.archivable === true ? '.own' : '',
    amp.archived === true ? '.archived' : '',
  ].join('');
  const spoken = [thread.title, ...facts];
  if (thread.needsReply) spoken.push(vscode.l10n.t('needs your reply'));
  if (unread) spoken.push(vscode.l10n.t('{0} unread', thread.unread));
  item.accessibilityInformation = { label: spoken.join(', ') };
}

/** Beside the words, never in their place. */
function trustIcon({ trust }: AmpThread): vscode.ThemeIcon {
  switch (trust.level) {
    case 'ok':
      return new vscode.ThemeIcon('verified', new vscode.ThemeColor('testing.iconPassed'));
    case 'note':
      return new vscode.ThemeIcon('info');
    case 'warn':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  }
}

function tooltipOf(
  thread: ThreadItem,
  amp: AmpThread,
  expiry: string,
  { words, locale, own }: RowContext,
): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString('', true);
  const counts = vscode.l10n.t('messages: {0}, unread: {1}', thread.count, thread.unread);
  const { expires = 0 } = amp;
  appendLines(tooltip, [
    thread.title,
    thread.participants.join(', '),
    `${counts} · ${exactTime(thread.lastTime, locale)}`,
  ]);
  tooltip.appendMarkdown(`\n\n$(${trustIcon(amp).id}) `);
  appendPlain(tooltip, [amp.trust.label, amp.trust.detail].filter((part) => part !== '').join(': '));
  appendLines(tooltip, [
    `${words.priority}: ${words.priorities[amp.priority] ?? amp.priority}`,
    expiry === '' ? '' : `${expiry} (${exactTime(expires, locale)})`,
    attachmentWords(amp.attachments, words),
    amp.archived === true ? words.archived : '',
    own ? '' : words.mailboxOf.replace('{0}', () => amp.mailbox),
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
