// Turns the server's sanitized HTML into elements. The server's sanitizer is
// the wall; this is the second one: only listed elements and attributes are
// copied, everything else becomes its own text. The policy of the page (no
// scripts, no images, no network) is the third.

import { httpsAddress } from '../views/messages';

const elements: ReadonlySet<string> = new Set(
  (
    'a b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i kbd li mark ol p pre q s samp small ' +
    'span strong sub sup table tbody td th thead tr tt u ul var'
  ).split(' '),
);

/** Elements whose text is no text to read. */
const dropped: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'title', 'head']);

const className = /^(language-|sb-|signalbox-)?[a-z][a-z0-9-]{0,40}$/;

/** The fragment to show for a piece of HTML. */
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
  const classes = [...from.classList].filter((name) => className.test(name));
  if (classes.length > 0) to.className = classes.join(' ');
  const title = from.getAttribute('title');
  if (title !== null) to.title = title;
  if (to instanceof HTMLAnchorElement) {
    const address = httpsAddress(from.getAttribute('href') ?? '');
    if (address === undefined) return;
    to.href = address;
    // Where a link leads can be read before it is followed.
    to.title = address;
    to.rel = 'noopener noreferrer';
  }
  if (to instanceof HTMLOListElement) {
    const start = Number.parseInt(from.getAttribute('start') ?? '', 10);
    if (Number.isSafeInteger(start)) to.start = start;
  }
}
