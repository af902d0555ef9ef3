// The words around the request of an agent's program.

import type { Translate } from '../fill';

export type RequestWords = Readonly<ReturnType<typeof requestWords>>;

/** Returns the words. {0} is the agent's name unless a comment says otherwise. */
export function requestWords(t: Translate) {
  return {
    run: t('{0} wants to run', '{0}'),
    /** {1} is the tool. */
    use: t('{0} wants to use {1}', '{0}', '{1}'),
    ask: t('{0} asks you', '{0}'),
    plan: t('{0} shows a plan', '{0}'),
    others: t('and {0} more after this', '{0}'),
    /** The part that scrolls on its own. */
    what: t('What is asked for'),
    command: t('Command'),
    arguments: t('Arguments'),
    allow: t('Allow Once'),
    /** For a request with a red risk. */
    allowForce: t('Allow Force Push'),
    allowAnyway: t('Allow Anyway'),
    /** {0} is the number of a line, in front of a risk that is there. */
    line: t('Line {0}', '{0}'),
    always: t('Always Allow…'),
    /** Above the rules that are allowed as well. */
    rules: t('Allowed from now on as well:'),
    remember: t('Allow and Remember'),
    approve: t('Approve'),
    edits: t('Approve and Edit Freely'),
    mode: t('Approve ({0})', '{0}'),
    sendOne: t('Send Answer'),
    send: t('Send {0} Answers', '{0}'),
    /** The box below a question with options. */
    answer: {
      tell: t('Send Answer'),
      hint: t('Or answer in your own words…'),
    },
    own: t('In your own words'),
    ownStep: t('Reply…'),
    cancel: t('Cancel'),
    moreActions: t('More Actions…'),
    terminal: t('Show Terminal'),
    /** {0} is a number of lines. */
    more: t('Show {0} More Lines', '{0}'),
    oneMore: t('Show 1 More Line'),
    marked: t('Characters that hide text or look like others are shown as numbers.'),
    cut: t('Not all of it is shown, so it can only be denied here.'),
    /** {0} is a size. */
    long: t(
      'What it asks for is {0} long. That cannot be shown whole, so it can only be denied here.',
      '{0}',
    ),
    denyOnly: t('This program takes a yes in its own dialog alone. Here it can be denied.'),
    sending: t('Sending…'),
    no: {
      permission: {
        plain: t('Deny'),
        step: t('Deny…'),
        why: t('Why not? {0} reads this (may be empty)', '{0}'),
        tell: t('Deny and Tell {0}', '{0}'),
        hint: t('Or say what {0} should do instead…', '{0}'),
        note: t('Denies it; {0} reads why and goes on.', '{0}'),
        noteRuns: t('Denies the command; {0} reads why and goes on.', '{0}'),
      },
      question: {
        plain: t('Decline'),
        step: t('Decline…'),
        why: t('Why not? {0} reads this (may be empty)', '{0}'),
        tell: t('Decline and Tell {0}', '{0}'),
        hint: t('Or say why you do not answer…'),
        note: t('Answers nothing; {0} reads why and goes on.', '{0}'),
        noteRuns: '',
      },
      plan: {
        plain: t('Keep Planning'),
        step: t('Keep Planning…'),
        why: t('What should change? {0} reads this (may be empty)', '{0}'),
        tell: t('Keep Planning and Tell {0}', '{0}'),
        hint: t('Or say what should change in the plan…'),
        note: t('Sends the plan back; {0} reads why and goes on planning.', '{0}'),
        noteRuns: '',
      },
    },
  };
}
