// The keys of a page, from the shared key map. In a text field letters are text, and only the
// keys of the box work.

import { fill } from '../fill';
import { meaningOf, type Meaning } from '../keys';
import { answersMost } from '../needs/answers';
import { element } from './dom';

/** Shows the editor's keys on the first answer buttons. `key` is a key's name, with {0} for its number. */
export function nameAnswerKeys(buttons: readonly HTMLElement[], key: string): void {
  for (const [index, made] of buttons.slice(0, answersMost).entries()) {
    const name = fill(key, String(index + 1));
    made.title = name;
    made.setAttribute('aria-keyshortcuts', `Alt+${index + 1}`);
    made.append(element('kbd', { text: name, attributes: { 'aria-hidden': 'true' } }));
  }
}

const typedIn = 'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"])';

/** Reports whether letters typed in a target are text. */
export function isTypedIn(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(typedIn) !== null;
}

/**
 * Calls `run` with the meaning of a pressed key, and whether it was pressed in a text field. If
 * `run` returns false, the browser and the editor handle the key.
 */
export function onKeys(place: 'list' | 'thread', run: (meaning: Meaning, typing: boolean) => boolean): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]') !== null)
      return;
    const typing = isTypedIn(event.target);
    // The keys of the box also work outside it.
    const meaning = (typing ? undefined : meaningOf(event, place)) ?? meaningOf(event, 'box');
    // A key that is held down gives one answer.
    const held = event.repeat && meaning !== undefined && answering.has(meaning.act);
    if (meaning === undefined || held || !run(meaning, typing)) return;
    event.preventDefault();
  });
}

const answering: ReadonlySet<string> = new Set([
  'yes',
  'no',
  'option',
  'send',
  'sendNext',
  'archive',
  'done',
]);
