// The words for signed mail (amp/0.1) that views and documents share, and the
// small decisions behind them.

import { fill } from '../fill';
import type { AmpMessage, AttachmentItem, MailBox, Priority, Ref, Status } from '../protocol';
import { untilWords } from '../when';

/** {0} stands where a value goes. */
export interface SignedWords {
  readonly subject: string;
  readonly priority: string;
  readonly priorities: Readonly<Record<string, string>>;
  readonly type: string;
  readonly trust: string;
  readonly key: string;
  readonly step: string;
  readonly id: string;
  readonly file: string;
  readonly replyTo: string;
  readonly replyToMissing: string;
  readonly replyFurtherUp: string;
  readonly expires: string;
  readonly expired: string;
  readonly expiresAt: string;
  readonly expiredAt: string;
  readonly archived: string;
  readonly mailboxOf: string;
  readonly context: string;
  readonly attachments: string;
  readonly oneAttachment: string;
  readonly manyAttachments: string;
  readonly flags: string;
  readonly flagNames: Readonly<Record<string, string>>;
  readonly fault: string;
  readonly scans: Readonly<Record<string, string>>;
  readonly noName: string;
  readonly notHere: string;
  readonly open: string;
  readonly save: string;
  readonly asDocument: string;
}

/** A scan's result in words; one that is not known is told as it stands. */
export function scanWords(scan: string, words: SignedWords): string {
  return words.scans[scan] ?? scan;
}

/** The priority in words where it is remarkable; urgent and high alone are. */
export function priorityWords(priority: Priority, words: SignedWords): string {
  return priority === 'urgent' || priority === 'high' ? (words.priorities[priority] ?? priority) : '';
}

/** Until when it holds: "expires in 2 days", "expired", or nothing. */
export function expiryWords(
  { expires = 0, expired = false }: Pick<AmpMessage, 'expires' | 'expired'>,
  words: SignedWords,
  now: number,
  locale: string,
): string {
  if (expired || (expires > 0 && expires <= now)) return words.expired;
  return expires > 0 ? fill(words.expires, untilWords(expires, now, locale)) : '';
}

export function attachmentWords(count: number, words: SignedWords): string {
  if (count === 0) return '';
  return count === 1 ? words.oneAttachment : fill(words.manyAttachments, String(count));
}

/** The user's own mailbox in the directory that a thread is of. */
export function ownBox(ref: Ref, status: Status | undefined): MailBox | undefined {
  return status?.mailRoots.find(({ store }) => store === ref.store)?.boxes.find(({ own }) => own);
}

/** Whether a subject says nothing that the thread's title does not. */
export function sameSubject(subject: string, title: string): boolean {
  const bare = (text: string): string => text.replace(/^(\s*(re|aw|fwd?)\s*:)+/i, '').trim();
  return bare(subject) === bare(title);
}

/** Whether a file can be opened or saved at all. What only has to be asked about can. */
export function isUsable(file: AttachmentItem): boolean {
  const { present, name, problem = '', confirm = false } = file;
  return present && name !== '' && (problem === '' || confirm);
}
