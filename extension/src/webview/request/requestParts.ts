// The parts of a request that the user reads: its exact input, remarks and risks.

import { fill, join } from '../../fill';
import { canAllow } from '../../request/request';
import type { RequestWords } from '../../request/requestWords';
import type { AgentRequest, Argument, Risk } from '../../protocol';
import { sizeWords } from '../../when';
import { button, drawing, element, span } from '../dom';

/** A character that the server shows as a number. */
const numbered = /(⟨U\+[0-9A-F]{4,6}⟩)/;

/** Shows a text exactly. Characters that the server shows as numbers are highlighted. */
export function exactText(text: string, label: string, kind: 'pre' | 'code' = 'pre'): HTMLElement {
  const shown = element(kind, { class: join(['exact', kind === 'pre' ? 'block' : ''], ' ') });
  if (label !== '') shown.setAttribute('aria-label', label);
  addExact(shown, text);
  return shown;
}

function addExact(to: HTMLElement, text: string): void {
  for (const part of text.split(numbered))
    if (part !== '') to.append(numbered.test(part) ? span(part, 'odd') : part);
}

/** Shows one argument of a tool: its name and its exact text. Lines with a risk are marked as targets. */
export function argumentElement(
  { name = '', text }: Argument,
  risks: readonly Risk[],
  words: RequestWords,
): HTMLElement {
  const command = name === 'command';
  const marks = command ? risks.flatMap(({ line = 0 }) => (line > 0 ? [line] : [])) : [];
  const shown =
    marks.length === 0 ? exactText(text, command ? words.command : name) : lined(text, marks, words);
  return element(
    'div',
    { class: 'argument' },
    name === '' || command ? undefined : element('p', { class: 'label', text: name }),
    shown,
  );
}

function lined(text: string, marks: readonly number[], words: RequestWords): HTMLElement {
  const shown = element('pre', { class: 'exact block', attributes: { 'aria-label': words.command } });
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) shown.append('\n');
    const marked = marks.includes(index + 1);
    const into = marked
      ? element('span', { class: 'risky', attributes: { 'data-line': String(index + 1) } })
      : shown;
    addExact(into, line);
    if (marked) shown.append(into);
  }
  return shown;
}

/** Makes a line for each risk: icon, words, and a link to the risky line. */
export function riskLines(
  { risks = [] }: AgentRequest,
  words: RequestWords,
  show: (line: number) => void,
): readonly HTMLElement[] {
  return risks.map(({ level, text, line = 0 }) => {
    // Text between backticks is quoted from the request.
    const pieces = text
      .split('`')
      .map((piece, index) => (index % 2 === 1 ? exactText(piece, '', 'code') : span(piece)));
    const at = button(fill(words.line, String(line)), 'link', () => show(line));
    const lead = line > 0 ? [at, span(': ')] : [];
    return element('p', { class: `risk ${level}` }, drawing('warn'), element('span', {}, ...lead, ...pieces));
  });
}

/** Makes remarks on input that is not shown exactly, and on actions that are not possible here. */
export function remarkLines(
  request: AgentRequest,
  words: RequestWords,
  locale: string,
): readonly HTMLElement[] {
  const { cut, denyOnly, long = 0, marked, risks = [] } = request;
  // Hidden characters are listed among the risks already.
  const listed = risks.some(({ kind }) => kind === 'hidden');
  const remarks = [
    marked === true && !listed ? words.marked : '',
    long > 0 ? fill(words.long, sizeWords(long, locale)) : '',
    cut === true ? words.cut : '',
    denyOnly === true && !canAllow(request) ? words.denyOnly : '',
  ].filter((text) => text !== '');
  return remarks.map((text) => element('p', { class: 'remark' }, drawing('warn'), span(text)));
}
