// The words of the thread page. {0} and {1} are filled in later.

import type { Translate } from '../fill';
import { cardKeys, keyName, keysWords } from '../keys';
import { requestWords } from '../request/requestWords';
import { remedyWords } from '../server/failureWords';
import { footWords } from './foot/footWords';
import { reachWords } from '../agent/reach';
import { sessionWords } from '../agent/sessionWords';
import { signedWords } from '../signed/signedWords';

export type ThreadWords = Readonly<ReturnType<typeof threadWords>>;
export type AgentWords = Readonly<ReturnType<typeof agentTable>>;

export function threadWords(t: Translate, mac: boolean) {
  const idForms: Readonly<Record<string, string>> = {
    spaced: '',
    compact: t('id matches, in compact form'),
    'ascii-escaped': t('id matches, in ASCII-escaped form'),
    unnormalised: t('id matches, over unnormalised text'),
    wrong: t('id does not match the content'),
    missing: t('no id'),
  };
  return {
    loadOlder: t('Load older messages'),
    loadNewer: t('Load newer messages'),
    loading: t('Loading…'),
    newMarker: t('New'),
    jumpToNewest: t('New messages below'),
    /** Shown while the end of the thread has not been fetched. */
    jumpToEnd: t('To the newest message'),
    jumpToNew: t('New reply'),
    /** {0} is the number of unread messages. Shown in a thread that opens at the first of them. */
    jumpPastUnread: t('{0} new · Jump to Newest', '{0}'),
    copy: t('Copy'),
    copied: t('Copied'),
    copyName: t('Copy the thread’s name'),
    copyId: t('Copy id'),
    wrap: t('Wrap'),
    taskDone: t('done'),
    taskOpen: t('not done'),
    reply: t('Reply'),
    asked: t('Waits for an answer'),
    answered: t('Answered: {0}', '{0}'),
    answeredSomehow: t('Answered'),
    overtaken: t('Overtaken by a later message'),
    receipts: receiptWords(t),
    send: t('Send'),
    sending: t('Sending…'),
    reach: reachWords(t),
    foot: footWords(t),
    request: requestWords(t),
    cardKeys: cardKeys(mac, 'thread'),
    keys: keysWords(t, mac, 'thread'),
    sendKey: keyName('Ctrl+Enter', mac),
    cancelReply: t('Answer the thread instead'),
    to: t('to'),
    yourself: t('You'),
    later: t('{0} later', '{0}'),
    messages: t('Messages'),
    messageCount: t('{0} messages', '{0}'),
    oneMessage: t('1 message'),
    truncated: t('This message is longer than what is shown.'),
    openAsText: t('Open as text'),
    remedies: remedyWords(t),
    empty: t('This thread has no messages.'),
    notReached: t('The message is older than those that are loaded.'),
    idForms,
    agent: agentTable(t),
    signed: signedWords(t),
  };
}

/** Returns the words for a message's outcome: {0} is its receiver, {1} the time. */
function receiptWords(t: Translate) {
  return {
    sent: t('Not read yet'),
    told: t('{0} was told of it', '{0}'),
    read: t('Read by {0}', '{0}'),
    readAt: t('Read by {0}, {1}', '{0}', '{1}'),
    answered: t('Answered by {0}, {1}', '{0}', '{1}'),
    ended: t('Nobody reads this: {0} has ended', '{0}'),
    unknown: t('Nobody reads this: there has never been a {0}', '{0}'),
    waits: t('Nobody reads this: it waits since {1}', '{0}', '{1}'),
    sendAgain: t('Send Again by Mail'),
  };
}

/** Returns the words that only an agent's own thread needs. */
function agentTable(t: Translate) {
  const roles: Readonly<Record<string, string>> = { user: t('user'), agent: t('agent'), system: t('system') };
  const statuses: Readonly<Record<string, string>> = {
    pending: t('pending'),
    running: t('running'),
    completed: t('completed'),
    failed: t('failed'),
  };
  return {
    session: sessionWords(t),
    roles,
    statuses,
    toolCalls: t('{0} tool calls', '{0}'),
    oneToolCall: t('1 tool call'),
    prompts: t('Prompts'),
    previousPrompt: t('Previous prompt'),
    nextPrompt: t('Next prompt'),
    ranTools: t('Ran {0} tools', '{0}'),
    oneEdit: t('1 edit {0}', '{0}'),
    edits: t('{0} edits {1}', '{0}', '{1}'),
    toolsFailed: t('{0} failed', '{0}'),
    branch: t('branch {0}', '{0}'),
    forkOf: t('fork of {0}', '{0}'),
    faulty: t('thread.json cannot be read: {0}', '{0}'),
    sessionFaulty: t('The session cannot be read: {0}', '{0}'),
    remarks: t('{0} remarks about this thread', '{0}'),
    related: t('Related:'),
    relatedMail: t('Mail: {0} ({1})', '{0}', '{1}'),
    relatedAgent: t('Agent: {0} ({1})', '{0}', '{1}'),
    relatedSession: t('Session: {0}', '{0}'),
    ownLog: t("This is the agent's own log: it cannot be answered here."),
    message: t('Message This Agent…'),
    resume: t('Continue Here…'),
    thinking: t('Thinking'),
    tool: t('Tool'),
    places: t('Places'),
    input: t('Input'),
    output: t('Output'),
    nothing: t('No input or output was recorded.'),
    cut: t('Longer than what is shown.'),
    onlyChange: t('Nothing but the change below was recorded.'),
    changedLines: t('Changed lines of {0}', '{0}'),
    showLines: t('Show {0} lines', '{0}'),
    openDiff: t('Open diff'),
    openStarted: t('Open the subagent’s session'),
    newFile: t('new file'),
    added: t('{0} lines added', '{0}'),
    removed: t('{0} lines removed', '{0}'),
    notShown: t('Image not shown: {0}', '{0}'),
    enlarge: t('Enlarge: {0}', '{0}'),
    closeImage: t('Close: {0}', '{0}'),
    damaged: t('the image is damaged'),
    gap: t('Line {0} is not a message: {1}', '{0}', '{1}'),
    sessionGap: t('Something here is not a message: {0}', '{0}'),
    keysHidden: t('Keys hidden'),
    showKeys: t('Show'),
    stopped: t('stopped: {0}', '{0}'),
  };
}
