// The words for signed mail (amp/0.1) that pages and documents share, and when
// each is used.

import { fill, type Translate } from '../fill';
import type { AmpMessage, AttachmentItem, MailBox, Priority, Ref, Status } from '../protocol';
import { untilWords } from '../when';

export type SignedWords = Readonly<ReturnType<typeof signedWords>>;

/** Returns the words for signed mail in the user's language. {0} is filled in later. */
export function signedWords(t: Translate) {
  const priorities: Readonly<Record<string, string>> = {
    urgent: t('urgent'),
    high: t('high priority'),
    normal: t('normal'),
    low: t('low'),
  };
  const flagNames: Readonly<Record<string, string>> = {
    instruction_override: t('override of instructions'),
    command_injection: t('commands'),
    data_exfiltration: t('leaking data'),
    wrapper_escape: t('breaking out of a wrapper'),
  };
  const scans: Readonly<Record<string, string>> = {
    clean: t('scanned: clean'),
    basic_clean: t('basic scan: clean'),
    unscanned: t('not scanned'),
    suspicious: t('scan: suspicious'),
    pending: t('scan not finished'),
    rejected: t('scan: rejected'),
  };
  return {
    subject: t('Subject'),
    priority: t('Priority'),
    priorities,
    type: t('Type'),
    trust: t('Trust'),
    key: t('Key'),
    step: t('Signed'),
    id: t('Id'),
    file: t('File'),
    replyTo: t('in reply to {0}', '{0}'),
    replyToMissing: t('reply to a message that is not here ({0})', '{0}'),
    replyFurtherUp: t('reply to a message further up'),
    expires: t('expires {0}', '{0}'),
    expired: t('expired'),
    expiresAt: t('Expires {0}', '{0}'),
    expiredAt: t('Expired {0}', '{0}'),
    archived: t('archived'),
    mailboxOf: t('mailbox of {0}', '{0}'),
    context: t('Context'),
    attachments: t('Attachments'),
    oneAttachment: t('1 attachment'),
    manyAttachments: t('{0} attachments', '{0}'),
    flags: t(
      'Worded like an attempt to instruct an agent: {0}. This is only a hint, based on certain words.',
      '{0}',
    ),
    flagNames,
    fault: t('Breaks rule'),
    scans,
    noName: t('(no usable name)'),
    notHere: t('the file is missing'),
    open: t('Open'),
    save: t('Save…'),
    asDocument: t('Attach files, set priority…'),
  };
}

/** Returns a scan's result in words, or as it is if it is unknown. */
export function scanWords(scan: string, words: SignedWords): string {
  return words.scans[scan] ?? scan;
}

/** Returns the priority in words if it is urgent or high. */
export function priorityWords(priority: Priority, words: SignedWords): string {
  return priority === 'urgent' || priority === 'high' ? (words.priorities[priority] ?? priority) : '';
}

/** Returns "expires in 2 days", "expired" or nothing. */
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

/** Returns the user's own mailbox in a thread's directory. */
export function ownBox(ref: Ref, status: Status | undefined): MailBox | undefined {
  return status?.mailRoots.find(({ store }) => store === ref.store)?.boxes.find(({ own }) => own);
}

/** Reports whether a subject is the thread's title, apart from "Re:" and the like. */
export function sameSubject(subject: string, title: string): boolean {
  const bare = (text: string): string => text.replace(/^(\s*(re|aw|fwd?)\s*:)+/i, '').trim();
  return bare(subject) === bare(title);
}

/** Reports whether a file can be opened or saved, perhaps after the user confirmed it. */
export function isUsable(file: AttachmentItem): boolean {
  const { present, name, problem = '', confirm = false } = file;
  return present && name !== '' && (problem === '' || confirm);
}
