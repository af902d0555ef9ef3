// The parts that all pages share: start once the words have arrived, pass links to the
// extension, update the times, and save the scroll position.

import type { CommonMessage, TypedMessage, WordsMessage } from '../views/messages';
import { age } from '../when';
import { agoWords } from './times';

/** VS Code's side of a page. */
interface VsCode<From, Saved> extends Storage<Saved> {
  postMessage(message: From): void;
}

/** Saves a page's state. VS Code drops a hidden page and makes a new one later. */
export interface Storage<Saved> {
  getState(): Saved | undefined;
  setState(state: Saved): void;
}

/** Returns VS Code's side of the page. A page's script can call it once. */
declare function acquireVsCodeApi<From, Saved>(): VsCode<From, Saved>;

/** The values that the parts of a page share: its words, and the way to send messages to the extension. */
export interface Page<Words, From> {
  readonly words: Words;
  readonly locale: string;
  readonly post: (message: From) => void;
}

/** The words around the text of a message. */
interface TextWords {
  readonly copy: string;
  readonly copied: string;
  readonly wrap: string;
  readonly taskDone: string;
  readonly taskOpen: string;
}

/** A page with the text of messages. */
export type TextPage = Page<TextWords, CommonMessage>;

/** Makes a page once its words have arrived. */
type MakePage<Words, To, From, Saved> = (
  page: Page<Words, From>,
  root: HTMLElement,
  storage: Storage<Saved>,
) => { receive(message: To | TypedMessage): void };

/** Starts the page in the element with this id, and passes it all messages after the first words. */
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
  window.addEventListener('message', ({ data }: MessageEvent<To | TypedMessage | WordsMessage<Words>>) => {
    if (!hasWords<Words>(data)) page?.receive(data);
    else if (page === undefined) {
      const { words, locale } = data;
      page = make({ words, locale, post }, root, vscode);
      refreshTimes(locale);
    }
  });
  post(ready);
}

function hasWords<Words>(message: { readonly type: string }): message is WordsMessage<Words> {
  return message.type === 'words';
}

/**
 * Reports to the extension whether the text field receives keys, and if not, reports again once
 * it does. Mostly it does at once: a field that takes the focus takes it from the rest of the
 * window. A request to VS Code for the focus would take it away again.
 */
export function tellAwaitsText(post: (message: CommonMessage) => void): void {
  const focused = document.hasFocus();
  if (!focused)
    window.addEventListener('focus', () => post({ type: 'awaitsText', focused: true }), { once: true });
  post({ type: 'awaitsText', focused });
}

/** Passes clicked links to the extension. VS Code then asks the user. */
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

/** How often the times in a page are updated. */
const refreshMillis = 30_000;

function refreshTimes(locale: string): void {
  setInterval(() => {
    for (const time of document.querySelectorAll<HTMLElement>('time[data-time]')) {
      time.textContent = agoWords(Number(time.dataset['time']), locale);
    }
    for (const time of document.querySelectorAll<HTMLElement>('time[data-since]')) {
      time.textContent = age(Number(time.dataset['since']), Date.now(), locale);
    }
  }, refreshMillis);
}

/** How long scrolling must pause before the position is saved. */
const restMillis = 150;

/** Returns a function that saves once it has not been called for a moment. */
export function saveAtRest(scroll: HTMLElement, save: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // A page that is being hidden has no height, and so no position.
      if (scroll.clientHeight > 0) save();
    }, restMillis);
  };
}
