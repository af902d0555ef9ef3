// What the rows of the lists in the side bar have in common: line 1 says who, where and
// since when, line 2 what exactly. The style sheet cuts, never this.

import { join } from '../../fill';
import { element, span } from '../dom';

/** Something short at the end of line 2. */
export interface Tag {
  readonly text: string;
  /** Whether it is shown however narrow the view is. */
  readonly keep?: boolean;
}

/** Makes line 1's beginning: a name, and where that is. The tooltip has both where there is no room. */
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
  const said =
    typeof text !== 'string'
      ? text
      : code
        ? element('code', { text })
        : element('span', { text, attributes: { dir: 'auto' } });
  const shown = tags.map(({ text: tag, keep }) => span(tag, keep === true ? 'tag keep' : 'tag'));
  return element('span', { class: 'what' }, said, ...shown);
}

/** What a button of a row is drawn with. */
export interface ButtonLook {
  readonly class?: string;
  /** The key that presses it, as the user's keyboard has it, and as ARIA has it. */
  readonly key?: string;
  readonly shortcut?: string;
  readonly label?: string;
  readonly title?: string;
}

/** Makes a button with words, and the key that presses it. */
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

/** Says whether a button does something. It can have the focus all the same. */
export function setDead(made: HTMLElement, dead: boolean): void {
  if (dead) made.setAttribute('aria-disabled', 'true');
  else made.removeAttribute('aria-disabled');
}
