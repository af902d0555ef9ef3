// Keys of a page, by the one map. Where one types, letters are text, and only the keys of the
// box count.

import { fill } from '../fill';
import { meaningOf, type Meaning } from '../keys';
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

const typedIn = 'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"])';

/** Reports whether letters are text there. */
export function isTypedIn(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(typedIn) !== null;
}

/**
 * Calls back with what a pressed key means, and whether it was pressed where one types. The
 * callback returns whether it did something; else the key stays the browser's and the editor's.
 */
export function onKeys(place: 'list' | 'thread', run: (meaning: Meaning, typing: boolean) => boolean): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]') !== null)
      return;
    const typing = isTypedIn(event.target);
    // The keys of the box work beside it, too.
    const meaning = (typing ? undefined : meaningOf(event, place)) ?? meaningOf(event, 'box');
    // A key that is held down answers once.
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
