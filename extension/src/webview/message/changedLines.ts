// The changed lines of a file, in a message. A short change is shown at once, a long one unfolds.

import { fill } from '../../fill';
import type { DiffPart } from '../../protocol';
import { linesOf, type ChangedLine } from '../../thread/changes/hunks';
import { addCodeButtons } from '../codeButtons';
import { element, folded, span } from '../dom';
import type { ThreadPage } from './threadPage';

/** The most lines of a change that is shown at once. */
const maxShown = 20;

export function changedLines(diff: DiffPart, page: ThreadPage): HTMLElement | undefined {
  const lines = linesOf(diff.hunks ?? '');
  if (lines.length === 0) return undefined;
  const { words } = page;
  const code = element('code', {}, ...lines.map(lineElement));
  const label = { 'aria-label': fill(words.agent.changedLines, diff.path) };
  const pre = element('pre', { class: 'difflines', attributes: label }, code);
  const frame = element('div', {}, pre);
  addCodeButtons(pre, page);
  if (diff.cut === true) frame.append(element('p', { class: 'cut', text: words.agent.cut }));
  if (lines.length <= maxShown && diff.cut !== true) return frame;
  const summary = span(fill(words.agent.showLines, String(lines.length)), 'name');
  return folded('alllines', [summary], frame);
}

/** Makes a line. Its first character is its sign, so that colour only repeats it. */
function lineElement({ kind, text }: ChangedLine): HTMLElement {
  return span(`${text}\n`, `diffline ${kind}`);
}
