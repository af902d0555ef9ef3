// The common parts of the rows in the side bar: line 1 has name, place and time, line 2 the
// content. Texts are cut only by the style sheet.

import { join } from '../../fill';
import { element, span } from '../dom';

/** A short text at the end of line 2. */
export interface Tag {
  readonly text: string;
  /** Whether it is shown in the narrowest view as well. */
  readonly keep?: boolean;
}

/** Makes the beginning of line 1: a name and its place. The tooltip has both if they are cut. */
export function whoElement(who: string, where: string): HTMLElement {
  return element(
    'span',
    { class: 'who', title: join([who, where], ' · ') },
    element('b', { text: who, attributes: { dir: 'auto' } }),
    where === '' ? undefined : element('span', { text: where, attributes: { dir: 'auto' } }),
  );
}

/** Makes line 2: a text or a command, and tags. */
export function whatElement(text: string | Node, code = false, tags: readonly Tag[] = []): HTMLElement {
  const content =
    typeof text !== 'string'
      ? text
      : code
        ? element('code', { text })
        : element('span', { text, attributes: { dir: 'auto' } });
  const shown = tags.map(({ text: tag, keep }) => span(tag, keep === true ? 'tag keep' : 'tag'));
  return element('span', { class: 'what' }, content, ...shown);
}

/** The look of a button in a row. */
export interface ButtonLook {
  readonly class?: string;
  /** The key that presses it, as named on the user's keyboard, and as written for ARIA. */
  readonly key?: string;
  readonly shortcut?: string;
  readonly label?: string;
  readonly title?: string;
}

/** Makes a button with a label, and the key that presses it. */
export function wordButton(text: string, look: ButtonLook, press: () => void): HTMLButtonElement {
  const made = element('button', {
    class: `btn ${look.class ?? ''}`.trim(),
    text,
    ...(look.title === undefined ? {} : { title: look.title }),
    attributes: {
      type: 'button',
      ...(look.shortcut === undefined ? {} : { 'aria-keyshortcuts': look.shortcut }),
      ...(look.label === undefined ? {} : { 'aria-label': look.label }),
    },
  });
  if (look.key !== undefined)
    made.append(element('kbd', { text: look.key, attributes: { 'aria-hidden': 'true' } }));
  made.addEventListener('click', () => {
    if (made.getAttribute('aria-disabled') !== 'true') press();
  });
  return made;
}

/** Enables or disables a button. A disabled button can still have the focus. */
export function setDead(made: HTMLElement, dead: boolean): void {
  if (dead) made.setAttribute('aria-disabled', 'true');
  else made.removeAttribute('aria-disabled');
}
