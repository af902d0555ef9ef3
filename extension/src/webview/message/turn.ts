// The parts of a message in an agent's own thread, in order.

import type { MessageItem, Part, Turn } from '../../protocol';
import { sessionProtocol } from '../../refs';
import { isFoldable, isRun } from '../../thread/flow';
import { drawing, element, folded, span } from '../dom';
import { richText } from '../richText';
import type { ThreadPage } from './threadPage';
import { toolElement } from './tool';
import { foldedRun, type Made } from './toolRun';

export function turnElement(turn: Turn, message: MessageItem, page: ThreadPage): HTMLElement {
  const made = element('div', { class: 'body parts' });
  let run: Made[] = [];
  const endRun = (): void => {
    const tools = run.flatMap(({ part }) => (part.tool === undefined ? [] : [part.tool]));
    made.append(...(isRun(tools) ? foldedRun(run, page.words) : run.map(({ shown }) => shown)));
    run = [];
  };
  for (const part of turn.parts) {
    const shown = partElement(part, message, page);
    if (isFoldable(part)) {
      run.push({ part, shown });
      continue;
    }
    endRun();
    made.append(shown);
    if (part.cut === true) made.append(element('p', { class: 'cut', text: page.words.agent.cut }));
  }
  endRun();
  return made;
}

export function partElement(part: Part, message: MessageItem, page: ThreadPage): HTMLElement {
  const { label = '', html = '', asset = '', fault = '' } = part;
  switch (part.kind) {
    case 'text':
      return richText(element('div'), html, page);
    case 'thinking':
      return thinking(html, page);
    case 'image':
      return asset === '' ? page.images.refused(fault) : page.images.figure(asset, label);
    case 'tool':
      if (part.tool !== undefined) return toolElement(part.tool, message, page);
      break;
    case 'other':
      break;
  }
  // A block of an unknown kind: its name and its text, if it has any.
  const name = element('span', { class: 'placeholder' }, drawing('note'), span(label));
  // In a session this is a remark, such as that it was resumed.
  const quiet = message.ref.protocol === sessionProtocol ? ' remark' : '';
  const made = element('div', { class: `other${quiet}` }, name);
  if (html !== '') made.append(richText(element('div'), html, page));
  return made;
}

function thinking(html: string, page: ThreadPage): HTMLElement {
  const body = richText(element('div', { class: 'inside' }), html, page);
  // The beginning helps the user to decide whether to unfold it. Screen readers skip it.
  const preview = element('span', {
    class: 'quiet glimpse',
    text: body.textContent.replace(/\s+/g, ' ').trim().slice(0, 160),
    attributes: { 'aria-hidden': 'true' },
  });
  return folded('thinking', [span(page.words.agent.thinking, 'name'), preview], body);
}
