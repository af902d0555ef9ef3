// Colours in code. They are requested when a code block comes near the visible part, so that
// they never delay a page. Until they arrive the text stays plain.

import { codeKinds, isColourable, type Runs } from '../code/kinds';
import type { FromView } from '../thread/messages';
import { span } from './dom';

/** Colours are requested for code this close to the visible part. */
const preloadMargin = '300px';

export class CodeColours {
  readonly #post: (message: FromView) => void;
  readonly #observer: IntersectionObserver;
  readonly #waiting = new Map<number, HTMLElement>();
  readonly #languages = new WeakMap<Element, string>();
  #last = 0;
  #theme = '';

  constructor(root: HTMLElement, post: (message: FromView) => void) {
    this.#post = post;
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (!isIntersecting || !(target instanceof HTMLElement)) continue;
          this.#observer.unobserve(target);
          this.#ask(target);
        }
      },
      { root, rootMargin: preloadMargin },
    );
    // VS Code sets the id of the current theme on the body.
    new MutationObserver(() => this.#askTheme()).observe(document.body, {
      attributes: true,
      attributeFilter: ['data-vscode-theme-id'],
    });
    this.#askTheme();
  }

  /** Colours code once it comes near the visible part. */
  watch(code: HTMLElement, language: string): void {
    this.#languages.set(code, language);
    this.#observer.observe(code);
  }

  receive(id: number, runs: Runs): void {
    const code = this.#waiting.get(id);
    this.#waiting.delete(id);
    // The user's selection would be lost.
    if (code !== undefined && document.getSelection()?.containsNode(code, true) !== true) colour(code, runs);
  }

  /** Sets the theme's colours. A kind without one uses the style sheet's colour. */
  paint(theme: string, colours: Readonly<Record<string, string>>): void {
    if (theme !== this.#theme) return;
    const { style } = document.documentElement;
    for (const kind of codeKinds) {
      const found = colours[kind];
      if (found === undefined) style.removeProperty(`--code-${kind}`);
      else style.setProperty(`--code-${kind}`, found);
    }
  }

  /** Forgets the code of this thread. */
  clear(): void {
    this.#observer.disconnect();
    this.#waiting.clear();
  }

  #ask(code: HTMLElement): void {
    const text = code.textContent;
    if (!isColourable(text)) return;
    const id = ++this.#last;
    this.#waiting.set(id, code);
    this.#post({ type: 'colour', id, language: this.#languages.get(code) ?? '', code: text });
  }

  #askTheme(): void {
    const theme = document.body.dataset['vscodeThemeId'] ?? '';
    if (theme === this.#theme || theme === '') return;
    this.#theme = theme;
    this.#post({ type: 'theme', theme });
  }
}

/** Wraps each piece in a span with the class of its kind. The text stays the same. */
function colour(code: HTMLElement, runs: Runs): void {
  const text = code.textContent;
  let at = 0;
  const pieces = runs.map(([length, kind]) => {
    const piece = text.slice(at, (at += length));
    const name = codeKinds[kind];
    return name === undefined || kind === 0 ? document.createTextNode(piece) : span(piece, `code-${name}`);
  });
  if (at === text.length) code.replaceChildren(...pieces);
}
