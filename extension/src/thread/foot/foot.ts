// The box under a thread for each state: what it says about where the text goes and when it
// is read, and what its button does. That follows the state, never the text.

import { fill, join } from '../../fill';
import { isSimple, runs } from '../../request/request';
import type { RequestWords } from '../../request/requestWords';
import type { AgentRequest, Reach } from '../../protocol';
import { age } from '../../when';
import type { FootWords } from './footWords';
import type { ReachWords } from '../../agent/reach';

/** What is known of the agent that a text goes to. */
export interface ReachFacts {
  /** Since when it is at what it is at, or 0. */
  readonly since: number;
  /** The name of the terminal of this window that it runs in, or empty. */
  readonly terminal: string;
  /** The last part of the folder in which it goes on, and the command that does it; empty where it does not. */
  readonly folder: string;
  readonly command: string;
}

export const noFacts: ReachFacts = { since: 0, terminal: '', folder: '', command: '' };

/** What the box is for. */
export interface FootState {
  /** The agent's name, or whom the text goes to. */
  readonly name: string;
  /** Who writes, or empty. */
  readonly from: string;
  readonly reach: Reach | undefined;
  readonly facts: ReachFacts;
  readonly request: AgentRequest | undefined;
  /** Whether the request is a question of a message. */
  readonly mail: boolean;
}

export type FootIcon = 'spin' | 'idle' | 'ended' | 'unplugged' | '';

/** A piece of the note: a text, the way to a terminal, or a command as it is. */
export interface NotePiece {
  readonly text: string;
  readonly as?: 'terminal' | 'code';
}

export interface Foot {
  readonly icon: FootIcon;
  readonly note: readonly NotePiece[];
  /** Undefined for the usual word. */
  readonly button: string | undefined;
  readonly hint: string;
  /** What the text is taken for. */
  readonly takes: 'message' | 'no' | 'answer';
}

interface Words {
  readonly foot: FootWords;
  readonly request: RequestWords;
  readonly reach: ReachWords;
}

/** Says what the box is for. */
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

/** The most options that have a key of the editor. */
const keyed = 3;

function answerFoot({ questions = [] }: AgentRequest, mail: boolean, { foot, request }: Words): Foot {
  const count = Math.min(keyed, questions[0]?.options?.length ?? 0);
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

/** Says what the agent is at, and when it reads the text. */
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
    // In sight of its terminal one sees that it wakes.
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

/** Returns how long ago something was, or the day where that is long; empty for less than a minute. */
function sinceWords(since: number, now: number, locale: string): string {
  return since <= 0 || now - since < minute ? '' : age(since, now, locale);
}

/** Joins sentences by spaces. */
function sentences(...parts: readonly (readonly NotePiece[])[]): readonly NotePiece[] {
  return parts
    .map((part) => part.filter(({ text }) => text !== ''))
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? part : [{ text: ' ' }, ...part]));
}
