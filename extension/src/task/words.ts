// The words the view of a task shows, in the user's language.

import * as vscode from 'vscode';
import { severityWords } from './escalationRows';
import type { TaskWords } from './messages';

export function taskWords(): TaskWords {
  const mac = process.platform === 'darwin';
  return {
    severities: {
      critical: severityWords('critical'),
      warning: severityWords('warning'),
      info: severityWords('info'),
    },
    ...answerWords(mac),
    ...timelineWords(),
    from: vscode.l10n.t('from {0}', '{0}'),
    triggeredBy: vscode.l10n.t('caused by {0}', '{0}'),
    task: vscode.l10n.t('Task'),
    branch: vscode.l10n.t('branch {0}', '{0}'),
    risk: vscode.l10n.t('risk {0}', '{0}'),
    rejections: vscode.l10n.t('rejections: {0} of {1}', '{0}', '{1}'),
    suspended: vscode.l10n.t('Suspended: {0}. They wait for your answer.', '{0}'),
    next: vscode.l10n.t('Next: {0}', '{0}'),
    affected: vscode.l10n.t('Messages it is about'),
    snapshot: vscode.l10n.t('The task, as the sender saw it'),
    snapshotStatus: vscode.l10n.t('State'),
    snapshotRejects: vscode.l10n.t('Rejections'),
    snapshotLast: vscode.l10n.t('Last success'),
    acknowledged: vscode.l10n.t('acknowledged {0}', '{0}'),
    acknowledge: vscode.l10n.t('Acknowledge…'),
    acknowledgeHint: vscode.l10n.t('Says that you have seen it, and answers nothing.'),
    overdue: vscode.l10n.t('Overdue'),
    overdueSince: vscode.l10n.t('since {0}', '{0}'),
    rejected: vscode.l10n.t('Rejected messages of this task'),
    openFile: vscode.l10n.t('Open file'),
    others: vscode.l10n.t('Escalations of this task'),
    answered: vscode.l10n.t('answered'),
    otherOpen: vscode.l10n.t('open'),
    retry: vscode.l10n.t('Try again'),
    notReached: vscode.l10n.t('The message is further up than what was loaded.'),
    copy: vscode.l10n.t('Copy'),
    copied: vscode.l10n.t('Copied'),
  };
}

type AnswerKeys =
  | 'actions'
  | 'actionHints'
  | 'answer'
  | 'suggested'
  | 'suggestedHint'
  | 'decision'
  | 'text'
  | 'textPlaceholder'
  | 'preview'
  | 'previewEmpty'
  | 'previewFile'
  | 'send'
  | 'sending'
  | 'sendHint'
  | 'final'
  | 'yourAnswer';

function answerWords(mac: boolean): Pick<TaskWords, AnswerKeys> {
  return {
    actions: {
      approve: vscode.l10n.t('Approve'),
      redirect: vscode.l10n.t('Redirect'),
      split: vscode.l10n.t('Split'),
      terminate: vscode.l10n.t('Terminate'),
    },
    actionHints: {
      approve: vscode.l10n.t('go on as planned'),
      redirect: vscode.l10n.t('go on, as your text says'),
      split: vscode.l10n.t('make smaller tasks of it'),
      terminate: vscode.l10n.t('end the task for good'),
    },
    answer: vscode.l10n.t('Your Answer'),
    suggested: vscode.l10n.t('Suggested by {0}', '{0}'),
    suggestedHint: vscode.l10n.t('Choosing one fills in the answer. Nothing is written before you send it.'),
    decision: vscode.l10n.t('Decision'),
    text: vscode.l10n.t('Text for the agents'),
    textPlaceholder: vscode.l10n.t('What should the agents do?'),
    preview: vscode.l10n.t('What Will Be Written'),
    previewEmpty: vscode.l10n.t('Choose a decision to see it here.'),
    previewFile: vscode.l10n.t('File'),
    send: vscode.l10n.t('Send Answer'),
    sending: vscode.l10n.t('Sending…'),
    sendHint: mac ? vscode.l10n.t('⌘↩ sends') : vscode.l10n.t('Ctrl+Enter sends'),
    final: vscode.l10n.t('Each escalation has one answer, and it cannot be undone.'),
    yourAnswer: vscode.l10n.t('Answered: {0}, {1}', '{0}', '{1}'),
  };
}

type TimelineKeys =
  | 'timeline'
  | 'timelineEmpty'
  | 'loadOlder'
  | 'loading'
  | 'asText'
  | 'asTextNewest'
  | 'openAsText'
  | 'ackDone'
  | 'ackBy'
  | 'ackWaiting'
  | 'ackUntil'
  | 'ackOverdue'
  | 'ackOverdueSince'
  | 'tones'
  | 'resumeType'
  | 'warningsOf';

function timelineWords(): Pick<TaskWords, TimelineKeys> {
  return {
    timeline: vscode.l10n.t('Timeline'),
    timelineEmpty: vscode.l10n.t('Nothing happened in this task yet.'),
    loadOlder: vscode.l10n.t('Load older steps'),
    loading: vscode.l10n.t('Loading…'),
    asText: vscode.l10n.t('Timeline as text'),
    asTextNewest: vscode.l10n.t('The newest steps only: “Open as text” has more.'),
    openAsText: vscode.l10n.t('Open as text'),
    ackDone: vscode.l10n.t('acknowledged'),
    ackBy: vscode.l10n.t('acknowledged by {0}, {1}', '{0}', '{1}'),
    ackWaiting: vscode.l10n.t('ACK awaited'),
    ackUntil: vscode.l10n.t('ACK awaited until {0}', '{0}'),
    ackOverdue: vscode.l10n.t('ACK overdue'),
    ackOverdueSince: vscode.l10n.t('ACK overdue since {0}', '{0}'),
    tones: {
      good: vscode.l10n.t('good'),
      bad: vscode.l10n.t('bad'),
      alarm: vscode.l10n.t('alarm'),
    },
    resumeType: vscode.l10n.t('answer'),
    warningsOf: vscode.l10n.t('Remarks'),
  };
}
