// Keys that act on the whole page. They do nothing while the user types, and keys
// with a modifier stay the editor's: for those the page only says which they are.

import { fill } from '../fill';
import { answersMost } from '../needs/answers';
import { element } from './dom';

/** Says on the buttons of the first answers which keys of the editor press them. `key` is the key's name, with {0} for its number. */
export function nameAnswerKeys(buttons: readonly HTMLElement[], key: string): void {
  for (const [index, made] of buttons.slice(0, answersMost).entries()) {
    const name = fill(key, String(index + 1));
    made.title = name;
    made.setAttribute('aria-keyshortcuts', `Alt+${index + 1}`);
    made.append(element('kbd', { text: name, attributes: { 'aria-hidden': 'true' } }));
  }
}

/** Calls back on n and p, the inbox's keys for the next and the previous unread thread. */
export function onUnreadKeys(go: (back: boolean) => void): void {
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'n' && event.key !== 'p') return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target } = event;
    if (
      target instanceof HTMLElement &&
      target.closest('textarea, input, select, [contenteditable]') !== null
    )
      return;
    event.preventDefault();
    go(event.key === 'p');
  });
}
