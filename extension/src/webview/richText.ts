// The text of a message: the server's safe HTML, with buttons and colours on code, boxes in
// task lists, links on file names, and wide tables that scroll on their own.

import { placeIn } from '../thread/files/fileName';
import type { FromView } from '../thread/messages';
import type { CodeColours } from './codeColours';
import { addCodeButtons } from './codeButtons';
import { button, drawing, element } from './dom';
import type { Page, TextPage } from './frame';
import { safeFragment } from './safeHtml';

/** A page in which code has colours and file names are links. */
type FilePage = Page<TextPage['words'], FromView> & { readonly colours: CodeColours };

/** Fills an element with HTML and returns it. */
export function richText<E extends HTMLElement>(made: E, html: string, page: TextPage | FilePage): E {
  made.classList.add('rich');
  made.append(safeFragment(html, document));
  for (const pre of made.querySelectorAll('pre')) {
    addCodeButtons(pre, page);
    const code = pre.querySelector('code');
    if ('colours' in page && code !== null) page.colours.watch(code, pre.dataset['lang'] ?? '');
  }
  for (const item of made.querySelectorAll('li')) taskBox(item, page);
  if ('colours' in page) for (const code of made.querySelectorAll('code')) fileLink(code, page);
  for (const table of made.querySelectorAll('table')) {
    // A wide table scrolls on its own instead of widening the page.
    const frame = element('div', { class: 'wide' });
    frame.tabIndex = 0;
    table.replaceWith(frame);
    frame.append(table);
  }
  return made;
}

/** Shows the box of a task, ticked or not. It cannot be changed here. */
function taskBox(item: HTMLLIElement, { words }: TextPage | FilePage): void {
  const holder = item.firstElementChild?.localName === 'p' ? item.firstElementChild : item;
  const text = holder.firstChild;
  const box = text instanceof Text ? /^\s*\[([ x])\] /.exec(text.data) : null;
  if (!(text instanceof Text) || box === null) return;
  const done = box[1] === 'x';
  text.data = text.data.slice(box[0].length);
  const shown = element('span', {
    class: done ? 'taskbox done' : 'taskbox',
    attributes: { role: 'img', 'aria-label': done ? words.taskDone : words.taskOpen },
  });
  if (done) shown.append(drawing('ok'));
  holder.prepend(shown);
  item.classList.add('task');
}

/** Replaces code that is a file name by a link. */
function fileLink(code: HTMLElement, page: FilePage): void {
  if (code.closest('pre, a, button') !== null || placeIn(code.textContent) === undefined) return;
  const link = fileButton(code.textContent, page);
  code.replaceWith(link);
}

/** Makes a link to a file. Whether the file exists is found out when the link is pressed. */
export function fileButton(name: string, { post }: Pick<FilePage, 'post'>): HTMLButtonElement {
  const link = button('', 'link file', () => post({ type: 'path', path: name }));
  link.append(element('code', { text: name }));
  return link;
}
