// The options of a question as buttons, each with its number in front. They wrap and are
// never cut, because the user decides on their text.

import { fill } from '../fill';
import { element, span } from './dom';

/** The number of options that have their own key. */
const keyedOptions = 9;

export interface ShownOption {
  readonly label: string;
  readonly description?: string;
}

/** Makes the buttons. `shortcut` is the key that presses a button, with {0} for its number, or empty. */
export function optionButtons(
  options: readonly ShownOption[],
  shortcut: string,
  press: (index: number) => void,
): readonly HTMLButtonElement[] {
  return options.map(({ label, description = '' }, index) => {
    const number = String(index + 1);
    const made = element(
      'button',
      { class: 'opt', attributes: { type: 'button' } },
      index < keyedOptions
        ? element('kbd', { text: number, attributes: { 'aria-hidden': 'true' } })
        : undefined,
      span(label, 'name'),
      description === '' ? undefined : element('small', { text: description }),
    );
    for (const part of made.querySelectorAll('span, small')) part.setAttribute('dir', 'auto');
    if (shortcut !== '' && index < keyedOptions)
      made.setAttribute('aria-keyshortcuts', fill(shortcut, number));
    made.addEventListener('click', () => press(index));
    return made;
  });
}
