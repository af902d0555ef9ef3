// The button that copies a piece of code.

import { button, drawing, element, span } from './dom';
import type { TextPage } from './frame';

/** Puts a frame with a copy button around a piece of code that is in a parent. */
export function addCopy(pre: HTMLPreElement, { words, post }: TextPage): void {
  const text = pre.textContent;
  const frame = element('div', { class: 'code' });
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
  frame.append(pre, copy);
}
