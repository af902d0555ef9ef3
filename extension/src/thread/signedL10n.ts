// The words for signed mail, in the user's language.

import * as vscode from 'vscode';
import type { PreviewWords } from './signedText';
import type { SignedWords } from './signedWords';

export function signedWords(): SignedWords {
  const { t } = vscode.l10n;
  return {
    subject: t('Subject'),
    priority: t('Priority'),
    priorities: { urgent: t('urgent'), high: t('high priority'), normal: t('normal'), low: t('low') },
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
    flagNames: {
      instruction_override: t('override of instructions'),
      command_injection: t('commands'),
      data_exfiltration: t('handing out data'),
      wrapper_escape: t('breaking out of a wrapper'),
    },
    fault: t('Breaks rule'),
    scans: {
      clean: t('scanned: clean'),
      basic_clean: t('basic scan: clean'),
      unscanned: t('not scanned'),
      suspicious: t('scan: suspicious'),
      pending: t('scan not finished'),
      rejected: t('scan: rejected'),
    },
    noName: t('(no usable name)'),
    notHere: t('the file is not here'),
    open: t('Open'),
    save: t('Save…'),
    asDocument: t('Attach files, set priority…'),
  };
}

/** The words around what will be signed. */
export function previewWords(): PreviewWords {
  const { t } = vscode.l10n;
  return {
    title: t('What will be signed'),
    nothing: t('There is nothing to sign yet.'),
    signed: t('Signed bytes ({0} B)', '{0}'),
    payload: t('Payload ({0} B), whose digest ends the signed bytes', '{0}'),
    attachments: t('Attachments'),
    remarks: t('Remarks'),
  };
}
