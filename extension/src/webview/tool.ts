// One tool call: a line with its name and outcome, and its folded input and output.
// Everything is shown as text.

import { fill, join } from '../fill';
import type { MessageItem, Ref, ToolPart } from '../protocol';
import { durationWords } from '../when';
import { addCopy } from './copy';
import { button, drawing, element, folded, span, type Drawing } from './dom';
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
  if (tool.locations.length > 0) {
    const places = tool.locations.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`));
    made.append(line(words.agent.places, places.join('\n')));
  }
  if (tool.input !== '') made.append(...block(words.agent.input, tool.input, tool.inputCut, page));
  if (tool.output !== '') made.append(...block(words.agent.output, tool.output, tool.outputCut, page));
  if (tool.input === '' && tool.output === '')
    made.append(element('p', { class: 'quiet', text: words.agent.nothing }));
  return made;
}

function line(label: string, text: string): HTMLElement {
  return element('p', { class: 'places' }, span(label, 'label'), element('code', { text }));
}

function block(
  label: string,
  text: string,
  cut: boolean | undefined,
  page: ThreadPage,
): readonly HTMLElement[] {
  const pre = element('pre', { attributes: { 'aria-label': label } }, element('code', { text }));
  const frame = element('div', {}, pre);
  addCopy(pre, page);
  return [
    element('p', { class: 'label', text: label }),
    frame,
    ...(cut === true ? [element('p', { class: 'cut', text: page.words.agent.cut })] : []),
  ];
}

/** Makes the line about a changed file, which is never folded. The path is a label. */
function change(
  tool: ToolPart,
  diff: NonNullable<ToolPart['diff']>,
  message: MessageItem,
  { words, post }: ThreadPage,
): HTMLElement {
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
  return element(
    'div',
    { class: 'change' },
    element('code', { text: diff.path }),
    diff.created === true ? span(words.agent.newFile, 'mark') : undefined,
    count('added', '+', diff.added, words.agent.added),
    count('removed', '−', diff.removed, words.agent.removed),
    open,
  );
}
