// The page of "Needs You".

import { fill } from '../../fill';
import { meaningOf, type KeyAct } from '../../keys';
import type { FromNeeds, NeedsList, ToNeeds } from '../../needs/needsMessages';
import type { Ending } from '../../needs/outcomes';
import { Placing, sectionRows, type Placed } from '../../needs/placing';
import { Presence } from '../../needs/presence';
import type { NeedAct, NeedRow } from '../../needs/row';
import type { NeedsWords } from '../../needs/needsWords';
import type { TypedMessage } from '../../views/messages';
import { Announcer } from '../announce';
import { drawing, element, span } from '../dom';
import { startPage, type Storage } from '../frame';
import { isTypedIn } from '../keys';
import { showKeys } from '../keysDialog';
import { List } from '../list/list';
import type { ListHost, ListState, RowLook } from '../list/listHost';
import { wordButton } from '../list/listRow';
import { needLook } from './needLook';
import { NeedMore, type NeedsPage, type SavedMore } from './needMore';
import { topParts } from './needTop';
import { openMenu } from '../tools';
import { onTypedAhead, search } from '../typedAhead';

/** The state that is saved while the page is hidden. */
interface Saved {
  readonly list?: ListState;
  readonly more?: Readonly<Record<string, SavedMore>>;
}

interface Shown {
  readonly key: string;
  readonly row: NeedRow;
  readonly ending: Ending | undefined;
}

const sections = ['blocked', 'questions', 'unanswered'] as const;

/** The keys that give an answer. A held key counts once, and a new row takes no answer. */
const answering: ReadonlySet<KeyAct> = new Set(['yes', 'no', 'option']);

/** The actions of keys that also have buttons. The first that the row offers is used. */
const actsOf: Readonly<Partial<Record<KeyAct, readonly NeedAct[]>>> = {
  reply: ['reply', 'message', 'continue', 'respond'],
  changes: ['changes'],
  terminal: ['terminal'],
  window: ['window'],
  done: ['done'],
  archive: ['archive'],
  snooze: ['snooze'],
  read: ['read'],
  unread: ['unread'],
};

/** The actions after which the row leaves and the next one opens. */
const leaving: ReadonlySet<NeedAct> = new Set(['done', 'archive', 'snooze']);

class NeedsView implements ListHost<Shown> {
  readonly #page: NeedsPage;
  readonly #root: HTMLElement;
  readonly #storage: Storage<Saved>;
  readonly #placing = new Placing<NeedRow>();
  readonly #presence = new Presence();
  readonly #announcer = new Announcer();
  readonly #top = element('div', { class: 'top' });
  readonly #bar = element('div', { class: 'newbar' });
  readonly #list: List<Shown>;
  readonly #mores = new Map<string, NeedMore>();
  /** The texts of rows that are not open yet. */
  #saved: Readonly<Record<string, SavedMore>>;
  #latest: NeedsList | undefined;
  #names: ReadonlyMap<string, string> = new Map();
  #timer = 0;
  /** Whether the last input was a key, not the pointer. */
  #byKey = false;
  /** The rows that an action by key removes: they leave once the extension reports them as gone. */
  readonly #leaving = new Set<string>();
  #scroll: number;
  #saving = 0;

  constructor(page: NeedsPage, root: HTMLElement, storage: Storage<Saved>) {
    const saved = storage.getState() ?? {};
    this.#page = page;
    this.#root = root;
    this.#storage = storage;
    this.#saved = saved.more ?? {};
    this.#scroll = saved.list?.scroll ?? 0;
    this.#list = new List(this, page.words, saved.list);
    root.setAttribute('aria-label', page.words.view);
    root.append(this.#top, this.#list.root, this.#announcer.root);
    this.#bar.hidden = true;
    document.body.append(this.#bar);
    this.#listen();
  }

  receive(message: ToNeeds | TypedMessage): void {
    switch (message.type) {
      case 'list':
        this.#take(message);
        return;
      case 'whole':
        this.#mores.get(message.key)?.complete(message);
        return;
      case 'select':
        this.#list.select(message.key);
        return;
      case 'do':
        this.#list.select(message.key);
        this.#mores.get(message.key)?.run(message.act);
        return;
      case 'back':
        this.#leaving.delete(message.key);
        this.#placing.back(message.key);
        this.#show();
        return;
      case 'failed':
        this.#announcer.say(message.failure.text);
        return;
      case 'typed':
        return;
    }
  }

  lookKey({ row, ending }: Shown): string {
    return JSON.stringify([row, ending]);
  }

  draw({ key, row, ending }: Shown): RowLook {
    return needLook(row, ending, this.#list.isOpen(key), this.#page);
  }

  more({ key, row, ending }: Shown, before: HTMLElement | undefined): HTMLElement {
    const known = this.#mores.get(key);
    const more = known ?? new NeedMore(row, this.#page, this.#moreHost, this.#saved[key]);
    this.#mores.set(key, more);
    if (!before?.isConnected) more.opened();
    more.update(row, ending);
    return more.root;
  }

  enter({ key }: Shown): void {
    this.#act(key, 'open');
  }

  changed(): void {
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.#save(), 150);
  }

  leave(): void {
    this.#page.post({ type: 'leave' });
  }

  key(event: KeyboardEvent, shown: Shown | undefined): void {
    if (document.querySelector('dialog[open]') !== null) return;
    const meaning = meaningOf(event, 'list');
    if (meaning === undefined) return;
    if (event.repeat && answering.has(meaning.act)) return;
    if (this.#pressed(meaning.act, meaning.index, shown)) event.preventDefault();
  }

  readonly #moreHost = {
    decide: (key: string, decision: Extract<FromNeeds, { readonly type: 'decide' }>['decision']): void => {
      this.#page.post({ type: 'decide', key, decision });
      this.#answered(key);
    },
    option: (key: string, index: number): void => {
      this.#page.post({ type: 'option', key, index });
      const { row } = this.#placing.placed.find((one) => one.row.key === key) ?? {};
      // An escalation is not answered yet: a dialog opens first.
      if (row?.section === 'questions') this.#answered(key);
    },
    act: (key: string, act: NeedAct): void => this.#act(key, act),
    changed: (): void => this.changed(),
  };

  /** Runs a key's action. Returns whether there was anything to do. */
  #pressed(act: KeyAct, index: number, shown: Shown | undefined): boolean {
    if (act === 'newest') this.#letIn();
    else if (act === 'undo') this.#page.post({ type: 'undo', key: '' });
    else if (act === 'search') search(this.#page.post);
    else if (act === 'keys') showKeys(this.#page.words.keyMap);
    else if (shown === undefined) return false;
    else if (act === 'actions') this.#menu(shown.key);
    else if (answering.has(act)) return this.#answer(act, index, shown);
    else {
      if (act === 'reply' && this.#mores.get(shown.key)?.write() === true) return true;
      const { acts, buttons, request } = shown.row;
      const can = new Set([...buttons.map((button) => button.act), ...acts]);
      const wanted = actsOf[act]?.find((one) => can.has(one));
      const write = act === 'reply' && request !== undefined ? 'message' : undefined;
      const chosen = wanted ?? write;
      if (chosen === undefined) return false;
      if (act === 'reply') onTypedAhead((text) => this.#page.post({ type: 'ahead', text }));
      this.#act(shown.key, chosen);
    }
    return true;
  }

  #answer(act: KeyAct, index: number, { key, ending }: Shown): boolean {
    const more = this.#mores.get(key);
    // Only an open row can be answered, and not at once.
    if (more === undefined || !this.#list.isOpen(key) || (ending !== undefined && ending.failed !== true))
      return false;
    if (more.dead) return true;
    if (act === 'yes') return more.yes();
    return act === 'no' ? more.no() : more.option(index);
  }

  #act(key: string, act: NeedAct): void {
    if (this.#byKey && leaving.has(act)) this.#leaving.add(key);
    this.#page.post({ type: 'act', key, act });
  }

  /** Handles an answer. If a key gave it, the row leaves at once and the next one opens. */
  #answered(key: string): void {
    if (!this.#byKey) return;
    this.#placing.leave(key);
    this.#show();
  }

  #menu(key: string): void {
    const head = this.#list.root.querySelector<HTMLElement>(`[data-key=${CSS.escape(key)}] > .head`);
    if (head !== null) openMenu(head);
  }

  #listen(): void {
    const root = document.documentElement;
    const now = (): number => Date.now();
    const onOpen = (event: Event): boolean =>
      event.target instanceof Element && event.target.closest('.row.open') !== null;
    root.addEventListener('pointermove', (event) =>
      this.#present(() => this.#presence.pointer(now(), onOpen(event))),
    );
    root.addEventListener('pointerdown', () => (this.#byKey = false), true);
    root.addEventListener('pointerleave', () => this.#present(() => this.#presence.pointerLeft(now())));
    root.addEventListener('keydown', () => (this.#byKey = true), true);
    root.addEventListener('keydown', (event) => this.#outside(event));
    const focus = (): void => {
      const inRow = document.activeElement?.closest('.row') ?? null;
      this.#present(() => this.#presence.focus(now(), document.hasFocus() && inRow !== null));
    };
    for (const type of ['focusin', 'focusout']) root.addEventListener(type, () => setTimeout(focus));
    for (const type of ['focus', 'blur'])
      window.addEventListener(type, () => {
        focus();
        this.#page.post({ type: 'focused', focused: document.hasFocus() });
      });
    // VS Code gives the focus to the page, not to a row.
    window.addEventListener('focus', () => {
      if (document.activeElement === document.body) this.#list.focus();
    });
    root.addEventListener('input', () => this.changed());
    this.#root.addEventListener('scroll', () => this.changed(), { passive: true });
    if (document.hasFocus()) this.#page.post({ type: 'focused', focused: true });
  }

  /** Handles keys while no row has the focus: there may be no rows. */
  #outside(event: KeyboardEvent): void {
    const { target } = event;
    if (event.defaultPrevented || isTypedIn(target)) return;
    if (target instanceof Node && this.#list.root.contains(target)) return;
    if (event.key === 'Escape') this.leave();
    else this.key(event, this.#list.current);
  }

  /** Notes that the pointer or the focus came or went, and sets the timer for the next change by time. */
  #present(note: () => void): void {
    note();
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const now = Date.now();
    const swept = this.#presence.pointingUntil(now);
    const again = Math.min(this.#presence.holdsUntil(now) ?? Infinity, swept ?? Infinity);
    if (again === Infinity) return;
    this.#timer = setTimeout(() => this.#settle(), Math.max(0, again - now) + 1);
  }

  #settle(): void {
    const now = Date.now();
    if (!this.#presence.holds(now)) this.#placing.settle();
    if (!this.#presence.pointing(now)) {
      this.#placing.sweep();
      this.#list.settle();
    }
    this.#show();
    this.#wait();
  }

  #take(list: NeedsList): void {
    if (list.state.kind === 'starting') {
      // The saved texts of rows stay until the rows are known.
      this.#top.replaceChildren(...topParts(this.#page, list, true));
      return;
    }
    const before = this.#latest;
    this.#latest = list;
    const known = new Set(this.#placing.waiting.map(({ key }) => key));
    const now = Date.now();
    this.#placing.update(list.rows, this.#presence.holds(now));
    for (const { row, gone } of this.#placing.placed)
      if (gone && this.#leaving.delete(row.key)) this.#placing.leave(row.key);
    this.#nameRows(list);
    if (!this.#presence.pointing(now)) this.#placing.sweep();
    for (const [key, ending] of Object.entries(list.endings)) {
      if (ending.failed === true) this.#placing.back(key);
      this.#sayEnding(key, ending, before?.endings[key]);
    }
    // An answer that was taken back is open again.
    for (const [key, { undo }] of Object.entries(before?.endings ?? {}))
      if (undo !== undefined && list.endings[key] === undefined) this.#placing.back(key);
    this.#show();
    this.#sayNew(known);
    if (before !== undefined || this.#scroll === 0) return;
    this.#list.makeAll();
    this.#root.scrollTop = this.#scroll;
  }

  #sayEnding(key: string, ending: Ending, before: Ending | undefined): void {
    const who = this.#names.get(key);
    // Endings of rows that were not shown are not announced.
    if (ending.words === before?.words || ending.silent === true || who === undefined) return;
    this.#announcer.say(`${who}: ${ending.words}.`);
  }

  /** Notes the names of rows that are shown, or were shown until they ended. */
  #nameRows({ endings }: NeedsList): void {
    const shown = this.#placing.placed.map(({ row }) => [row.key, row.who] as const);
    const kept = [...this.#names].filter(([key]) => endings[key] !== undefined);
    this.#names = new Map([...kept, ...shown]);
  }

  #sayNew(known: ReadonlySet<string>): void {
    const fresh = this.#counted.filter(({ key }) => !known.has(key));
    if (fresh.length === 0) return;
    const { locale, words } = this.#page;
    const who = new Intl.ListFormat(locale).format([...new Set(fresh.map((row) => row.who))]);
    this.#announcer.say(`${fill(words.newSaid, String(fresh.length), who)}.`);
  }

  /** The waiting rows that are counted. */
  get #counted(): readonly NeedRow[] {
    return this.#placing.waiting.filter(({ section }) => section !== 'unanswered');
  }

  #letIn(): void {
    this.#placing.letIn();
    this.#show();
  }

  #show(): void {
    const list = this.#latest;
    if (list === undefined) return;
    const { placed } = this.#placing;
    const { counts, endings } = list;
    const shown = (one: Placed<NeedRow>): Shown => {
      const { key } = one.row;
      return { key, row: one.row, ending: endings[key] ?? (one.gone ? this.#gone : undefined) };
    };
    const { words } = this.#page;
    const all = sections.map((id) => {
      const { rows, newFrom } = sectionRows(placed, id);
      const folded = id === 'unanswered';
      return { id, title: words.sections[id], count: counts[id], folded, rows: rows.map(shown), newFrom };
    });
    const known = new Set(placed.map(({ row }) => row.key));
    for (const key of [...this.#mores.keys()]) if (!known.has(key)) this.#mores.delete(key);
    const counted = all.some(({ id, rows }) => id !== 'unanswered' && rows.length > 0);
    this.#top.replaceChildren(...topParts(this.#page, list, !counted));
    this.#list.show(all.filter(({ count, rows }) => count > 0 || rows.length > 0));
    this.#showBar();
    const over = Object.keys(endings).filter((key) => !known.has(key) && this.#list.current?.key !== key);
    if (over.length > 0) this.#page.post({ type: 'left', keys: over });
    this.changed();
  }

  /** Shows the bar that new rows are waiting, over the end of the list. */
  #showBar(): void {
    const waiting = this.#counted;
    this.#bar.hidden = waiting.length === 0;
    if (waiting.length === 0) return;
    const { words } = this.#page;
    const who = [...new Set(waiting.map((row) => row.who))].join(', ');
    this.#bar.replaceChildren(
      drawing('down'),
      element(
        'span',
        {},
        element('b', { text: fill(words.newOnes, String(waiting.length)) }),
        span(who, 'dim'),
      ),
      wordButton(words.show, { key: 'G', shortcut: 'g' }, () => this.#letIn()),
    );
  }

  /** The ending of a row whose ending the extension has not reported yet. */
  get #gone(): Ending {
    return { words: '…', icon: 'done', tone: 'quiet', over: true };
  }

  #save(): void {
    const more: Record<string, SavedMore> = {};
    for (const { row } of this.#placing.placed) {
      const typed = this.#mores.get(row.key);
      const kept = typed === undefined ? this.#saved[row.key] : typed.saved;
      if (kept !== undefined) more[row.key] = kept;
    }
    this.#saved = more;
    this.#page.post({ type: 'typing', empty: Object.keys(more).length === 0 });
    this.#storage.setState({ list: this.#list.state(this.#root.scrollTop), more });
  }
}

startPage<NeedsWords, ToNeeds, FromNeeds, Saved>(
  'needs',
  { type: 'ready' },
  (page, root, storage) => new NeedsView(page, root, storage),
);
