// The words of the rows of "Needs You".

import type { Translate } from '../fill';

export type RowWords = Readonly<ReturnType<typeof rowWords>>;

/** Returns the words. {0} is mostly a name with its place. */
export function rowWords(t: Translate) {
  const risks: Readonly<Record<string, string>> = {
    forcePush: t('force push'),
    deletesOutside: t('deletes outside its worktree'),
    deletes: t('deletes'),
    drops: t('drops data'),
    sudo: t('as administrator'),
    downloads: t('runs what it downloads'),
    hidden: t('hidden characters'),
    writesOutside: t('outside its worktree'),
  };
  return {
    risks,
    whoIn: t('{0} in {1}', '{0}', '{1}'),
    asks: t('{0} asks: {1}', '{0}', '{1}'),
    wrote: t('{0} wrote: {1}', '{0}', '{1}'),
    says: t('{0}: {1}', '{0}', '{1}'),
    wantsRun: t('{0} wants to run {1}', '{0}', '{1}'),
    wantsTo: t('{0} wants to use {1}', '{0}', '{1}'),
    showsPlan: t('{0} shows a plan: {1}', '{0}', '{1}'),
    wantsToRun: t('Wants to run'),
    plan: t('Plan: {0}', '{0}'),
    planOnly: t('Has a plan'),
    steps: t('{0} steps', '{0}'),
    lines: t('{0} lines', '{0}'),
    moreLines: t('+{0} lines', '{0}'),
    options: t('{0} options', '{0}'),
    questions: t('{0} questions: {1}', '{0}', '{1}'),
    malformed: t('{0} (malformed)', '{0}'),
    stops: t('stops {0}', '{0}'),
    stopsOne: t('{0} is stopped until you answer', '{0}'),
    stopsMany: t('{0} are stopped until you answer', '{0}'),
    ended: t('Ended while it waited'),
    lastRequest: t('Its last request, not run:'),
    waits: t('Waits for you'),
    waitsFor: t('Waits: {0}', '{0}'),
    failed: t('Failed'),
    failedWith: t('Failed: {0}', '{0}'),
    silent: t('Silent'),
    notConfirmed: t('Has not confirmed {0}', '{0}'),
    silentSince: t('Silent: {0}', '{0}'),
    times: t('{0} times', '{0}'),
    idleUnread: t('Idle, {0} unread', '{0}'),
    inTerminal: t('Can be answered only in its terminal now.'),
    onlyTerminal: t('{0} takes answers only in its terminal.', '{0}'),
    elsewhere: t('It runs outside this window, in {0}.', '{0}'),
    returned: t('back from snooze'),
    programIn: t('{0}, in {1}.', '{0}', '{1}'),
    itSays: t('It says: “{0}”', '{0}'),
    stillAsks: t('{0}. It still asks before edits and commands.', '{0}'),
    startedAt: t('{0} {1}', '{0}', '{1}'),
    /** A button that leads to one more step. */
    step: t('{0}…', '{0}'),
    reply: t('Reply…'),
    openThread: t('Open Thread'),
    openTask: t('Open Task'),
    openFile: t('Open File'),
    noReply: t('No Reply Needed'),
    nudge: t('Nudge'),
    message: t('Message…'),
    continueHere: t('Continue Here…'),
    dismiss: t('Dismiss'),
    answer: t('Answer…'),
    acknowledge: t('Acknowledge…'),
    terminal: t('Show Terminal'),
  };
}
