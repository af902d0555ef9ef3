// What a message of an agent's own conversation is made of, in its order.

import type { MessageItem, Part, Turn } from '../protocol';
import type { ThreadWords } from '../thread/words';
import type { MessageActions } from './actions';
import { drawing, element } from './dom';
import type { Images } from './images';
import { richText } from './richText';
import { toolElement } from './tool';

export function turnElement(
  turn: Turn,
  message: MessageItem,
  words: ThreadWords,
  locale: string,
  actions: MessageActions,
  images: Images,
): HTMLElement {
  const made = element('div', { class: 'body parts' });
  for (const part of turn.parts) {
    made.append(partElement(part, message, words, locale, actions, images));
    if (part.cut === true) made.append(element('p', { class: 'cut', text: words.agent.cut }));
  }
  return made;
}

function partElement(
  part: Part,
  message: MessageItem,
  words: ThreadWords,
  locale: string,
  actions: MessageActions,
  images: Images,
): HTMLElement {
  const label = part.label ?? '';
  const html = part.html ?? '';
  switch (part.kind) {
    case 'text':
      return richText(element('div'), html, words, actions);
    case 'thinking':
      return thinking(html, words, actions);
    case 'image':
      return part.asset === undefined || part.asset === ''
        ? images.refused(part.fault ?? '')
        : images.figure(part.asset, label);
    case 'tool':
      if (part.tool !== undefined) return toolElement(part.tool, message, words, locale, actions);
      break;
    case 'other':
      break;
  }
  // A block this version does not know: said to be there, with what text it has.
  const made = element(
    'div',
    { class: 'other' },
    element('span', { class: 'placeholder' }, drawing('note'), element('span', { text: label })),
  );
  if (html !== '') made.append(richText(element('div'), html, words, actions));
  return made;
}

function thinking(html: string, words: ThreadWords, actions: MessageActions): HTMLElement {
  const body = richText(element('div', { class: 'inside' }), html, words, actions);
  // The beginning tells whether opening it is worth while; it is read once it is open.
  const glimpse = element('span', {
    class: 'quiet glimpse',
    text: body.textContent.replace(/\s+/g, ' ').trim().slice(0, 160),
    attributes: { 'aria-hidden': 'true' },
  });
  return element(
    'details',
    { class: 'thinking' },
    element(
      'summary',
      {},
      drawing('chevron'),
      element('span', { class: 'name', text: words.agent.thinking }),
      glimpse,
    ),
    body,
  );
}
