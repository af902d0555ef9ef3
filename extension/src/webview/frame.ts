// What the pages of all views do alike: begin with the first words, hand links
// over, keep times fresh, remember their place.

import type { CommonMessage, WordsMessage } from '../views/messages';
import { relativeTime } from '../when';

/** VS Code's side of a page. */
interface VsCode<From, Saved> extends Storage<Saved> {
  postMessage(message: From): void;
}

/** Keeps what a page leaves for the next one: VS Code throws a hidden page away. */
export interface Storage<Saved> {
  getState(): Saved | undefined;
  setState(state: Saved): void;
}

/** Given by VS Code to the page's script, once. */
declare function acquireVsCodeApi<From, Saved>(): VsCode<From, Saved>;

/** What the parts of a page share: its words, and a way to tell the extension something. */
export interface Page<Words, From> {
  readonly words: Words;
  readonly locale: string;
  readonly post: (message: From) => void;
}

/** A page with texts that can be copied. */
export type TextPage = Page<{ readonly copy: string; readonly copied: string }, CommonMessage>;

/** Makes a page once its words have come. */
type MakePage<Words, To, From, Saved> = (
  page: Page<Words, From>,
  root: HTMLElement,
  storage: Storage<Saved>,
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
  const post = (message: From): void => vscode.postMessage(message);
  let page: ReturnType<typeof make> | undefined;
  window.addEventListener('message', ({ data }: MessageEvent<To | WordsMessage<Words>>) => {
    if (hasWords<Words>(data)) page ??= make({ words: data.words, locale: data.locale, post }, root, vscode);
    else page?.receive(data);
  });
  post(ready);
}

function hasWords<Words>(message: { readonly type: string }): message is WordsMessage<Words> {
  return message.type === 'words';
}

/** Links go through the extension, which asks VS Code, which asks the user. */
export function handOverLinks({ post }: TextPage): void {
  document.addEventListener(
    'click',
    (event) => {
      const target = event.target instanceof Element ? event.target.closest('a') : null;
      if (target === null) return;
      event.preventDefault();
      event.stopPropagation();
      if (target.href !== '') post({ type: 'open', href: target.href });
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
