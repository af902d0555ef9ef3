// One tool call: a line with its name and outcome, and its folded input and output.
// Everything is inserted as text.

import { fill, join } from '../../fill';
import type { DiffPart, MessageItem, Ref, ToolPart } from '../../protocol';
import { placeIn } from '../../thread/files/fileName';
import { durationWords } from '../../when';
import { changedLines } from './changedLines';
import { addCodeButtons } from '../codeButtons';
import { fileButton } from '../richText';
import { button, drawing, element, folded, span, type Drawing } from '../dom';
import type { ThreadPage } from './threadPage';

export function toolElement(tool: ToolPart, message: MessageItem, page: ThreadPage): HTMLElement {
  return element(
    'div',
    { class: 'tool' },
    folded('', label(tool, page), inside(tool, page)),
    tool.diff === undefined ? undefined : change(tool, tool.diff, message, page),
    tool.started === undefined ? undefined : subagent(tool.started, page),
  );
}

/** Makes the link to the session of the subagent that a call started. */
function subagent(ref: Ref, { words, post }: ThreadPage): HTMLElement {
  const open = button(words.agent.openStarted, 'link', () => post({ type: 'thread', ref }));
  return element('div', { class: 'subagent' }, open);
}

const signs: Readonly<Record<string, Drawing>> = {
  pending: 'pending',
  running: 'running',
  completed: 'ok',
  failed: 'failed',
};

function label(tool: ToolPart, { words, locale }: ThreadPage): readonly HTMLElement[] {
  const known = Object.hasOwn(signs, tool.status);
  const status = known ? (words.agent.statuses[tool.status] ?? tool.status) : tool.status;
  const facts = [
    tool.kind,
    tool.duration >= 0 ? durationWords(tool.duration, locale) : '',
    status === '' ? '?' : status,
  ];
  const sign = known ? (signs[tool.status] ?? 'unknown') : 'unknown';
  return [
    element('span', { class: `status ${known ? tool.status : 'unknown'}` }, drawing(sign)),
    span(tool.title === '' ? tool.name : tool.title, 'name'),
    span(join(facts, ' · '), 'quiet'),
  ];
}

function inside(tool: ToolPart, page: ThreadPage): HTMLElement {
  const { words } = page;
  const made = element('div', { class: 'inside' });
  if (tool.title !== '' && tool.title !== tool.name) made.append(line(words.agent.tool, tool.name));
  if (tool.locations.length > 0) made.append(places(tool.locations, page));
  // The input of an edit repeats the change in the tool's own form.
  const changed = (tool.diff?.hunks ?? '') !== '';
  if (tool.input !== '' && !changed)
    made.append(...block(words.agent.input, tool.input, tool.inputCut, inputLanguage(tool), page));
  if (tool.output !== '') made.append(...block(words.agent.output, tool.output, tool.outputCut, '', page));
  if (tool.output === '' && (tool.input === '' || changed)) {
    const text = changed ? words.agent.onlyChange : words.agent.nothing;
    made.append(element('p', { class: 'quiet', text }));
  }
  return made;
}

function inputLanguage({ kind, input }: ToolPart): string {
  if (/^\s*[{[]/.test(input)) return 'json';
  return kind === 'execute' ? 'bash' : '';
}

/** Lists the places in files that a tool was used on. */
function places(locations: ToolPart['locations'], page: ThreadPage): HTMLElement {
  const names = locations.map(({ path, line }) =>
    fileName(line === undefined ? path : `${path}:${line}`, page),
  );
  const list = element('span', { class: 'list' }, ...names);
  return element('p', { class: 'places' }, span(page.words.agent.places, 'label'), list);
}

/** Makes a link from a file name, and a label from any other name. */
function fileName(name: string, page: ThreadPage): HTMLElement {
  return placeIn(name) === undefined ? element('code', { text: name }) : fileButton(name, page);
}

function line(label: string, text: string): HTMLElement {
  return element('p', { class: 'places' }, span(label, 'label'), element('code', { text }));
}

function block(
  label: string,
  text: string,
  cut: boolean | undefined,
  language: string,
  page: ThreadPage,
): readonly HTMLElement[] {
  const code = element('code', { text });
  const pre = element('pre', { attributes: { 'aria-label': label } }, code);
  if (language !== '') page.colours.watch(code, language);
  const frame = element('div', {}, pre);
  addCodeButtons(pre, page);
  return [
    element('p', { class: 'label', text: label }),
    frame,
    ...(cut === true ? [element('p', { class: 'cut', text: page.words.agent.cut })] : []),
  ];
}

/** Makes the line about a changed file, with its changed lines below it. */
function change(tool: ToolPart, diff: DiffPart, message: MessageItem, page: ThreadPage): HTMLElement {
  const { words, post } = page;
  const count = (name: string, sign: string, value: number, title: string): HTMLElement => {
    const spoken = fill(title, String(value));
    return element('span', {
      class: name,
      text: `${sign}${value}`,
      title: spoken,
      attributes: { role: 'img', 'aria-label': spoken },
    });
  };
  const open = button(words.agent.openDiff, 'secondary', () =>
    post({ type: 'diff', message: message.ref, tool: tool.index }),
  );
  open.setAttribute('aria-label', `${words.agent.openDiff}: ${diff.path}`);
  const head = element(
    'div',
    { class: 'change' },
    fileName(diff.path, page),
    diff.created === true ? span(words.agent.newFile, 'mark') : undefined,
    count('added', '+', diff.added, words.agent.added),
    count('removed', '−', diff.removed, words.agent.removed),
    open,
  );
  return element('div', { class: 'edit' }, head, changedLines(diff, page));
}
