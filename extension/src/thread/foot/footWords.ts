// The words of the box under a thread, and of the lines above it.

import type { Translate } from '../../fill';

export type FootWords = Readonly<ReturnType<typeof footWords>>;

/** Returns the words. {0} is a name unless a comment describes it. */
export function footWords(t: Translate) {
  return {
    message: t('Message {0}…', '{0}'),
    next: t('What should {0} do next?', '{0}'),
    reply: t('Write a reply. Markdown works.'),
    /** {0} is a length of time. */
    working: t('Working for {0}.', '{0}'),
    workingNow: t('Working.'),
    /** {0} is a link to the terminal. */
    idleIn: t('Idle in {0} of this window.', '{0}'),
    terminal: t('Terminal “{0}”', '{0}'),
    idleOutside: t('Idle outside this window.'),
    /** {0} is the time since then. */
    ended: t('Ended {0} ago.', '{0}'),
    endedNow: t('Ended.'),
    /** {0} is a day. */
    endedOn: t('Ended on {0}.', '{0}'),
    /** {0} is a folder; the command follows. */
    opens: t('Opens a terminal in {0}:', '{0}'),
    /** {0} is a number. */
    options: t('Alt+1 to Alt+{0} send an option.', '{0}'),
    oneOption: t('Alt+1 sends the option.'),
    endedMeanwhile: t('{0} ended meanwhile. Your text is kept.', '{0}'),
    /** {0} is the beginning of a message. */
    sent: t('Sent: “{0}”', '{0}'),
    undo: t('Undo'),
    /** {0} is a number of seconds. */
    seconds: t('{0} s', '{0}'),
    /** {1} is a time here and below. */
    waitsStep: t('Waits for {0}’s next step, since {1}', '{0}', '{1}'),
    waitsWake: t('Wakes {0}, since {1}', '{0}', '{1}'),
    waits: t('Waits until {0} reads it, since {1}', '{0}', '{1}'),
    told: t('{0} was told of it', '{0}'),
    read: t('{0} read it', '{0}'),
    readAt: t('{0} read it, {1}', '{0}', '{1}'),
    notDelivered: t('Not delivered: {0} ended before it read this.', '{0}'),
    nobody: t('Nobody reads this as {0}.', '{0}'),
    /** {0} is a title, {1} the name of who waits. */
    nextNeed: t('Next: {0} · {1}', '{0}', '{1}'),
    nextAlone: t('Next: {0}', '{0}'),
    sendNext: t('Send and Next'),
    /** {0} is a program. */
    notConnected: t('{0} is not connected: it gets no messages and cannot ask you here.', '{0}'),
  };
}
