// Turns the server's sanitized HTML into elements. The server's sanitizer is the first line of
// defence. This file is the second: it copies the elements that the sanitizer writes, with the
// address of a link, the start of a list and the language of code, and replaces any other
// element by its text. The page's policy (no scripts, no network) is the third.

import { httpsAddress } from '../views/messages';
import { elements } from './elements';

/** Elements that are dropped with their text. */
const dropped: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'title', 'head']);

/** Returns the safe elements of a piece of HTML. */
export function safeFragment(html: string, owner: Document): DocumentFragment {
  // A parsed document that is never shown runs no script and loads nothing.
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const fragment = owner.createDocumentFragment();
  copyChildren(parsed.body, fragment, owner);
  return fragment;
}

function copyChildren(from: Node, to: Node, owner: Document): void {
  for (let child = from.firstChild; child !== null; child = child.nextSibling) {
    if (child instanceof Text) to.appendChild(owner.createTextNode(child.data));
    else if (child instanceof Element) copyElement(child, to, owner);
  }
}

function copyElement(from: Element, to: Node, owner: Document): void {
  const name = from.localName;
  if (dropped.has(name)) return;
  if (!elements.has(name)) {
    copyChildren(from, to, owner);
    return;
  }
  const copy = owner.createElement(name);
  if (from.hasAttributes()) copyAttributes(from, copy);
  copyChildren(from, copy, owner);
  to.appendChild(copy);
}

function copyAttributes(from: Element, to: HTMLElement): void {
  if (to instanceof HTMLAnchorElement) {
    const address = httpsAddress(from.getAttribute('href') ?? '');
    if (address === undefined) return;
    to.href = address;
    // The user can see where a link leads before following it.
    to.title = address;
    to.rel = 'noopener noreferrer';
  }
  if (to instanceof HTMLPreElement) {
    const language = from.getAttribute('data-lang') ?? '';
    if (/^[a-z0-9+#-]{1,32}$/.test(language)) to.dataset['lang'] = language;
  }
  if (to instanceof HTMLOListElement) {
    const start = Number.parseInt(from.getAttribute('start') ?? '', 10);
    if (Number.isSafeInteger(start)) to.start = start;
  }
}
