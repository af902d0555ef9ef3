// The text of a message: the server's safe HTML, with copy buttons on code and
// wide tables that scroll on their own.

import { addCopy } from './copy';
import { element } from './dom';
import type { TextPage } from './frame';
import { safeFragment } from './safeHtml';

/** Fills an element with HTML and returns it. */
export function richText<E extends HTMLElement>(made: E, html: string, page: TextPage): E {
  made.classList.add('rich');
  made.append(safeFragment(html, document));
  for (const pre of made.querySelectorAll('pre')) addCopy(pre, page);
  for (const table of made.querySelectorAll('table')) {
    // A wide table scrolls on its own instead of widening the page.
    const frame = element('div', { class: 'wide' });
    frame.tabIndex = 0;
    table.replaceWith(frame);
    frame.append(table);
  }
  return made;
}
