// The request of an agent's program, in words: its title, the possible answers and the outcome.
// A page draws it (src/webview/request/request.ts).

import { fill, type Translate } from '../fill';
import type { AgentRequest, AnswerParams, RequestAnswer, RequestQuestion } from '../protocol';
import type { RequestWords } from './requestWords';

/** Returns the title of a request: who asks for what. */
export function requestTitle({ kind, tool, input }: AgentRequest, name: string, words: RequestWords): string {
  if (kind === 'question') return fill(words.ask, name);
  if (kind === 'plan') return fill(words.plan, name);
  return runs({ input }) ? fill(words.run, name) : fill(words.use, name, tool);
}

/** Reports whether a request is to run a command. */
export function runs({ input }: Pick<AgentRequest, 'input'>): boolean {
  return input.some((argument) => argument.name === 'command');
}

/** Returns the command of a request as it is shown, or an empty text. */
export function commandOf({ input }: Pick<AgentRequest, 'input'>): string {
  return input.find((argument) => argument.name === 'command')?.text ?? '';
}

/** The entries of More Actions: copy the command, allow it from now on, or refuse without a reason. */
export type CardAct = 'copy' | 'always' | 'refuse';

/** Reports whether a request is a single question that one of its options answers completely. */
export function isSimple({ kind, questions = [] }: Pick<AgentRequest, 'kind' | 'questions'>): boolean {
  const [one, ...others] = questions;
  if (kind !== 'question' || one === undefined || others.length > 0 || one.multiple === true) return false;
  return (one.options ?? []).length > 0;
}

/** Returns a key of a request. A request that changed has another key. */
export function requestKey({ id, hash }: Pick<AgentRequest, 'id' | 'hash'>): string {
  return `${id} ${hash}`;
}

/** Reports whether a request can be allowed here: all of it is shown, and the program accepts that. */
export function canAllow({ cut, long, denyOnly }: AgentRequest): boolean {
  return cut !== true && (long ?? 0) === 0 && denyOnly !== true;
}

/** What the user chose and typed for one question. `own` is set if the text counts. */
export interface Choice {
  readonly options: readonly number[];
  readonly text: string;
  readonly own: boolean;
}

export const noChoice: Choice = { options: [], text: '', own: false };

/** Returns the answer to a question, or undefined while there is none. */
export function answerOf(
  { multiple }: RequestQuestion,
  { options, text, own }: Choice,
): RequestAnswer | undefined {
  const words = own ? text.trim() : '';
  if (own && words === '') return undefined;
  const count = options.length + (own ? 1 : 0);
  if (count === 0 || (count > 1 && multiple !== true)) return undefined;
  return { ...(options.length > 0 ? { options } : {}), ...(own ? { text: words } : {}) };
}

/** Returns the answers to all questions of a form, or undefined while one is missing. */
export function answersOf(
  questions: readonly RequestQuestion[],
  choices: readonly Choice[],
): readonly RequestAnswer[] | undefined {
  const answers = questions.map((question, index) => answerOf(question, choices[index] ?? noChoice));
  return answers.every((answer) => answer !== undefined) ? answers : undefined;
}

/** Returns the outcome of a request that was answered here. */
export function outcomeWords(
  t: Translate,
  kind: AgentRequest['kind'],
  { allow, reason = '', rules = [] }: Omit<AnswerParams, 'id' | 'hash'>,
): string {
  if (allow) {
    if (kind === 'question') return t('Answered here');
    if (kind === 'plan') return t('Plan approved here');
    return rules.length > 0 ? t('Allowed here, and from now on') : t('Allowed here');
  }
  const given = reason !== '';
  if (kind === 'question') return given ? t('Declined here; it was told why') : t('Declined here');
  if (kind === 'plan') return given ? t('Plan sent back here; it was told why') : t('Plan sent back here');
  return given ? t('Denied here; it was told why') : t('Denied here');
}
