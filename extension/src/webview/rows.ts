// The rows of a conversation and where its reader is in them. They are built in
// pieces, those that are read first, so that the window's one thread is never
// long at it.

import { arrange, element, markFound } from './dom';
import { firstInView, openDetails, reopen, type Details } from './place';

/** So long rows are built, in ms, before they are laid out and the window does other things. */
const pieceMillis = 8;

/** Nearer than this to the end, in pixels, counts as reading the newest message. */
const nearEnd = 80;

/** Nearer than this is the end itself: pixels are not whole everywhere. */
export const veryEnd = 2;

/** A row that shall be shown. */
export interface Wanted {
  readonly key: string;
  /** All that decides what the row shows: it is built again when this is another. */
  readonly content: string;
  /** New messages begin here. */
  readonly divided: boolean;
  readonly build: () => HTMLLIElement;
}

/** Where the reader shall be: at the end, at a place they were, or with a row in the middle. */
export type Goal =
  | 'end'
  | { readonly row: string; readonly offset: number }
  | { readonly middle: string; readonly mark: boolean };

export class Rows {
  readonly list = element('ol', { class: 'messages' });
  readonly #scroll: HTMLElement;
  readonly #divider: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #built = new Map<string, { readonly row: HTMLLIElement; readonly content: string }>();
  #wanted: readonly Wanted[] = [];
  /** What is still to be built, and built again, the next last. */
  #missing: Wanted[] = [];
  #goal: Goal | undefined;
  /** Where the goal was, in pixels: elsewhere means that the reader has moved. */
  #settledAt = 0;
  /** What was open in rows that are not built yet. */
  #open: Details = {};
  #timer = 0;

  constructor(scroll: HTMLElement, words: { readonly newMarker: string; readonly empty: string }) {
    this.#scroll = scroll;
    this.#divider = element('li', { class: 'divider' }, element('span', { text: words.newMarker }));
    this.#empty = element('li', { class: 'empty', text: words.empty });
  }

  /** Shows these rows and nothing else, and takes the reader to the goal; without one they stay. */
  show(wanted: readonly Wanted[], goal: Goal | undefined, open: Details = {}): void {
    this.#wanted = wanted;
    this.#open = { ...this.#open, ...open };
    const keys = new Set(wanted.map(({ key }) => key));
    for (const key of this.#built.keys()) if (!keys.has(key)) this.#built.delete(key);
    this.#missing = wanted.filter(({ key, content }) => this.#built.get(key)?.content !== content);
    this.#aim(goal);
    this.#piece();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#built.clear();
    this.#wanted = [];
    this.#missing = [];
    this.#open = {};
    this.#goal = undefined;
    this.list.replaceChildren();
  }

  /** The keys of all rows, also of those that are not built yet. */
  get keys(): ReadonlySet<string> {
    return new Set(this.#wanted.map(({ key }) => key));
  }

  get last(): Wanted | undefined {
    return this.#wanted.at(-1);
  }

  /** By row, which of its details are open. */
  get open(): Details {
    const open = new Map(Object.entries(this.#open));
    for (const [key, { row }] of this.#built) open.set(key, openDetails(row));
    return Object.fromEntries([...open].filter(([, numbers]) => numbers.length > 0));
  }

  /** Brings a row into the middle and marks it until its mark has faded; false if there is no such row. */
  find(key: string): boolean {
    if (!this.keys.has(key)) return false;
    this.#aim({ middle: key, mark: true });
    this.#piece();
    return true;
  }

  atEnd(near = nearEnd): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#scroll;
    return scrollHeight - scrollTop - clientHeight < near;
  }

  toEnd(behavior: ScrollBehavior): void {
    this.#scroll.scrollTo({ top: this.#scroll.scrollHeight, behavior });
    this.#goal = 'end';
    this.#settledAt = this.#scroll.scrollTop;
  }

  /** The first row in view, and how far below the edge it begins. */
  inView(): { readonly row: string; readonly offset: number } | undefined {
    const rows = this.#wanted.flatMap(({ key }) => {
      const row = this.#built.get(key)?.row;
      return row === undefined ? [] : [[key, row] as const];
    });
    return firstInView(rows, this.#scroll.getBoundingClientRect().top);
  }

  /** Lets an element change its height: what is read stays where it is, and the very end the end. */
  keepPlace(changing: HTMLElement, change: () => void): void {
    const wasAtEnd = this.atEnd(veryEnd);
    const above = changing.getBoundingClientRect().bottom <= this.#scroll.getBoundingClientRect().top;
    const height = this.#scroll.scrollHeight;
    change();
    if (wasAtEnd) this.toEnd('auto');
    else if (above) this.#scroll.scrollTop += this.#scroll.scrollHeight - height;
  }

  /** What is nearest to the goal is built first. */
  #aim(goal: Goal | undefined): void {
    this.#goal = goal;
    this.#settledAt = this.#scroll.scrollTop;
    const numbers = new Map(this.#wanted.map(({ key }, number) => [key, number]));
    const number = (key: string): number => numbers.get(key) ?? 0;
    const key =
      goal === undefined || goal === 'end' ? this.last?.key : 'row' in goal ? goal.row : goal.middle;
    const aim = number(key ?? '');
    this.#missing.sort((a, b) => Math.abs(number(b.key) - aim) - Math.abs(number(a.key) - aim));
  }

  #piece(): void {
    clearTimeout(this.#timer);
    if (this.#scroll.scrollTop !== this.#settledAt) this.#goal = undefined;
    const goal = this.#goal ?? this.inView();
    const until = performance.now() + pieceMillis;
    do {
      const next = this.#missing.pop();
      if (next === undefined) break;
      this.#build(next);
    } while (performance.now() < until);
    this.#arrange();
    if (goal !== undefined) this.#settle(goal);
    if (this.#missing.length > 0) {
      this.list.setAttribute('aria-busy', 'true');
      this.#timer = setTimeout(() => this.#piece());
      return;
    }
    this.list.removeAttribute('aria-busy');
    this.#goal = undefined;
    this.#open = {};
  }

  #build({ key, content, build }: Wanted): void {
    const known = this.#built.get(key)?.row;
    const row = build();
    reopen(row, known === undefined ? (this.#open[key] ?? []) : openDetails(known));
    this.#built.set(key, { row, content });
  }

  /** Puts the rows that are built in order. */
  #arrange(): void {
    const rows: HTMLElement[] = [];
    for (const { key, divided } of this.#wanted) {
      const row = this.#built.get(key)?.row;
      if (row === undefined) continue;
      if (divided) rows.push(this.#divider);
      rows.push(row);
    }
    if (this.#wanted.length === 0) rows.push(this.#empty);
    arrange(this.list, rows);
  }

  #settle(goal: Goal): void {
    if (goal === 'end') {
      this.toEnd('auto');
      return;
    }
    const row = this.#built.get('row' in goal ? goal.row : goal.middle)?.row;
    if (row === undefined) return;
    if ('row' in goal) {
      const top = this.#scroll.getBoundingClientRect().top;
      this.#scroll.scrollTop += row.getBoundingClientRect().top - top - goal.offset;
    } else {
      row.scrollIntoView({ block: 'center' });
      if (goal.mark) {
        const article = row.querySelector<HTMLElement>('article');
        article?.focus({ preventScroll: true });
        if (article !== null) markFound(article);
        this.#goal = { ...goal, mark: false };
      }
    }
    this.#settledAt = this.#scroll.scrollTop;
  }
}
