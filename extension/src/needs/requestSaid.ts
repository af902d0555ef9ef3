// Line 2 of the row of a request, in words.

import { fill, join } from '../fill';
import type { AgentRequest } from '../protocol';
import type { NeedIcon, NeedTag } from './row';
import type { RowWords } from './rowWords';

export interface Said {
  readonly icon: NeedIcon;
  readonly what: string;
  readonly code: boolean;
  /** Line 2 while the row is open. */
  readonly open: string;
  readonly tags: readonly NeedTag[];
  readonly openTags: readonly NeedTag[];
  /** With {0} for who asks and where. */
  readonly sentence: string;
  readonly risks: readonly string[];
}

/** A command of more lines than this says how many it has. */
const linesMost = 12;

export function requestSaid(request: AgentRequest, words: RowWords): Said {
  const risks = [...new Set((request.risks ?? []).map(({ kind }) => words.risks[kind] ?? ''))].filter(
    (risk) => risk !== '',
  );
  if (request.kind === 'plan') return planSaid(request, words);
  if (request.kind === 'question') return formSaid(request, words);
  const command = request.input.find(({ name }) => name === 'command')?.text;
  if (command !== undefined) return commandSaid(command, risks, words);
  const path = request.input.find(({ name = '' }) => /^(file_?path|path|notebook_path)$/i.test(name))?.text;
  const what = join([request.tool, path === undefined ? '' : shortPath(path)], ' ');
  return {
    ...{ icon: 'edit', what, code: false, open: what, risks },
    tags: risks.slice(0, 1).map((text) => ({ text })),
    openTags: [],
    sentence: fill(words.wantsTo, '{0}', what),
  };
}

function commandSaid(command: string, risks: readonly string[], words: RowWords): Said {
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

function planSaid({ plan = '' }: AgentRequest, words: RowWords): Said {
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

function formSaid({ questions = [] }: AgentRequest, words: RowWords): Said {
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

/** Returns the first heading of a plan, or its first line that is no step. */
export function planTitle(plan: string): string {
  const lines = plan.split('\n').map((line) => line.trim());
  const heading = lines.find((line) => /^#+\s/.test(line));
  const first = heading ?? lines.find((line) => line !== '' && !isStep(line)) ?? '';
  return first.replace(/^#+\s*/, '').replace(/^plan:\s*/i, '');
}

/** Counts the steps of a plan: the entries of its lists that stand in no other. */
export function planSteps(plan: string): number {
  return plan.split('\n').filter(isStep).length;
}

function isStep(line: string): boolean {
  return /^(?:\d+[.)]|[-*+])\s/.test(line);
}

/** Leaves of a path what tells most of it. */
function shortPath(path: string): string {
  const parts = path.split(/[\\/]+/).filter((part) => part !== '');
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join('/')}`;
}
