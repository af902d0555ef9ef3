// Text of a message: the server's safe HTML, with code to copy and wide
// tables that scroll by themselves.

import { addCopy } from './copy';
import { element } from './dom';
import type { TextPage } from './frame';
import { safeFragment } from './safeHtml';

/** Fills an element and gives it back. */
export function richText<E extends HTMLElement>(made: E, html: string, page: TextPage): E {
  made.classList.add('rich');
  made.append(safeFragment(html, document));
  for (const pre of made.querySelectorAll('pre')) addCopy(pre, page);
  for (const table of made.querySelectorAll('table')) {
    // A wide table scrolls by itself instead of widening the conversation.
    const frame = element('div', { class: 'wide' });
    frame.tabIndex = 0;
    table.replaceWith(frame);
    frame.append(table);
  }
  return made;
}
