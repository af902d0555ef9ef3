// Text that is typed in a page after a key moved to a text field elsewhere, before that field
// has the focus. Without this, its letters would be keys of the page.

import type { CommonMessage } from '../views/messages';
import { isTypedIn } from './keys';

/** Calls `typed` with each typed character until the page loses the focus. Enter is a line break. */
export function onTypedAhead(typed: (text: string) => void): void {
  const onKey = (event: KeyboardEvent): void => {
    if (isTypedIn(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const text = event.key === 'Enter' ? '\n' : event.key;
    if (text.length !== 1) return;
    event.preventDefault();
    event.stopPropagation();
    typed(text);
  };
  window.addEventListener('keydown', onKey, true);
  window.addEventListener('blur', () => window.removeEventListener('keydown', onKey, true), { once: true });
}

/** Opens the search, and passes on text that is typed before it has the focus. */
export function search(post: (message: CommonMessage) => void): void {
  post({ type: 'search', text: '' });
  onTypedAhead((text) => post({ type: 'search', text }));
}
