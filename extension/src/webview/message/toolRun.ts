// Tool calls in a row, folded into one summary line.

import { fill, join } from '../../fill';
import type { Part, ToolPart } from '../../protocol';
import { totalsOf } from '../../thread/flow';
import type { ThreadWords } from '../../thread/words';
import { folded, span } from '../dom';

/** A part of a message, and its element. */
export interface Made {
  readonly part: Part;
  readonly shown: HTMLElement;
}

/** Returns a summary of tool calls: "Ran 6 tools · 2 edits +8 −2 · 1 failed". */
export function runWords(tools: readonly ToolPart[], { agent: words }: ThreadWords): string {
  const { tools: count, edits, added, removed, failed } = totalsOf(tools);
  const lines = `+${added} −${removed}`;
  return join(
    [
      fill(words.ranTools, String(count)),
      edits === 0 ? '' : edits === 1 ? fill(words.oneEdit, lines) : fill(words.edits, String(edits), lines),
      failed === 0 ? '' : fill(words.toolsFailed, String(failed)),
    ],
    ' · ',
  );
}

/** Returns parts folded into one line. Tool calls that failed stay visible below it. */
export function foldedRun(made: readonly Made[], words: ThreadWords): readonly HTMLElement[] {
  const tools = made.flatMap(({ part }) => (part.tool === undefined ? [] : [part.tool]));
  const failed = made.filter(({ part }) => part.tool?.status === 'failed');
  const others = made.filter((one) => !failed.includes(one));
  const all = folded('run', [span(runWords(tools, words), 'name')], ...others.map(({ shown }) => shown));
  return [all, ...failed.map(({ shown }) => shown)];
}
