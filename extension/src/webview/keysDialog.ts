// The dialog that shows the keys of a page.

import type { KeyRow, KeysWords } from '../keys';
import { button, element } from './dom';

/** Shows the keys. Escape, the button or "?" closes the dialog, and the focus goes back to where it was. */
export function showKeys(words: KeysWords): void {
  const before = document.activeElement;
  const dialog = element('dialog', {
    class: 'keys',
    attributes: { 'aria-label': words.title, autofocus: '', tabindex: '-1' },
  });
  const close = button(words.close, 'secondary', () => dialog.close());
  dialog.append(
    element('h2', { text: words.title }),
    ...part(words.outside, words.rows, false),
    ...part(words.inBox, words.rows, true),
    close,
  );
  dialog.addEventListener('keydown', (event) => {
    // While the dialog is open, only its own keys work.
    event.stopPropagation();
    if (event.key === '?') dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
}

function part(title: string, rows: readonly KeyRow[], box: boolean): readonly HTMLElement[] {
  const shown = rows.filter((row) => row.box === box);
  if (shown.length === 0) return [];
  const table = element('dl');
  for (const { keys, words } of shown) {
    const names = keys.map((text) => element('kbd', { text }));
    table.append(element('dt', {}, ...names), element('dd', { text: words }));
  }
  return [element('h3', { text: title }), table];
}
