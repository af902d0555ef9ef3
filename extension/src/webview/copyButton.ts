// A button that copies a text and confirms it for a moment.

import { button, drawing, span } from './dom';
import type { TextPage } from './frame';

const confirmMillis = 1_500;

/** Makes a copy button. `text` is called when it is pressed. */
export function copyButton(
  { words, post }: TextPage,
  className: string,
  label: string,
  text: () => string,
): HTMLButtonElement {
  const shown = span(label);
  const made = button('', className, () => {
    post({ type: 'copy', text: text() });
    shown.textContent = words.copied;
    setTimeout(() => {
      shown.textContent = label;
    }, confirmMillis);
  });
  made.append(drawing('copy'), shown);
  return made;
}
