// Signed mail for tests, complete and changeable.

import type { AmpMessage, AmpThread, AttachmentItem, MailBox, MailRoot } from '../src/protocol';
import type { SignedWords } from '../src/signed/signedWords';

export const signedWords: SignedWords = {
  subject: 'Subject',
  priority: 'Priority',
  priorities: { urgent: 'urgent', high: 'high', normal: 'normal', low: 'low' },
  type: 'Type',
  trust: 'Trust',
  key: 'Key',
  step: 'Signed',
  id: 'Id',
  file: 'File',
  replyTo: 'in reply to {0}',
  replyToMissing: 'reply to {0}, not here',
  replyFurtherUp: 'reply to a message further up',
  expires: 'expires {0}',
  expired: 'expired',
  expiresAt: 'Expires {0}',
  expiredAt: 'Expired {0}',
  archived: 'archived',
  mailboxOf: 'mailbox of {0}',
  context: 'Context',
  attachments: 'Attachments',
  oneAttachment: '1 attachment',
  manyAttachments: '{0} attachments',
  flags: 'Hint: {0}',
  flagNames: { command_injection: 'commands' },
  fault: 'Breaks rule',
  scans: { unscanned: 'not scanned' },
  noName: '(no name)',
  notHere: 'not here',
  open: 'Open',
  save: 'Save',
  asDocument: 'More',
};

export function file(change: Partial<AttachmentItem> = {}): AttachmentItem {
  return {
    id: 'att_1_a',
    name: 'a.txt',
    type: 'text/plain',
    size: 12,
    scan: 'unscanned',
    present: true,
    ...change,
  };
}

export function ampMessage(change: Partial<AmpMessage> = {}): AmpMessage {
  return {
    subject: 't',
    priority: 'normal',
    type: 'notification',
    state: 'verified',
    status: 'read',
    mailbox: 'bob',
    box: 'inbox',
    depth: 0,
    attachments: [],
    flags: [],
    faults: [],
    archivable: true,
    ...change,
  };
}

export function ampThread(change: Partial<AmpThread> = {}): AmpThread {
  return {
    priority: 'normal',
    state: 'verified',
    trust: { level: 'ok', label: 'verified', detail: '' },
    attachments: 0,
    mailbox: 'bob',
    ...change,
  };
}

export function mailBox(name: string, own: boolean): MailBox {
  return { name, address: `${name}@acme.example`, own, signs: own, messages: 1, unread: 0 };
}

export function mailRoot(change: Partial<MailRoot> = {}): MailRoot {
  return {
    path: '/home/u/.agent-messaging',
    origin: 'default',
    store: 's',
    exists: true,
    watching: 'notify',
    messages: 2,
    boxes: [mailBox('bob', true), mailBox('alice', false)],
    ...change,
  };
}
