// The attachments of a message, with buttons to open and save them. The server
// checks each file first.

import { join } from '../../fill';
import { shownAs } from '../../thread/files/attachmentKinds';
import type { AttachmentItem, MessageItem } from '../../protocol';
import { isUsable, scanWords } from '../../signed/signedWords';
import { sizeWords } from '../../when';
import { button, drawing, element, span } from '../dom';
import type { ThreadPage } from './threadPage';

export function filesElement(
  message: MessageItem,
  files: readonly AttachmentItem[],
  page: ThreadPage,
): HTMLElement {
  const label = page.words.signed.attachments;
  const rows = files.map((file) => row(message, file, page));
  return element('ul', { class: 'files', attributes: { 'aria-label': label } }, ...rows);
}

function row(
  message: MessageItem,
  file: AttachmentItem,
  { words: { signed: words }, locale, post }: ThreadPage,
): HTMLElement {
  const { name, type, size, scan, present, problem = '', confirm = false } = file;
  const facts = [type, sizeWords(size, locale), scanWords(scan, words), present ? '' : words.notHere];
  const act = (label: string, save: boolean): HTMLButtonElement => {
    const made = button(label, 'secondary', () =>
      post({ type: 'file', message: message.ref, file: file.id, save }),
    );
    made.disabled = !isUsable(file);
    made.setAttribute('aria-label', `${label} ${name}`);
    return made;
  };
  // A file that the editor cannot show can only be saved.
  const open = shownAs(name, type) === undefined ? undefined : act(words.open, false);
  const level = confirm || !isUsable(file) ? 'warn' : 'note';
  const about = element(
    'div',
    { class: 'about' },
    span(name === '' ? words.noName : name, 'name'),
    span(join(facts, ' · '), 'quiet'),
    problem === ''
      ? undefined
      : element('p', { class: `hint-line ${level}` }, drawing('warn'), span(problem)),
  );
  const buttons = element('div', { class: 'do' }, open, act(words.save, true));
  return element('li', { class: 'attachment' }, drawing('file'), about, buttons);
}
