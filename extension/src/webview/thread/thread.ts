// The page of a thread. It shows what the extension sends and reports what the
// user does.

import { fill } from '../../fill';
import { refKey } from '../../refs';
import { type MessageItem, type Ref, type ThreadItem, type Trust } from '../../protocol';
import type { FromView, ToView } from '../../thread/messages';
import type { TypedMessage } from '../../views/messages';
import { beginningOf, runsOf } from '../../thread/flow';
import { unreadIn } from '../../thread/model';
import type { Trace } from '../../thread/foot/trace';
import type { ThreadWords } from '../../thread/words';
import { AskedPlace, questionOf } from './asked';
import { element } from '../dom';
import { CodeColours } from '../codeColours';
import { handOverLinks, saveAtRest, startPage, type Page, type Storage } from '../frame';
import { Images } from '../message/images';
import { onKeys } from '../keys';
import { showKeys } from '../keysDialog';
import { messageElement, runElement } from '../message/message';
import { Outline } from '../message/outline';
import type { Meaning } from '../../keys';
import { hasBox } from '../../agent/reach';
import { Jump, type ViewBefore } from './jump';
import { OwnLog } from './ownLog';
import type { SavedState } from './place';
import { Pager } from '../pager';
import { ReplyBox } from './reply';
import { Rows, veryEnd, type Wanted } from './rows';
import type { ThreadPage } from '../message/threadPage';
import { Top } from './top';
import { StartBar } from './startBar';
import { TraceLines } from './trace';
import { search } from '../typedAhead';

/** Older messages are loaded when the reader is this near to the top, in pixels. */
const loadsOlder = 300;

class Thread {
  readonly #page: ThreadPage;
  readonly #storage: Storage<SavedState>;
  readonly #top: Top;
  readonly #scroll = element('div', { class: 'scroll' });
  readonly #saveSoon = saveAtRest(this.#scroll, () => this.#save());
  readonly #older: Pager;
  readonly #newer: Pager;
  readonly #jump: Jump;
  readonly #asked: AskedPlace;
  readonly #traces: TraceLines;
  readonly #start: StartBar;
  readonly #reply: ReplyBox;
  readonly #own: OwnLog;
  readonly #rows: Rows;
  #ref: Ref | undefined;
  #thread: ThreadItem | undefined;
  #messages: readonly MessageItem[] = [];
  #me = '';
  /** The question that is being answered with an option. */
  #choosing = '';
  /** The text that was sent and is held back. */
  #held = '';
  #key = '';
  #firstUnread = '';
  /** The keys of rows by the keys of the messages in them. */
  readonly #rowOf = new Map<string, string>();
  /** The unread messages that have not been visible yet, by their keys. */
  #unreached = new Map<string, Ref>();

  constructor(page: Page<ThreadWords, FromView>, root: HTMLElement, storage: Storage<SavedState>) {
    const { words, post } = page;
    this.#storage = storage;
    this.#rows = new Rows(this.#scroll, words, () => {
      this.#hideJump();
      this.#reportReached();
    });
    const ask = (asset: string): void => post({ type: 'image', asset });
    const keepPlace = (figure: HTMLElement, change: () => void): void => this.#rows.keepPlace(figure, change);
    const images = new Images(this.#scroll, words.agent, ask, keepPlace);
    const colours = new CodeColours(this.#scroll, post);
    this.#page = { ...page, images, colours, me: () => this.#me, reveal: (message) => this.#find(message) };
    this.#older = new Pager(words.loadOlder, words.loading, 'older', () => post({ type: 'older' }));
    this.#newer = new Pager(words.loadNewer, words.loading, 'newer', () => post({ type: 'newer' }));
    this.#jump = new Jump(words, page.locale, () => this.#toNewest());
    this.#asked = new AskedPlace(this.#page, () => this.#save());
    this.#traces = new TraceLines(page);
    this.#start = new StartBar(page);
    this.#reply = new ReplyBox(page, () => this.#save());
    this.#top = new Top(page);
    this.#own = new OwnLog(page);
    this.#rows.list.setAttribute('aria-label', words.messages);
    this.#rows.list.setAttribute('aria-live', 'polite');
    this.#scroll.append(this.#older.root, this.#rows.list, this.#newer.root);
    const foot = element(
      'footer',
      { class: 'foot' },
      this.#jump.root,
      this.#start.root,
      this.#asked.root,
      this.#traces.root,
      this.#reply.root,
      this.#own.root,
    );
    const outline = new Outline(this.#scroll, this.#rows.list, words);
    root.replaceChildren(this.#top.root, outline.root, this.#scroll, foot);
    onKeys('thread', (meaning, typing) => this.#press(meaning, typing));
    this.#scroll.addEventListener('scroll', () => {
      this.#hideJump();
      this.#reportReached();
      // While rows are built the reader's place is not where it will be.
      if (this.#scroll.scrollTop < loadsOlder && this.#rows.whole) this.#older.load();
      this.#saveSoon();
    });
    // The event does not bubble, so it is handled in the capture phase.
    this.#rows.list.addEventListener('toggle', () => this.#saveSoon(), true);
    handOverLinks(page);
  }

  receive(message: ToView | TypedMessage): void {
    switch (message.type) {
      case 'typed':
        this.#reply.insert(message.text);
        return;
      case 'thread':
        this.#show(message);
        return;
      case 'target':
        this.#reply.setTarget(message.target, message.focus);
        this.#asked.terminal = (message.target.facts?.terminal ?? '') !== '';
        return;
      case 'trace':
        this.#trace(message.trace);
        return;
      case 'back':
        this.#reply.restore(message.text);
        return;
      case 'next':
        this.#traces.next(message.next);
        return;
      case 'start':
        this.#start.show(message.start);
        return;
      case 'named':
        this.#top.name(message.title, message.facts);
        this.#showBox();
        return;
      case 'asked':
        this.#showAsked(message);
        return;
      case 'card':
        this.#asked.act(message.act);
        return;
      case 'press':
        this.#asked.key('option', message.option);
        return;
      case 'decideFailed':
        if (this.#reply.deciding) this.#reply.failed(message.failure);
        this.#asked.failed(message.failure);
        return;
      case 'reveal':
        this.#reveal(message.message, message.focus);
        return;
      case 'focusFoot':
        this.#own.focus();
        return;
      case 'image':
        this.#page.images.receive(message.asset, message.image);
        return;
      case 'coloured':
        this.#page.colours.receive(message.id, message.runs);
        return;
      case 'painted':
        this.#page.colours.paint(message.theme, message.colours);
        return;
      case 'sent':
        this.#reply.sent();
        this.#jump.endWanted = this.#newer.shown;
        this.#toEnd('auto');
        return;
      case 'handedOver':
        this.#reply.sent();
        return;
      case 'sendFailed':
        this.#reply.failed(message.failure);
        return;
      case 'failed':
        if (message.title !== undefined) this.#clear(message.title);
        this.#top.fail(message.failure);
        this.#older.rest();
        this.#newer.rest();
        return;
    }
  }

  #show({
    me,
    thread,
    messages,
    related,
    warnings,
    older,
    newer,
  }: Extract<ToView, { type: 'thread' }>): void {
    this.#me = me;
    const key = refKey(thread.ref);
    const other = key !== this.#key;
    const saved = other ? this.#begin(thread, key, messages) : undefined;
    const before: ViewBefore = {
      other,
      place: saved?.place ?? this.#rows.inView(),
      // If there are newer messages to fetch, the end of the page is not the end of the thread.
      atEnd: this.#rows.atEnd() && !this.#newer.shown,
      last: this.#rows.last,
      keys: this.#rows.keys,
    };
    this.#top.show(thread, related, warnings);
    this.#thread = thread;
    this.#messages = messages;
    this.#askQuestion(thread, messages);
    this.#showBox();
    this.#reply.signed = thread.amp !== undefined;
    this.#older.offer(older);
    this.#newer.offer(newer);
    const wanted = this.#wanted(thread.title, messages);
    const unread = messages.filter((message) => message.unread);
    this.#unreached = new Map(unread.map(({ ref }) => [refKey(ref), ref]));
    // Tool calls may have been folded into the row of an earlier message.
    const row = this.#rowOf.get(before.place?.row ?? '');
    const place = before.place === undefined || row === undefined ? undefined : { ...before.place, row };
    const goal =
      saved?.place !== undefined && place !== undefined
        ? this.#jump.backTo(saved.place, wanted, newer)
        : other && this.#firstUnread !== '' && unreadIn(messages) >= thread.unread
          ? this.#jump.toUnread(this.#firstUnread, thread.unread, this.#scroll.clientHeight)
          : newer || this.#jump.endWanted
            ? this.#jump.toPart(place, newer)
            : this.#jump.toNews(thread, messages, wanted, { ...before, place });
    this.#rows.show(wanted, goal, saved?.open);
  }

  /** Shows the session's request, or its outcome. The typed text stays. */
  #showAsked(asked: Extract<ToView, { type: 'asked' }>): void {
    this.#changeAsked(() => {
      const answered = asked.here && this.#reply.deciding;
      const typed = this.#asked.show(asked);
      return () => {
        if (answered) this.#reply.sent();
        this.#reply.append(typed);
      };
    });
  }

  /** Shows the newest question of the thread, unless it is being answered. */
  #askQuestion({ question }: ThreadItem, messages: readonly MessageItem[]): void {
    const asks = messages.findLast(({ options = [] }) => options.length > 0);
    const key = asks === undefined ? '' : refKey(asks.ref);
    const { ask } = this.#page.words.request;
    this.#changeAsked(() => {
      const { ref, from, time, options = [] } = asks ?? {};
      const known = question !== undefined && refKey(question.message) === key ? question.text : '';
      const text = known === '' ? fill(ask, from ?? '') : known;
      const open = ref !== undefined && time !== undefined && key !== this.#choosing;
      this.#asked.ask(
        open
          ? { request: questionOf(key, { text, options, time }), name: from ?? '', message: ref }
          : undefined,
      );
      return () => undefined;
    });
  }

  /** Changes the request above the box, and updates the box to match. The reader's place stays. */
  #changeAsked(change: () => () => void): void {
    const before = this.#asked.asking;
    const atEnd = this.#rows.last !== undefined && this.#rows.atEnd();
    const after = change();
    const { asking } = this.#asked;
    if (asking !== before) {
      after();
      this.#reply.setRequest(asking?.request, asking?.name ?? '', asking?.message !== undefined);
      this.#showBox();
    }
    if (atEnd) this.#rows.toEnd('auto');
  }

  /** Shows the outcome of the message sent last. A question whose answer is held back is hidden. */
  #trace(trace: Trace | undefined): void {
    const atEnd = this.#rows.last !== undefined && this.#rows.atEnd();
    this.#traces.trace(trace);
    const choosing = trace?.kind === 'held' && trace.message !== undefined ? refKey(trace.message) : '';
    if (choosing !== '' || trace === undefined) this.#choosing = choosing;
    this.#held = trace?.kind === 'held' && trace.message === undefined ? trace.text : '';
    if (this.#thread !== undefined) this.#askQuestion(this.#thread, this.#messages);
    if (atEnd) this.#rows.toEnd('auto');
    this.#save();
  }

  /** Shows the box if it reaches the agent or a request waits, and otherwise the note in its place. */
  #showBox(): void {
    const asked = this.#asked.asking !== undefined && this.#asked.asking.message === undefined;
    if (this.#thread === undefined) {
      // A typed text stays visible.
      this.#reply.root.hidden = !asked && this.#reply.text === '';
      return;
    }
    this.#reply.root.hidden = this.#thread.agent !== undefined && !hasBox(this.#thread) && !asked;
    this.#own.show(this.#thread);
    if (asked) this.#own.root.hidden = true;
  }

  /** Hides the button that jumps to the end once the reader is there. */
  #hideJump(): void {
    if (!this.#rows.whole || this.#jump.fresh !== undefined || this.#newer.shown) return;
    if (this.#rows.atEnd()) this.#jump.hide();
  }

  /** Reports the unread messages that have come into view. */
  #reportReached(): void {
    // While rows are built the reader's place is not where it will be.
    if (!this.#rows.whole) return;
    const reached = [...this.#unreached].filter(([key]) => this.#rows.inSight(this.#rowOf.get(key) ?? key));
    if (reached.length === 0) return;
    for (const [key] of reached) this.#unreached.delete(key);
    this.#page.post({ type: 'reached', messages: reached.map(([, ref]) => ref) });
  }

  /** Scrolls to the new reply, or to the end of the thread, fetching it if needed. */
  #toNewest(): void {
    if (this.#newer.shown) {
      this.#jump.endWanted = true;
      this.#page.post({ type: 'newest' });
      return;
    }
    // A smooth scroll would mark the unread messages on the way as read.
    if (this.#jump.fresh === undefined) this.#toEnd(this.#unreached.size === 0 ? 'smooth' : 'auto');
    else this.#find(this.#jump.fresh);
    this.#jump.done();
  }

  /** Starts with another thread. Returns the state that an earlier page saved for it. */
  #begin(thread: ThreadItem, key: string, messages: readonly MessageItem[]): SavedState | undefined {
    this.#key = key;
    this.#ref = thread.ref;
    this.#jump.reset();
    this.#rows.clear();
    this.#page.images.clear();
    this.#page.colours.clear();
    const unread = messages.find((message) => message.unread);
    this.#firstUnread = unread === undefined ? '' : refKey(unread.ref);
    const saved = this.#storage.getState();
    const kept = saved?.ref !== undefined && refKey(saved.ref) === key ? saved : undefined;
    this.#asked.clear();
    this.#traces.clear();
    this.#start.show(undefined);
    this.#choosing = '';
    this.#held = '';
    this.#reply.setRequest(undefined, '');
    this.#asked.saved = kept?.asked;
    this.#reply.text = kept?.text ?? '';
    const { held = '' } = kept ?? {};
    if (held !== '') this.#page.post({ type: 'wasHeld', text: held });
    // Setting the text has overwritten the saved state with a page without rows.
    if (kept === undefined) this.#save();
    else this.#storage.setState(kept);
    return kept;
  }

  /** Shows only a thread's title. */
  #clear(title: string): void {
    this.#key = '';
    this.#rows.clear();
    this.#page.images.clear();
    this.#page.colours.clear();
    this.#top.name(title);
    this.#older.offer(false);
    this.#newer.offer(false);
    this.#thread = undefined;
    this.#messages = [];
    this.#asked.clear();
    this.#traces.clear();
    this.#start.show(undefined);
    for (const part of [this.#jump.root, this.#reply.root, this.#own.root]) part.hidden = true;
  }

  #wanted(title: string, messages: readonly MessageItem[]): readonly Wanted[] {
    const names = new Map(messages.map(({ ref, from }) => [refKey(ref), from]));
    const trust = commonTrust(messages);
    this.#top.trust(trust);
    this.#rowOf.clear();
    let before: MessageItem | undefined;
    return runsOf(messages).flatMap(([message, ...others]) => {
      if (message === undefined) return [];
      const key = refKey(message.ref);
      for (const { ref } of [message, ...others]) this.#rowOf.set(refKey(ref), key);
      const parent = message.amp?.parent === undefined ? undefined : names.get(refKey(message.amp.parent));
      const context = { title, parent, trust: trust?.label ?? '', beginning: beginningOf(message, before) };
      before = others.at(-1) ?? message;
      const seen = [message, ...others].map((one) => ({ ...one, unread: false }));
      return [
        {
          key,
          // A read mark changes nothing in the row.
          content: JSON.stringify([seen, context]),
          divided: this.#rowOf.get(this.#firstUnread) === key,
          build: () =>
            others.length === 0
              ? messageElement(message, context, this.#page)
              : runElement([message, ...others], context, this.#page),
        },
      ];
    });
  }

  /** Runs a key's action. Returns whether the page has one for it. */
  #press({ act, index }: Meaning, typing: boolean): boolean {
    // In a text field, Alt and a digit is a key of the editor, which sends `press`.
    if (act === 'option' && typing) return false;
    if (act === 'yes' || act === 'no' || act === 'option') return this.#asked.key(act, index);
    if (act === 'send' || act === 'actions') return false;
    if (act === 'sendNext') {
      if (typing) this.#reply.sendAndNext();
      return typing;
    }
    if (act === 'reply') return this.#reply.focus();
    if (act === 'leave') this.#leave(typing);
    else if (act === 'newest') this.#toNewest();
    else if (act === 'next' && this.#traces.offersNext) this.#page.post({ type: 'next' });
    else if (act === 'search') search(this.#page.post);
    else if (act === 'keys') showKeys(this.#page.words.keys);
    else this.#page.post({ type: 'key', act });
    return true;
  }

  /** Moves the focus from the box to the messages, and from there to the editor. */
  #leave(typing: boolean): void {
    const foot = this.#reply.root.parentElement;
    if (typing || foot?.contains(document.activeElement) === true) this.#rows.focus();
    else this.#page.post({ type: 'key', act: 'leave' });
  }

  #reveal(message: Ref, focus: boolean): void {
    this.#page.post({ type: 'revealed' });
    this.#find(message, focus);
  }

  #find(message: Ref, focus = true): void {
    const key = refKey(message);
    if (!this.#rows.find(this.#rowOf.get(key) ?? key, focus)) this.#top.say(this.#page.words.notReached);
  }

  #toEnd(behavior: ScrollBehavior): void {
    this.#rows.toEnd(behavior);
    this.#jump.hide();
  }

  #save(): void {
    const inView = this.#rows.atEnd(veryEnd) ? undefined : this.#rows.inView();
    const newest = this.#rows.last?.key ?? '';
    this.#storage.setState({
      ref: this.#ref,
      text: this.#reply.text,
      held: this.#held,
      asked: this.#asked.saved,
      place: inView === undefined ? undefined : { ...inView, newest },
      open: this.#rows.open,
    });
  }
}

/** Returns the most common trust, which the page's head shows; undefined for signed mail. */
function commonTrust(messages: readonly MessageItem[]): Trust | undefined {
  const counts = new Map<string, { trust: Trust; count: number }>();
  for (const { trust, amp } of messages) {
    if (amp !== undefined || trust.level === 'warn') continue;
    const known = counts.get(trust.label) ?? { trust, count: 0 };
    known.count++;
    counts.set(trust.label, known);
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.trust;
}

startPage<ThreadWords, ToView, FromView, SavedState>(
  'thread',
  { type: 'ready' },
  (page, root, storage) => new Thread(page, root, storage),
);
