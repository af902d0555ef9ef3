// The files that came with a message: what is said of them, and buttons that
// have the server check them before anything is opened or saved.

import { shownAs } from '../thread/attachmentKinds';
import type { AttachmentItem, MessageItem } from '../protocol';
import { isUsable, scanWords } from '../thread/signedWords';
import type { ThreadWords } from '../thread/words';
import { sizeWords } from '../when';
import type { MessageActions } from './actions';
import { button, drawing, element } from './dom';

export function filesElement(
  message: MessageItem,
  files: readonly AttachmentItem[],
  words: ThreadWords,
  locale: string,
  actions: MessageActions,
): HTMLElement {
  const list = element('ul', { class: 'files', attributes: { 'aria-label': words.signed.attachments } });
  list.append(...files.map((file) => row(message, file, words, locale, actions)));
  return list;
}

function row(
  message: MessageItem,
  file: AttachmentItem,
  { signed: words }: ThreadWords,
  locale: string,
  actions: MessageActions,
): HTMLElement {
  const { name, type, size, scan, present, problem = '', confirm = false } = file;
  const facts = [type, sizeWords(size, locale), scanWords(scan, words), present ? '' : words.notHere];
  const act = (label: string, save: boolean): HTMLButtonElement => {
    const made = button(label, 'secondary', () => actions.file(message, file.id, save));
    made.disabled = !isUsable(file);
    made.setAttribute('aria-label', `${label} ${name}`);
    return made;
  };
  // What no editor shows can be saved alone.
  const open = shownAs(name, type) === undefined ? undefined : act(words.open, false);
  return element(
    'li',
    { class: 'attachment' },
    drawing('file'),
    element(
      'div',
      { class: 'about' },
      element('span', { class: 'name', text: name === '' ? words.noName : name }),
      element('span', { class: 'quiet', text: facts.filter((fact) => fact !== '').join(' · ') }),
      problem === ''
        ? undefined
        : element(
            'p',
            { class: `hint-line ${confirm || !isUsable(file) ? 'warn' : 'note'}` },
            drawing('warn'),
            element('span', { text: problem }),
          ),
    ),
    element('div', { class: 'do' }, open, act(words.save, true)),
  );
}
