// The words of the task page. {0} and {1} are filled in later.

import type { Translate } from '../fill';
import { answerKeyWords, keysWords } from '../keys';
import type { EscalationSeverity } from '../protocol';
import { remedyWords } from '../server/failureWords';

export type TaskWords = Readonly<ReturnType<typeof taskWords>>;

/** Returns the names of the severities in the user's language. */
export function severityTable(t: Translate): Readonly<Record<EscalationSeverity, string>> {
  return { critical: t('Critical'), warning: t('Warning'), info: t('Info') };
}

export function taskWords(t: Translate, mac: boolean) {
  return {
    severities: severityTable(t),
    ...answerTable(t, mac),
    ...timelineTable(t),
    from: t('from {0}', '{0}'),
    triggeredBy: t('caused by {0}', '{0}'),
    task: t('Task'),
    branch: t('branch {0}', '{0}'),
    risk: t('risk {0}', '{0}'),
    rejections: t('rejections: {0} of {1}', '{0}', '{1}'),
    suspended: t('Suspended: {0}. They wait for your answer.', '{0}'),
    next: t('Next: {0}', '{0}'),
    nextYou: t('Waiting for your answer'),
    notConfirmed: t('{0} has not confirmed {1}', '{0}', '{1}'),
    silent: t('{0} silent {1}: {2}', '{0}', '{1}', '{2}'),
    keys: keysWords(t, mac, 'thread'),
    affected: t('Messages it is about'),
    snapshot: t('The task, as the sender saw it'),
    snapshotStatus: t('State'),
    snapshotRejects: t('Rejections'),
    snapshotLast: t('Last success'),
    acknowledged: t('acknowledged {0}', '{0}'),
    acknowledge: t('Acknowledge…'),
    acknowledgeHint: t('Tells the sender that you have seen it. It is not an answer.'),
    overdue: t('Overdue'),
    overdueSince: t('since {0}', '{0}'),
    rejected: t('Rejected messages of this task'),
    openFile: t('Open file'),
    malformed: t('{0} (malformed)', '{0}'),
    malformedHint: t('It cannot be answered until its sender writes it again, or its file is mended.'),
    suggestedThen: t('What its sender suggests'),
    others: t('Escalations of this task'),
    answered: t('answered'),
    otherOpen: t('open'),
    remedies: remedyWords(t),
    notReached: t('The message is older than those that are loaded.'),
    copy: t('Copy'),
    copied: t('Copied'),
    wrap: t('Wrap'),
    taskDone: t('done'),
    taskOpen: t('not done'),
  };
}

function answerTable(t: Translate, mac: boolean) {
  return {
    answerKey: answerKeyWords(t, mac),
    actions: {
      approve: t('Approve'),
      redirect: t('Redirect'),
      split: t('Split'),
      terminate: t('Terminate'),
    },
    actionHints: {
      approve: t('go on as planned'),
      redirect: t('go on as your text says'),
      split: t('split it into smaller tasks'),
      terminate: t('end the task for good'),
    },
    answer: t('Your Answer'),
    suggested: t('Suggested by {0}', '{0}'),
    suggestedHint: t('Choosing one fills in the answer. Nothing is written before you send it.'),
    decision: t('Decision'),
    /** In the footer: the way to the form, and the decision that was chosen there. */
    choose: t('Choose a Decision'),
    chosen: t('Decision: {0}', '{0}'),
    details: t('Details'),
    text: t('Text for the agents'),
    textPlaceholder: t('What should the agents do?'),
    preview: t('What Will Be Written'),
    previewEmpty: t('Choose a decision to see it here.'),
    previewFile: t('File'),
    send: t('Send Answer'),
    sending: t('Sending…'),
    sendHint: mac ? t('⌘↩ sends') : t('Ctrl+Enter sends'),
    final: t('Each escalation has one answer, and it cannot be undone.'),
    yourAnswer: t('Answered: {0}, {1}', '{0}', '{1}'),
  };
}

function timelineTable(t: Translate) {
  return {
    timeline: t('Timeline'),
    timelineEmpty: t('Nothing happened in this task yet.'),
    loadOlder: t('Load older steps'),
    loading: t('Loading…'),
    asText: t('Timeline as text'),
    asTextNewest: t('The newest steps only: “Open as text” has more.'),
    openAsText: t('Open as text'),
    ackDone: t('acknowledged'),
    ackBy: t('acknowledged by {0}, {1}', '{0}', '{1}'),
    ackWaiting: t('ACK awaited'),
    ackUntil: t('ACK awaited until {0}', '{0}'),
    ackOverdue: t('ACK overdue'),
    ackOverdueSince: t('ACK overdue since {0}', '{0}'),
    tones: {
      good: t('good'),
      bad: t('bad'),
      alarm: t('alarm'),
    },
    resumeType: t('answer'),
    warningsOf: t('Remarks'),
  };
}
