// The page of a thread view: shows what the extension sends, says what the
// user does. It knows no protocol and makes no markup.

import { refKey, type MessageItem, type Ref, type ThreadItem, type Warning } from '../protocol';
import type { FromView, ThreadWords, ToView } from '../threadMessages';
import { relativeTime } from '../when';
import { button, drawing, element } from './dom';
import { messageElement, type MessageActions } from './message';
import { ReplyBox } from './reply';

interface SavedState {
  readonly ref: Ref | undefined;
  readonly text: string;
}

interface VsCode {
  postMessage(message: FromView): void;
  getState(): SavedState | undefined;
  setState(state: SavedState): void;
}

/** Given by VS Code to the page's script, once. */
declare function acquireVsCodeApi(): VsCode;

/** Nearer than this to the end, in pixels, counts as reading the newest message. */
const nearEnd = 80;

class Page {
  readonly #vscode: VsCode;
  readonly #words: ThreadWords;
  readonly #locale: string;
  readonly #heading = element('h1');
  readonly #facts = element('p', { class: 'facts' });
  readonly #banner = element('div', { class: 'banner', attributes: { role: 'status' } });
  readonly #scroll = element('div', { class: 'scroll' });
  readonly #older: HTMLButtonElement;
  readonly #list = element('ol', { class: 'messages' });
  readonly #jump: HTMLButtonElement;
  readonly #reply: ReplyBox;
  readonly #rows = new Map<string, { row: HTMLLIElement; content: string }>();
  #ref: Ref | undefined;
  #key = '';
  #firstUnread = '';

  constructor(vscode: VsCode, root: HTMLElement, words: ThreadWords, locale: string) {
    this.#vscode = vscode;
    this.#words = words;
    this.#locale = locale;
    this.#older = button(words.loadOlder, 'secondary older', () => {
      this.#older.disabled = true;
      this.#older.textContent = words.loading;
      this.#post({ type: 'older' });
    });
    this.#older.hidden = true;
    this.#jump = button('', 'jump', () => {
      this.#toEnd('smooth');
    });
    this.#jump.append(drawing('down'), element('span', { text: words.jumpToNewest }));
    this.#jump.hidden = true;
    this.#reply = new ReplyBox(words, {
      send: (body) => {
        this.#post({ type: 'send', body });
      },
      typing: (text) => {
        this.#save();
        this.#post({ type: 'typing', empty: text.trim() === '' });
      },
      answerThread: () => {
        this.#post({ type: 'answer', message: undefined });
      },
    });
    this.#list.setAttribute('aria-label', words.messages);
    this.#list.setAttribute('aria-live', 'polite');
    this.#banner.hidden = true;
    this.#scroll.append(this.#older, this.#list);
    const header = element('header', { class: 'top' }, this.#heading, this.#facts, this.#banner);
    const foot = element('footer', { class: 'foot' }, this.#jump, this.#reply.root);
    root.replaceChildren(header, this.#scroll, foot);
    this.#scroll.addEventListener('scroll', () => {
      if (this.#atEnd()) this.#jump.hidden = true;
    });
    document.addEventListener(
      'click',
      (event) => {
        this.#followLink(event);
      },
      true,
    );
    setInterval(() => {
      this.#refreshTimes();
    }, 30_000);
  }

  receive(message: ToView): void {
    switch (message.type) {
      case 'words':
        return;
      case 'thread':
        this.#show(message.thread, message.messages, message.warnings, message.older);
        return;
      case 'target':
        this.#reply.setTarget(message.target, message.focus);
        return;
      case 'reveal':
        this.#reveal(message.message);
        return;
      case 'sent':
        this.#reply.sent();
        this.#toEnd('auto');
        return;
      case 'sendFailed':
        this.#reply.failed(message.message);
        return;
      case 'failed':
        this.#fail(message.message);
        return;
    }
  }

  #show(
    thread: ThreadItem,
    messages: readonly MessageItem[],
    warnings: readonly Warning[],
    older: boolean,
  ): void {
    const key = refKey(thread.ref);
    const other = key !== this.#key;
    if (other) this.#begin(thread, key, messages);
    const wasAtEnd = this.#atEnd();
    const anchor = this.#list.querySelector<HTMLElement>('.row');
    const anchorTop = anchor?.getBoundingClientRect().top ?? 0;
    const last = this.#list.lastElementChild;
    this.#heading.textContent = thread.title;
    const count =
      thread.count === 1
        ? this.#words.oneMessage
        : this.#words.messageCount.replace('{0}', thread.count.toLocaleString(this.#locale));
    this.#facts.textContent = `${thread.participants.join(', ')} · ${count}`;
    this.#warn(warnings);
    this.#older.hidden = !older;
    this.#older.disabled = false;
    this.#older.textContent = this.#words.loadOlder;
    this.#place(messages);
    if (other || wasAtEnd) this.#toEnd('auto');
    else if (anchor?.isConnected === true) {
      this.#scroll.scrollTop += anchor.getBoundingClientRect().top - anchorTop;
      if (this.#list.lastElementChild !== last) this.#jump.hidden = false;
    }
  }

  #begin(thread: ThreadItem, key: string, messages: readonly MessageItem[]): void {
    this.#key = key;
    this.#ref = thread.ref;
    this.#rows.clear();
    this.#list.replaceChildren();
    const unread = messages.find((message) => message.unread);
    this.#firstUnread = unread === undefined ? '' : refKey(unread.ref);
    const saved = this.#vscode.getState();
    const kept = saved?.ref !== undefined && refKey(saved.ref) === key;
    this.#reply.text = kept ? saved.text : '';
    this.#save();
  }

  /** Puts the rows in order, building only those that are new or changed. */
  #place(messages: readonly MessageItem[]): void {
    const wanted: HTMLElement[] = [];
    const keys = new Set<string>();
    for (const message of messages) {
      const key = refKey(message.ref);
      keys.add(key);
      if (key === this.#firstUnread) {
        wanted.push(element('li', { class: 'divider' }, element('span', { text: this.#words.newMarker })));
      }
      wanted.push(this.#row(key, message));
    }
    for (const key of this.#rows.keys()) if (!keys.has(key)) this.#rows.delete(key);
    if (wanted.length === 0) wanted.push(element('li', { class: 'empty', text: this.#words.empty }));
    this.#list.replaceChildren(...wanted);
  }

  #row(key: string, message: MessageItem): HTMLLIElement {
    // Being read changes nothing that is shown.
    const content = JSON.stringify({ ...message, unread: false });
    const known = this.#rows.get(key);
    if (known?.content === content) return known.row;
    const row = messageElement(message, this.#words, this.#locale, this.#messageActions);
    this.#rows.set(key, { row, content });
    return row;
  }

  readonly #messageActions: MessageActions = {
    copy: (text) => {
      this.#post({ type: 'copy', text });
    },
    answer: (message) => {
      this.#post({ type: 'answer', message: message.ref });
    },
    openAsText: () => {
      this.#post({ type: 'asText' });
    },
  };

  #warn(warnings: readonly Warning[]): void {
    this.#banner.hidden = warnings.length === 0;
    this.#banner.replaceChildren(
      ...warnings.map((warning) =>
        element('p', { title: warning.rule }, drawing('warn'), element('span', { text: warning.message })),
      ),
    );
  }

  #fail(message: string): void {
    this.#banner.hidden = false;
    const retry = button(this.#words.retry, 'link', () => {
      this.#post({ type: 'retry' });
    });
    this.#banner.replaceChildren(
      element('p', { class: 'error' }, drawing('warn'), element('span', { text: message }), retry),
    );
    this.#older.disabled = false;
    this.#older.textContent = this.#words.loadOlder;
  }

  /** Brings a message into the middle and marks it until its mark has faded. */
  #reveal(message: Ref): void {
    this.#post({ type: 'revealed' });
    const article = this.#rows.get(refKey(message))?.row.querySelector<HTMLElement>('article');
    if (article === null || article === undefined) {
      this.#warn([{ rule: '', message: this.#words.notReached }]);
      return;
    }
    article.scrollIntoView({ block: 'center' });
    article.focus({ preventScroll: true });
    article.classList.add('found');
    article.addEventListener(
      'animationend',
      () => {
        article.classList.remove('found');
      },
      { once: true },
    );
  }

  /** Links go through the extension, which asks VS Code, which asks the user. */
  #followLink(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target.closest('a') : null;
    if (target === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (target.href !== '') this.#post({ type: 'open', href: target.href });
  }

  #refreshTimes(): void {
    for (const time of this.#list.querySelectorAll<HTMLElement>('time')) {
      time.textContent = relativeTime(Number(time.dataset['time']), Date.now(), this.#locale);
    }
  }

  #atEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#scroll;
    return scrollHeight - scrollTop - clientHeight < nearEnd;
  }

  #toEnd(behavior: ScrollBehavior): void {
    this.#scroll.scrollTo({ top: this.#scroll.scrollHeight, behavior });
    this.#jump.hidden = true;
  }

  #save(): void {
    this.#vscode.setState({ ref: this.#ref, text: this.#reply.text });
  }

  #post(message: FromView): void {
    this.#vscode.postMessage(message);
  }
}

function start(): void {
  const root = document.getElementById('thread');
  if (root === null) return;
  const vscode = acquireVsCodeApi();
  let page: Page | undefined;
  window.addEventListener('message', (event: MessageEvent<ToView>) => {
    const message = event.data;
    if (message.type === 'words' && page === undefined)
      page = new Page(vscode, root, message.words, message.locale);
    page?.receive(message);
  });
  vscode.postMessage({ type: 'ready' });
}

start();
