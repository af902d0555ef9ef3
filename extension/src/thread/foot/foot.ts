// The box under a thread in each state: the note on where the text goes and when it is read,
// and the label of the button. Both depend on the state, never on the text.

import { fill, join } from '../../fill';
import { isSimple, runs } from '../../request/request';
import type { RequestWords } from '../../request/requestWords';
import type { AgentRequest, Reach } from '../../protocol';
import { age } from '../../when';
import type { FootWords } from './footWords';
import type { ReachWords } from '../../agent/reach';

/** The facts about the agent that a text goes to. */
export interface ReachFacts {
  /** When its current state began, or 0. */
  readonly since: number;
  /** The name of its terminal in this window, or empty. */
  readonly terminal: string;
  /** The last part of the folder in which its session resumes, and the command; empty if it cannot resume. */
  readonly folder: string;
  readonly command: string;
}

export const noFacts: ReachFacts = { since: 0, terminal: '', folder: '', command: '' };

/** The state that the box is drawn from. */
export interface FootState {
  /** The agent's name, or the receiver's. */
  readonly name: string;
  /** The sender's name, or empty. */
  readonly from: string;
  readonly reach: Reach | undefined;
  readonly facts: ReachFacts;
  readonly request: AgentRequest | undefined;
  /** Whether the request is a question in a message. */
  readonly mail: boolean;
}

export type FootIcon = 'spin' | 'idle' | 'ended' | 'unplugged' | '';

/** A piece of the note: text, a link to a terminal, or a command. */
export interface NotePiece {
  readonly text: string;
  readonly as?: 'terminal' | 'code';
}

export interface Foot {
  readonly icon: FootIcon;
  readonly note: readonly NotePiece[];
  /** Undefined for the usual label. */
  readonly button: string | undefined;
  readonly hint: string;
  /** The kind of thing that the text is sent as. */
  readonly takes: 'message' | 'no' | 'answer';
}

interface Words {
  readonly foot: FootWords;
  readonly request: RequestWords;
  readonly reach: ReachWords;
}

/** Returns the box for a state. */
export function footOf(state: FootState, words: Words, now: number, locale: string): Foot {
  const { request, name } = state;
  if (request === undefined) return messageFoot(state, words, now, locale);
  if (isSimple(request) && request.questions?.[0]?.closed !== true)
    return answerFoot(request, state.mail, words);
  const { tell, hint, note, noteRuns } = words.request.no[request.kind];
  return {
    icon: '',
    note: [{ text: fill(noteRuns !== '' && runs(request) ? noteRuns : note, name) }],
    button: fill(tell, name),
    hint: fill(hint, name),
    takes: 'no',
  };
}

/** The number of options that have a key of the editor. */
const keyedOptions = 3;

function answerFoot({ questions = [] }: AgentRequest, mail: boolean, { foot, request }: Words): Foot {
  const count = Math.min(keyedOptions, questions[0]?.options?.length ?? 0);
  return {
    icon: '',
    note: [{ text: count === 1 ? foot.oneOption : fill(foot.options, String(count)) }],
    button: request.answer.tell,
    hint: request.answer.hint,
    takes: mail ? 'message' : 'answer',
  };
}

function messageFoot(state: FootState, words: Words, now: number, locale: string): Foot {
  const { name, from, reach, facts } = state;
  const { foot } = words;
  const way = join([from, name], ' → ');
  if (reach === undefined)
    return { icon: '', note: [{ text: way }], button: undefined, hint: foot.reply, takes: 'message' };
  return {
    icon: icons[reach],
    note: sentences(...noteOf(reach, facts, words, now, locale)),
    button: words.reach[reach].button,
    hint: fill(reach === 'continue' ? foot.next : foot.message, name),
    takes: 'message',
  };
}

const icons: Readonly<Record<Reach, FootIcon>> = {
  ...{ send: 'spin', wake: 'idle', type: 'idle', wait: 'idle' },
  ...{ continue: 'ended', setUp: 'unplugged', begin: 'idle' },
};

/** Returns sentences about the agent's state and when it reads the text. */
function noteOf(
  reach: Reach,
  facts: ReachFacts,
  { foot, reach: ways }: Words,
  now: number,
  locale: string,
): readonly (readonly NotePiece[])[] {
  const note = [{ text: ways[reach].note }];
  const since = sinceWords(facts.since, now, locale);
  if (reach === 'send') return [[{ text: since === '' ? foot.workingNow : fill(foot.working, since) }], note];
  if (reach === 'wake' || reach === 'type' || reach === 'wait') {
    if (facts.terminal === '') return [[{ text: foot.idleOutside }], note];
    const [before = '', after = ''] = foot.idleIn.split('{0}');
    const link = { text: fill(foot.terminal, facts.terminal), as: 'terminal' as const };
    // The user can see in the terminal that the agent wakes.
    return [[{ text: before }, link, { text: after }], reach === 'wait' ? note : []];
  }
  if (reach !== 'continue') return [note];
  const old = now - facts.since >= week;
  const ended = since === '' ? foot.endedNow : fill(old ? foot.endedOn : foot.ended, since);
  if (facts.command === '') return [[{ text: ended }], note];
  const opens = { text: fill(foot.opens, facts.folder) };
  return [[{ text: ended }], [opens], [{ text: facts.command, as: 'code' }]];
}

const minute = 60_000;
const week = 7 * 24 * 60 * minute;

/** Returns the time since a moment, or its day if that is long ago; empty for less than a minute. */
function sinceWords(since: number, now: number, locale: string): string {
  return since <= 0 || now - since < minute ? '' : age(since, now, locale);
}

/** Joins sentences with spaces. */
function sentences(...parts: readonly (readonly NotePiece[])[]): readonly NotePiece[] {
  return parts
    .map((part) => part.filter(({ text }) => text !== ''))
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? part : [{ text: ' ' }, ...part]));
}
