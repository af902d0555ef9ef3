// What a failure means to the user: what did not happen, why, what is kept and what to
// do next. The server's own words come last.

import { join, type Translate } from '../fill';
import { causeOf, describeError, mayRepeat, type Cause } from './failures';

/** What failed, as the user sees it. `draft` is a message in an editor, `choose` a button with an answer. */
export type Tried =
  | 'send'
  | 'draft'
  | 'choose'
  | 'answer'
  | 'acknowledge'
  | 'reply'
  | 'mark'
  | 'putAway'
  | 'undo'
  | 'open'
  | 'save'
  | 'search'
  | 'list'
  | 'setUp'
  | 'start'
  | 'other';

/** What the user can do next. */
export type Remedy = 'retry' | 'restart' | 'log' | 'doctor' | 'trust' | 'alias';

/** A failure in words, with the buttons that go with it. */
export interface Failure {
  readonly text: string;
  readonly remedies: readonly Remedy[];
}

export function remedyWords(t: Translate): Readonly<Record<Remedy, string>> {
  return {
    retry: t('Try Again'),
    restart: t('Restart Server'),
    log: t('Show Log'),
    doctor: t('Open Doctor'),
    trust: t('Manage Workspace Trust'),
    alias: t('Your Name…'),
  };
}

const remediesOf: Readonly<Record<Cause, readonly Remedy[]>> = {
  NotFound: [],
  Ambiguous: [],
  AliasInvalid: ['alias'],
  NotOwner: ['doctor'],
  StoreUnavailable: ['retry', 'doctor'],
  Malformed: [],
  TooLarge: [],
  Untrusted: ['trust'],
  Unsupported: [],
  Refused: ['restart', 'log'],
  Unknown: ['restart', 'log'],
  Internal: ['retry', 'log'],
  Cancelled: ['retry'],
  Lost: ['retry', 'log'],
  Down: ['restart', 'log'],
  Local: [],
};

/** The remedies that this place does not have. */
let missing: ReadonlySet<Remedy> = new Set();

/** Sets the remedies that failures must not offer here, as in a browser. */
export function withoutRemedies(remedies: readonly Remedy[]): void {
  missing = new Set(remedies);
}

/** The actions that write. If the connection is lost meanwhile, it is not known whether they did. */
const writes: ReadonlySet<Tried> = new Set(['send', 'draft', 'choose', 'answer', 'acknowledge']);

/** The actions that change the user's own state of threads. */
const states: ReadonlySet<Tried> = new Set(['mark', 'putAway', 'undo']);

/** Returns a failure in words: its meaning first, the technical reason last. */
export function failureOf(tried: Tried, error: unknown, t: Translate): Failure {
  const cause = causeOf(error);
  const unknown = cause === 'Lost' && writes.has(tried);
  const heads = unknown ? perhapsWords(t) : notWords(t);
  const next = unknown ? t('Trying again writes nothing twice.') : nextWords(tried, cause, t);
  const kept = keptWords(t)[tried] ?? '';
  const what = t('{0}: {1}.', heads[tried] ?? notWords(t).other, causeWords(tried, error, t));
  const known = remediesOf[cause].filter((remedy) => !missing.has(remedy));
  const again = mayRepeat(error) && !known.includes('retry');
  return {
    text: join([what, kept, next, reasonOf(cause, error)], ' '),
    remedies: again ? ['retry', ...known] : known,
  };
}

/** Returns why something failed, for a place that already says what failed. */
export function whyWords(error: unknown, t: Translate): string {
  return join([causeWords('open', error, t), reasonOf(causeOf(error), error)], ' ');
}

/** Returns what a command tried, for the words of its failure. */
export function triedBy(command: string): Tried {
  return commandTries.find(([names]) => names.test(command))?.[1] ?? 'other';
}

const commandTries: readonly (readonly [RegExp, Tried])[] = [
  [/^sendDraft$/, 'draft'],
  [/^(answerQuestion|chooseAnswer)$/, 'choose'],
  [/^acknowledgeEscalation$/, 'acknowledge'],
  [/^(archive|unarchive|snooze|unsnooze)Thread$|^(noR|r)eplyNeeded$/, 'putAway'],
  [/^mark/, 'mark'],
  [/^undo$/, 'undo'],
  [/^search$/, 'search'],
  [/^(refresh|filter|sort)/, 'list'],
  [/^(setUp|undoSetUp$|setAlias$|chooseDirectory$)/, 'setUp'],
  [/^restartServer$/, 'start'],
  [/^(open|reply|go|respond|show|next|previous|mail|newMessage$)/, 'open'],
];

function notWords(t: Translate): Readonly<Record<Tried, string>> {
  return {
    send: t('Not sent'),
    draft: t('Not sent'),
    choose: t('Not answered'),
    answer: t('Not answered'),
    acknowledge: t('Not acknowledged'),
    reply: t('You cannot reply now'),
    mark: t('Not marked'),
    putAway: t('Not moved'),
    undo: t('Not undone'),
    open: t('Not opened'),
    save: t('Not saved'),
    search: t('Not searched'),
    list: t('Not up to date'),
    setUp: t('Not set up'),
    start: t('Not started'),
    other: t('That did not work'),
  };
}

function perhapsWords(t: Translate): Readonly<Partial<Record<Tried, string>>> {
  return {
    send: t('Perhaps not sent'),
    draft: t('Perhaps not sent'),
    choose: t('Perhaps not answered'),
    answer: t('Perhaps not answered'),
    acknowledge: t('Perhaps not acknowledged'),
  };
}

function keptWords(t: Translate): Readonly<Partial<Record<Tried, string>>> {
  return {
    send: t('Your text is kept.'),
    draft: t('The draft is kept.'),
    choose: t('The question stays where it is.'),
    answer: t('Your answer is kept.'),
    mark: t('Nothing was changed.'),
    putAway: t('Nothing was changed.'),
    undo: t('Nothing was changed.'),
  };
}

/** Returns what to do next, for a list: it has no buttons, so the text names the command. */
function nextWords(tried: Tried, cause: Cause, t: Translate): string {
  if (tried !== 'list') return '';
  const restart = remediesOf[cause].includes('restart');
  return restart ? t('Run "Signalbox: Restart Server".') : t('Refresh the list to try again.');
}

function causeWords(tried: Tried, error: unknown, t: Translate): string {
  const cause = causeOf(error);
  switch (cause) {
    case 'NotFound':
      return t('it is not there any more');
    case 'Ambiguous':
      return t('the name stands for several things');
    case 'AliasInvalid':
      return t('the name that you write under cannot be used');
    case 'NotOwner':
      return tried === 'send' || tried === 'draft'
        ? t('no mailbox of yours can send it')
        : t('it is for somebody else to do');
    case 'StoreUnavailable':
      return unavailableWords(tried, t);
    case 'Malformed':
      return t('it breaks a rule of its format');
    case 'TooLarge':
      return t('it is too long');
    case 'Untrusted':
      return t('this workspace is not trusted, so Signalbox only reads');
    case 'Unsupported':
      return t('that cannot be done with it');
    case 'Refused':
      return t('Signalbox asked for too much at once');
    case 'Unknown':
      return t('the server is of another version');
    case 'Internal':
      return t('something went wrong in the server');
    case 'Cancelled':
      return t('it was stopped before it was done');
    case 'Lost':
      return t('the server stopped meanwhile');
    case 'Down':
      return t('the server is not running');
    case 'Local':
      return describeError(error).replace(/\.$/, '');
  }
}

function unavailableWords(tried: Tried, t: Translate): string {
  if (tried === 'send' || tried === 'draft') return t('your mail cannot be written');
  if (tried === 'save') return t('the file cannot be written');
  if (writes.has(tried)) return t('it cannot be written');
  return states.has(tried) ? t('that cannot be saved') : t('it cannot be read');
}

/** Returns the technical reason in brackets, or nothing if the text already contains it. */
function reasonOf(cause: Cause, error: unknown): string {
  const reason = describeError(error).replace(/\.$/, '');
  return cause === 'Local' || reason === '' ? '' : `(${reason})`;
}
