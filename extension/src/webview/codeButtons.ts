// The buttons on a piece of code: wrap its long lines, and copy it.

import { button, drawing, element, span } from './dom';
import type { TextPage } from './frame';

/** Puts a frame with buttons around a piece of code that is in a parent. */
export function addCodeButtons(pre: HTMLPreElement, { words, post }: TextPage): void {
  const text = pre.textContent;
  const frame = element('div', { class: 'code' });
  const wrap = button(words.wrap, 'wrap', () => {
    wrap.setAttribute('aria-pressed', String(frame.classList.toggle('wrapped')));
  });
  wrap.setAttribute('aria-pressed', 'false');
  const label = span(words.copy);
  const copy = button('', 'copy', () => {
    post({ type: 'copy', text: text.replace(/\n$/, '') });
    label.textContent = words.copied;
    setTimeout(() => {
      label.textContent = words.copy;
    }, 1_500);
  });
  copy.append(drawing('copy'), label);
  pre.replaceWith(frame);
  pre.tabIndex = 0;
  frame.append(pre, element('div', { class: 'buttons' }, wrap, copy));
}
