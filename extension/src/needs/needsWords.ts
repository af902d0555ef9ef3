// The words of the page of "Needs You", and of the outcomes of its rows.

import type { Translate } from '../fill';
import { keysWords } from '../keys';
import { remedyWords } from '../server/failureWords';
import { requestWords } from '../request/requestWords';

export type NeedsWords = Readonly<ReturnType<typeof needsWords>>;
export type OutcomeWords = Readonly<ReturnType<typeof outcomeTable>>;

/** Returns the words of the page. */
export function needsWords(t: Translate, mac: boolean) {
  return {
    view: t('Needs You'),
    sections: { blocked: t('Blocked'), questions: t('Questions'), unanswered: t('Unanswered') },
    newLine: t('New'),
    newOnes: t('{0} new', '{0}'),
    show: t('Show'),
    /** {0} is a number, {1} lists names. */
    newSaid: t('{0} new: {1}', '{0}', '{1}'),
    waiting: t('waiting {0}', '{0}'),
    ago: t('{0} ago', '{0}'),
    draft: t('Draft'),
    request: requestWords(t),
    remedies: remedyWords(t),
    copy: t('Copy'),
    copied: t('Copied'),
    wrap: t('Wrap'),
    taskDone: t('done'),
    taskOpen: t('not done'),
    undo: t('Undo'),
    undoSeconds: t('{0} s', '{0}'),
    terminal: t('Show Terminal'),
    snooze: t('Snooze…'),
    dismiss: t('Dismiss'),
    noReply: t('No Reply Needed'),
    changes: t('Show Changes'),
    moreActions: t('More Actions…'),
    /** {0} is a button, {1} its key, {2} a name. */
    keepsWaiting: t('{0} ({1}). {2} keeps waiting', '{0}', '{1}', '{2}'),
    answers: t('Answers'),
    /** The label of the part that an open row adds. */
    part: t('What {0} needs', '{0}'),
    none: t('Nothing needs you.'),
    unknown: t('Signalbox does not run.'),
    unknownSince: t('What needs you is not known. The list below is from {0}.', '{0}'),
    unknownAll: t('What needs you is not known.'),
    starting: t('Signalbox starts…'),
    restart: t('Restart Server'),
    doctor: t('Doctor'),
    unconnected: t('No agent can ask you here yet.'),
    setUpNote: t('Set Up lists the programs on this machine and shows every change first.'),
    setUp: t('Set Up…'),
    away: t('while you were away'),
    keyMap: keysWords(t, mac, 'list'),
    mac,
  };
}

/** Returns the words of a row's outcomes. */
export function outcomeTable(t: Translate) {
  return {
    allowing: t('Allowing…'),
    denying: t('Denying…'),
    sending: t('Sending…'),
    unsure: t('Sent, not confirmed'),
    allowed: t('Allowed · Undo is not possible'),
    remembered: t('Allowed, and from now on · Undo is not possible'),
    approved: t('Plan approved'),
    denied: t('Denied'),
    deniedWithReason: t('Denied · it was told why'),
    kept: t('Plan sent back'),
    keptWithReason: t('Plan sent back · it was told why'),
    declined: t('Declined'),
    declinedWithReason: t('Declined · it was told why'),
    sent: t('Sent: {0}', '{0}'),
    inTerminal: t('Answered in the terminal'),
    inThread: t('Answered in the thread'),
    inWindow: t('Answered in another window'),
    onCommandLine: t('Answered on the command line'),
    ended: t('Ended while it waited'),
    changed: t('Not sent: it asks something else now'),
    done: t('Done'),
    snoozed: t('Snoozed until {0}', '{0}'),
  };
}
