// What the pages of all views do alike: begin with the first words, hand links
// over, keep times fresh, remember their place.

import type { WordsMessage } from '../views/messages';
import { relativeTime } from '../when';

/** VS Code's side of a page. */
export interface VsCode<From, Saved> {
  postMessage(message: From): void;
  getState(): Saved | undefined;
  setState(state: Saved): void;
}

/** Given by VS Code to the page's script, once. */
declare function acquireVsCodeApi<From, Saved>(): VsCode<From, Saved>;

/** Makes a page once its words have come. */
type MakePage<Words, To, From, Saved> = (
  vscode: VsCode<From, Saved>,
  root: HTMLElement,
  words: Words,
  locale: string,
) => { receive(message: To): void };

/** Starts the page in the element of this id, and hands it all messages after the first words. */
export function startPage<Words, To extends { readonly type: string }, From, Saved>(
  id: string,
  ready: From,
  make: MakePage<Words, To, From, Saved>,
): void {
  const root = document.getElementById(id);
  if (root === null) return;
  const vscode = acquireVsCodeApi<From, Saved>();
  let page: ReturnType<typeof make> | undefined;
  window.addEventListener('message', ({ data }: MessageEvent<To | WordsMessage<Words>>) => {
    if (hasWords<Words>(data)) page ??= make(vscode, root, data.words, data.locale);
    else page?.receive(data);
  });
  vscode.postMessage(ready);
}

function hasWords<Words>(message: { readonly type: string }): message is WordsMessage<Words> {
  return message.type === 'words';
}

/** Links go through the extension, which asks VS Code, which asks the user. */
export function handOverLinks(open: (href: string) => void): void {
  document.addEventListener(
    'click',
    (event) => {
      const target = event.target instanceof Element ? event.target.closest('a') : null;
      if (target === null) return;
      event.preventDefault();
      event.stopPropagation();
      if (target.href !== '') open(target.href);
    },
    true,
  );
}

/** How often the times in a page are brought up to date. */
const refreshMillis = 30_000;

export function keepTimesFresh(locale: string): void {
  setInterval(() => {
    for (const time of document.querySelectorAll<HTMLElement>('time[data-time]')) {
      time.textContent = relativeTime(Number(time.dataset['time']), Date.now(), locale);
    }
  }, refreshMillis);
}

/** The place is remembered once scrolling has rested for this long. */
const restMillis = 150;

/** Returns a function that saves once it has not been called for a moment. */
export function saveAtRest(scroll: HTMLElement, save: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // A page that is being hidden has no height, and no place worth keeping.
      if (scroll.clientHeight > 0) save();
    }, restMillis);
  };
}
