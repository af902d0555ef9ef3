// The buttons on a piece of code: wrap its long lines, and copy it.

import { copyButton } from './copyButton';
import { button, element } from './dom';
import type { TextPage } from './frame';

/** Puts a frame with buttons around a piece of code that is in a parent. */
export function addCodeButtons(pre: HTMLPreElement, page: TextPage): void {
  const { words } = page;
  const text = pre.textContent;
  const frame = element('div', { class: 'code' });
  const wrap = button(words.wrap, 'wrap', () => {
    wrap.setAttribute('aria-pressed', String(frame.classList.toggle('wrapped')));
  });
  wrap.setAttribute('aria-pressed', 'false');
  const copy = copyButton(page, 'copy', words.copy, () => text.replace(/\n$/, ''));
  pre.replaceWith(frame);
  pre.tabIndex = 0;
  frame.append(pre, element('div', { class: 'buttons' }, wrap, copy));
}
