// Summarizes a request: line 2 of its row, and the words around it.

import { fill, join } from '../fill';
import type { AgentRequest } from '../protocol';
import type { NeedIcon, NeedTag } from './row';
import type { RowWords } from './rowWords';

export interface RequestSummary {
  readonly icon: NeedIcon;
  readonly what: string;
  readonly code: boolean;
  /** Line 2 while the row is open. */
  readonly open: string;
  readonly tags: readonly NeedTag[];
  readonly openTags: readonly NeedTag[];
  /** The sentence, with {0} for who asks and where. */
  readonly sentence: string;
  readonly risks: readonly string[];
}

/** An open row shows the number of lines of a command that has more than this. */
const linesMost = 12;

export function requestSummary(request: AgentRequest, words: RowWords): RequestSummary {
  const risks = [...new Set((request.risks ?? []).map(({ kind }) => words.risks[kind] ?? ''))].filter(
    (risk) => risk !== '',
  );
  if (request.kind === 'plan') return planSummary(request, words);
  if (request.kind === 'question') return formSummary(request, words);
  const command = request.input.find(({ name }) => name === 'command')?.text;
  if (command !== undefined) return commandSummary(command, risks, words);
  const path = request.input.find(({ name = '' }) => /^(file_?path|path|notebook_path)$/i.test(name))?.text;
  const what = join([request.tool, path === undefined ? '' : shortPath(path)], ' ');
  return {
    ...{ icon: 'edit', what, code: false, open: what, risks },
    tags: risks.slice(0, 1).map((text) => ({ text })),
    openTags: [],
    sentence: fill(words.wantsTo, '{0}', what),
  };
}

function commandSummary(command: string, risks: readonly string[], words: RowWords): RequestSummary {
  const lines = command.trimEnd().split('\n');
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const count = lines.length;
  return {
    ...{ icon: 'terminal', what: first.trim(), code: true, open: words.wantsToRun, risks },
    tags: count > 1 ? [{ text: fill(words.moreLines, String(count - 1)), keep: true }] : [],
    openTags: count > linesMost ? [{ text: fill(words.lines, String(count)), keep: true }] : [],
    sentence: fill(words.wantsRun, '{0}', first.trim()),
  };
}

function planSummary({ plan = '' }: AgentRequest, words: RowWords): RequestSummary {
  const title = planTitle(plan);
  const steps = planSteps(plan);
  const what = title === '' ? words.planOnly : fill(words.plan, title);
  return {
    ...{ icon: 'plan', what, code: false, open: what, risks: [] },
    tags: steps > 1 ? [{ text: fill(words.steps, String(steps)) }] : [],
    openTags: [],
    sentence: fill(words.showsPlan, '{0}', title),
  };
}

function formSummary({ questions = [] }: AgentRequest, words: RowWords): RequestSummary {
  const [first] = questions;
  const one = questions.length === 1;
  const what = one
    ? (first?.text ?? '')
    : fill(words.questions, String(questions.length), first?.header ?? first?.text ?? '');
  const options = one ? (first?.options ?? []) : [];
  return {
    ...{ icon: 'question', what, code: false, open: what, risks: [] },
    tags: options.length > 1 ? [{ text: fill(words.options, String(options.length)) }] : [],
    openTags: [],
    sentence: fill(words.asks, '{0}', what),
  };
}

/** Returns the first heading of a plan, or its first line that isn't a step. */
export function planTitle(plan: string): string {
  const lines = plan.split('\n').map((line) => line.trim());
  const heading = lines.find((line) => /^#+\s/.test(line));
  const first = heading ?? lines.find((line) => line !== '' && !isStep(line)) ?? '';
  return first.replace(/^#+\s*/, '').replace(/^plan:\s*/i, '');
}

/** Returns the number of steps of a plan: the entries of its lists, without nested lists. */
export function planSteps(plan: string): number {
  return plan.split('\n').filter(isStep).length;
}

function isStep(line: string): boolean {
  return /^(?:\d+[.)]|[-*+])\s/.test(line);
}

/** Returns a path's last two parts, which identify it best. */
function shortPath(path: string): string {
  const parts = path.split(/[\\/]+/).filter((part) => part !== '');
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join('/')}`;
}
