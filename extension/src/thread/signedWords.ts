// The words for signed mail (amp/0.1) that views and documents share, and the
// small decisions behind them.

import { fill, type Translate } from '../fill';
import type { AmpMessage, AttachmentItem, MailBox, Priority, Ref, Status } from '../protocol';
import { untilWords } from '../when';

export type SignedWords = Readonly<ReturnType<typeof signedTable>>;

/** Returns the words for signed mail in the user's language. {0} stands where a value goes. */
export const signedWords: (t: Translate) => SignedWords = signedTable;

function signedTable(t: Translate) {
  const priorities: Readonly<Record<string, string>> = {
    urgent: t('urgent'),
    high: t('high priority'),
    normal: t('normal'),
    low: t('low'),
  };
  const flagNames: Readonly<Record<string, string>> = {
    instruction_override: t('override of instructions'),
    command_injection: t('commands'),
    data_exfiltration: t('handing out data'),
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
      'Worded like an attempt to make an agent do something: {0}. A hint, found by looking for words.',
      '{0}',
    ),
    flagNames,
    fault: t('Breaks rule'),
    scans,
    noName: t('(no usable name)'),
    notHere: t('the file is not here'),
    open: t('Open'),
    save: t('Save…'),
    asDocument: t('Attach files, set priority…'),
  };
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
