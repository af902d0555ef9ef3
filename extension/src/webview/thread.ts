// The page of a thread view: shows what the extension sends, says what the
// user does. It knows no protocol and makes no markup.

import { refKey, type MessageItem, type Ref, type ThreadItem } from '../protocol';
import type { FromView, ThreadWords, ToView } from '../threadMessages';
import type { MessageActions } from './actions';
import { arrange, button, drawing, element } from './dom';
import { handOverLinks, keepTimesFresh, saveAtRest, startPage, type VsCode } from './frame';
import { Images } from './images';
import { onUnreadKeys } from './keys';
import { messageElement } from './message';
import { firstInView, openDetails, reopen, type Place, type SavedState } from './place';
import { Pager } from './pager';
import { ReplyBox } from './reply';
import type { Standing } from './signed';
import { Top } from './top';

/** Nearer than this to the end, in pixels, counts as reading the newest message. */
const nearEnd = 80;

/** Nearer than this is the end itself: pixels are not whole everywhere. */
const veryEnd = 2;

class Page {
  readonly #vscode: VsCode<FromView, SavedState>;
  readonly #words: ThreadWords;
  readonly #locale: string;
  readonly #top: Top;
  readonly #scroll = element('div', { class: 'scroll' });
  readonly #saveSoon = saveAtRest(this.#scroll, () => {
    this.#save();
  });
  readonly #older: Pager;
  readonly #newer: Pager;
  readonly #list = element('ol', { class: 'messages' });
  readonly #jump: HTMLButtonElement;
  readonly #jumpTo = element('span');
  readonly #reply: ReplyBox;
  readonly #own: HTMLElement;
  readonly #images: Images;
  readonly #rows = new Map<string, { row: HTMLLIElement; content: string }>();
  #ref: Ref | undefined;
  #key = '';
  #firstUnread = '';
  /** A new reply that may stand anywhere in its tree. */
  #fresh: Ref | undefined;
  /** What comes next is the end of the thread, which was asked for. */
  #endWanted = false;

  constructor(vscode: VsCode<FromView, SavedState>, root: HTMLElement, words: ThreadWords, locale: string) {
    this.#vscode = vscode;
    this.#words = words;
    this.#locale = locale;
    this.#older = new Pager(words.loadOlder, words.loading, 'older', () => {
      this.#post({ type: 'older' });
    });
    this.#newer = new Pager(words.loadNewer, words.loading, 'newer', () => {
      this.#post({ type: 'newer' });
    });
    this.#jump = button('', 'jump', () => {
      this.#toNewest();
    });
    this.#jump.append(drawing('down'), this.#jumpTo);
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
      asDocument: (body) => {
        this.#post({ type: 'asDocument', body });
      },
    });
    this.#top = new Top(words, locale, {
      retry: () => {
        this.#post({ type: 'retry' });
      },
      openThread: (ref) => {
        this.#post({ type: 'thread', ref });
      },
    });
    this.#own = this.#ownLog();
    this.#images = new Images(
      this.#scroll,
      words.agent,
      (asset) => {
        this.#post({ type: 'image', asset });
      },
      (figure, change) => {
        this.#keepPlace(figure, change);
      },
    );
    this.#list.setAttribute('aria-label', words.messages);
    this.#list.setAttribute('aria-live', 'polite');
    this.#scroll.append(this.#older.root, this.#list, this.#newer.root);
    const foot = element('footer', { class: 'foot' }, this.#jump, this.#reply.root, this.#own);
    root.replaceChildren(this.#top.root, this.#scroll, foot);
    onUnreadKeys((back) => {
      this.#post({ type: 'unread', back });
    });
    this.#scroll.addEventListener('scroll', () => {
      if (this.#atEnd() && this.#fresh === undefined && !this.#newer.shown) this.#jump.hidden = true;
      this.#saveSoon();
    });
    // Does not bubble, so it is caught on its way down.
    this.#list.addEventListener(
      'toggle',
      () => {
        this.#saveSoon();
      },
      true,
    );
    handOverLinks((href) => {
      vscode.postMessage({ type: 'open', href });
    });
    keepTimesFresh(locale);
  }

  receive(message: ToView): void {
    switch (message.type) {
      case 'words':
        return;
      case 'thread':
        this.#show(message);
        return;
      case 'target':
        this.#reply.setTarget(message.target, message.focus);
        return;
      case 'reveal':
        this.#reveal(message.message);
        return;
      case 'focusFoot':
        this.#own.querySelector('button')?.focus();
        return;
      case 'image':
        this.#images.receive(message.asset, message.image);
        return;
      case 'sent':
        this.#reply.sent();
        this.#endWanted = this.#newer.shown;
        this.#toEnd('auto');
        return;
      case 'handedOver':
        this.#reply.sent();
        return;
      case 'sendFailed':
        this.#reply.failed(message.message);
        return;
      case 'failed':
        if (message.title !== undefined) this.#clear(message.title);
        this.#top.fail(message.message);
        this.#older.rest();
        this.#newer.rest();
        return;
    }
  }

  #show({ thread, messages, related, warnings, older, newer }: Extract<ToView, { type: 'thread' }>): void {
    const key = refKey(thread.ref);
    const other = key !== this.#key;
    const saved = other ? this.#begin(thread, key, messages) : undefined;
    // Below what is held there is more: its end is not the thread's.
    const wasAtEnd = this.#atEnd() && !this.#newer.shown;
    const place = this.#inView();
    const last = this.#list.lastElementChild;
    this.#top.show(thread, related, warnings);
    this.#reply.root.hidden = thread.agent !== undefined;
    this.#reply.signed = thread.amp !== undefined;
    this.#own.hidden = thread.agent === undefined;
    this.#older.offer(older);
    this.#newer.offer(newer);
    const known = new Set(this.#rows.keys());
    this.#place(thread.title, messages, saved?.open ?? {});
    if (saved?.place !== undefined && this.#goBack(saved.place)) {
      const newest = messages.at(-1);
      this.#jumpTo.textContent = newer ? this.#words.jumpToEnd : this.#words.jumpToNewest;
      this.#jump.hidden = !newer && (newest === undefined || refKey(newest.ref) === saved.place.newest);
      return;
    }
    if (newer || this.#endWanted) {
      this.#showPart(place, newer);
      return;
    }
    const grew = this.#list.lastElementChild !== last;
    const isNew = ({ ref, unread }: MessageItem): boolean => unread && !known.has(refKey(ref));
    const fresh = thread.amp === undefined ? undefined : messages.find(isNew)?.ref;
    const atEnd = fresh === undefined || refKey(fresh) === [...this.#rows.keys()].at(-1);
    if (other && !atEnd) this.#rowOf(fresh)?.scrollIntoView({ block: 'center' });
    else if (other || (grew && wasAtEnd && atEnd)) this.#toEnd('auto');
    else if (place !== undefined) {
      this.#goBack(place);
      if (!atEnd) this.#fresh = fresh;
      if (!grew && atEnd) return;
      const { jumpToNew, jumpToNewest } = this.#words;
      this.#jumpTo.textContent = this.#fresh === undefined ? jumpToNewest : jumpToNew;
      this.#jump.hidden = false;
    }
  }

  /** Goes to the end that was asked for, or leaves the reader who is far from it where they are. */
  #showPart(place: Omit<Place, 'newest'> | undefined, newer: boolean): void {
    this.#fresh = undefined;
    if (this.#endWanted || place === undefined || !this.#goBack(place)) this.#toEnd('auto');
    this.#endWanted = false;
    this.#jumpTo.textContent = this.#words.jumpToEnd;
    this.#jump.hidden = !newer;
  }

  /** To what is new, or to the end of the thread, which may have to be fetched. */
  #toNewest(): void {
    if (this.#newer.shown) {
      this.#endWanted = true;
      this.#post({ type: 'newest' });
      return;
    }
    if (this.#fresh === undefined) this.#toEnd('smooth');
    else this.#find(this.#fresh);
    this.#fresh = undefined;
    this.#jump.hidden = true;
  }

  /** Gives what an earlier page left of the same thread. */
  #begin(thread: ThreadItem, key: string, messages: readonly MessageItem[]): SavedState | undefined {
    this.#key = key;
    this.#ref = thread.ref;
    this.#fresh = undefined;
    this.#endWanted = false;
    this.#rows.clear();
    this.#images.clear();
    this.#list.replaceChildren();
    const unread = messages.find((message) => message.unread);
    this.#firstUnread = unread === undefined ? '' : refKey(unread.ref);
    const saved = this.#vscode.getState();
    const kept = saved?.ref !== undefined && refKey(saved.ref) === key ? saved : undefined;
    this.#reply.text = kept?.text ?? '';
    if (kept === undefined) this.#save();
    return kept;
  }

  /** Shows nothing of a thread but its title. */
  #clear(title: string): void {
    this.#key = '';
    this.#rows.clear();
    this.#images.clear();
    this.#list.replaceChildren();
    this.#top.name(title);
    this.#older.offer(false);
    this.#newer.offer(false);
    for (const part of [this.#jump, this.#reply.root, this.#own]) part.hidden = true;
  }

  /** Puts the rows in order, building only those that are new or changed. */
  #place(title: string, messages: readonly MessageItem[], open: NonNullable<SavedState['open']>): void {
    const names = new Map(messages.map(({ ref, from }) => [refKey(ref), from]));
    const wanted: HTMLElement[] = [];
    const keys = new Set<string>();
    for (const message of messages) {
      const key = refKey(message.ref);
      keys.add(key);
      if (key === this.#firstUnread) {
        wanted.push(element('li', { class: 'divider' }, element('span', { text: this.#words.newMarker })));
      }
      const parent = message.amp?.parent === undefined ? undefined : names.get(refKey(message.amp.parent));
      wanted.push(this.#row(key, message, { title, parent }, open[key] ?? []));
    }
    for (const key of this.#rows.keys()) if (!keys.has(key)) this.#rows.delete(key);
    if (wanted.length === 0) wanted.push(element('li', { class: 'empty', text: this.#words.empty }));
    arrange(this.#list, wanted);
  }

  #row(key: string, message: MessageItem, standing: Standing, open: readonly number[]): HTMLLIElement {
    // Being read changes nothing that is shown.
    const content = JSON.stringify([{ ...message, unread: false }, standing]);
    const known = this.#rows.get(key);
    // Taken out and put back: the rows are kept in the order they are shown in.
    this.#rows.delete(key);
    if (known?.content === content) {
      this.#rows.set(key, known);
      return known.row;
    }
    const row = messageElement(
      message,
      standing,
      this.#words,
      this.#locale,
      this.#messageActions,
      this.#images,
    );
    reopen(row, known === undefined ? open : openDetails(known.row));
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
    openDiff: (message, tool) => {
      this.#post({ type: 'diff', message: message.ref, tool });
    },
    file: (message, file, save) => {
      this.#post({ type: 'file', message: message.ref, file, save });
    },
    reveal: (message) => {
      this.#find(message);
    },
  };

  /** Stands where the reply box is in mail. */
  #ownLog(): HTMLElement {
    const { agent: words } = this.#words;
    const write = button(words.writeMail, 'secondary', () => {
      this.#post({ type: 'mail' });
    });
    const own = element(
      'div',
      { class: 'own' },
      drawing('note'),
      element('span', { class: 'quiet', text: words.ownLog }),
      write,
    );
    own.hidden = true;
    return own;
  }

  /** Brings a message into the middle and marks it until its mark has faded. */
  #reveal(message: Ref): void {
    this.#post({ type: 'revealed' });
    this.#find(message);
  }

  #rowOf(message: Ref): HTMLElement | undefined {
    return this.#rows.get(refKey(message))?.row;
  }

  #find(message: Ref): void {
    const article = this.#rowOf(message)?.querySelector<HTMLElement>('article');
    if (article === null || article === undefined) {
      this.#top.say(this.#words.notReached);
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

  #atEnd(near = nearEnd): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#scroll;
    return scrollHeight - scrollTop - clientHeight < near;
  }

  #toEnd(behavior: ScrollBehavior): void {
    this.#scroll.scrollTo({ top: this.#scroll.scrollHeight, behavior });
    this.#jump.hidden = true;
  }

  /** Lets an element change its height: what is read stays where it is, and the very end the end. */
  #keepPlace(changing: HTMLElement, change: () => void): void {
    const wasAtEnd = this.#atEnd(veryEnd);
    const above = changing.getBoundingClientRect().bottom <= this.#scroll.getBoundingClientRect().top;
    const height = this.#scroll.scrollHeight;
    change();
    if (wasAtEnd) this.#toEnd('auto');
    else if (above) this.#scroll.scrollTop += this.#scroll.scrollHeight - height;
  }

  #inView(): Omit<Place, 'newest'> | undefined {
    const rows = [...this.#rows].map(([key, { row }]) => [key, row] as const);
    return firstInView(rows, this.#scroll.getBoundingClientRect().top);
  }

  /** Goes back to where a row was, if it is there. */
  #goBack(place: Omit<Place, 'newest'>): boolean {
    const row = this.#rows.get(place.row)?.row;
    if (row === undefined) return false;
    this.#scroll.scrollTop +=
      row.getBoundingClientRect().top - this.#scroll.getBoundingClientRect().top - place.offset;
    return true;
  }

  #save(): void {
    const open = [...this.#rows].map(([key, { row }]) => [key, openDetails(row)] as const);
    const inView = this.#atEnd(veryEnd) ? undefined : this.#inView();
    const newest = [...this.#rows.keys()].at(-1) ?? '';
    this.#vscode.setState({
      ref: this.#ref,
      text: this.#reply.text,
      place: inView === undefined ? undefined : { ...inView, newest },
      open: Object.fromEntries(open.filter(([, numbers]) => numbers.length > 0)),
    });
  }

  #post(message: FromView): void {
    this.#vscode.postMessage(message);
  }
}

startPage<ToView, FromView, SavedState>(
  'thread',
  { type: 'ready' },
  (vscode, root, words, locale) => new Page(vscode, root, words, locale),
);
