// What is typed in a page after a key that leads to a text field elsewhere, before that has the
// focus: it is text, and a letter would be a key of the page here.

import type { CommonMessage } from '../views/messages';
import { isTypedIn } from './keys';

/** Calls back with what is typed until the page has lost the focus. Enter is a line break. */
export function onTypedAhead(typed: (text: string) => void): void {
  const hear = (event: KeyboardEvent): void => {
    if (isTypedIn(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const text = event.key === 'Enter' ? '\n' : event.key;
    if (text.length !== 1) return;
    event.preventDefault();
    event.stopPropagation();
    typed(text);
  };
  window.addEventListener('keydown', hear, true);
  window.addEventListener('blur', () => window.removeEventListener('keydown', hear, true), { once: true });
}

/** Opens the search, with what is typed until it has the focus. */
export function search(post: (message: CommonMessage) => void): void {
  post({ type: 'search', text: '' });
  onTypedAhead((text) => post({ type: 'search', text }));
}
