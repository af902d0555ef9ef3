// The rows of a thread and the reader's place in them. Rows are built in short steps, the rows
// near the reader first, so that the window never freezes.

import { arrange, element, markFound, span } from '../dom';
import { firstInView, focusIn, openDetails, refocus, reopen, type Details, type Focus } from './place';

/** How long rows are built, in milliseconds, before the window gets its turn. */
const stepMillis = 8;

/** The same if nothing is shown yet: a screenful appears sooner in one step than in several. */
const firstStepMillis = 30;

/** Within this distance of the end, in pixels, the reader counts as reading the newest message. */
const nearEnd = 80;

/** Within this distance, in pixels, a position counts as the very end: positions may be fractions. */
export const veryEnd = 2;

export interface Wanted {
  readonly key: string;
  /** Everything that the row depends on. The row is rebuilt if it changes. */
  readonly content: string;
  /** Whether the first unread message is in this row. */
  readonly divided: boolean;
  readonly build: () => HTMLLIElement;
}

/** Where to scroll: to the end, to an earlier place, or to a row in the middle. */
export type Goal =
  | 'end'
  | { readonly row: string; readonly offset: number }
  | { readonly middle: string; readonly mark: boolean; readonly focus: boolean };

export class Rows {
  readonly list = element('ol', { class: 'messages' });
  readonly #scroll: HTMLElement;
  readonly #divider: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #built = new Map<string, { readonly row: HTMLLIElement; readonly content: string }>();
  #wanted: readonly Wanted[] = [];
  /** The rows that still have to be built, the next one last. */
  #missing: Wanted[] = [];
  #goal: Goal | undefined;
  /** The scroll position of the goal. If the position differs, the reader has scrolled away. */
  #settledAt = 0;
  /** The open details of rows that are not built yet. */
  #open: Details = {};
  /** The rebuilt row that had the focus, until it is in the list. */
  #focused: { readonly row: HTMLElement; readonly focus: Focus } | undefined;
  #timer = 0;
  /** Whether the reader was at the end when they last scrolled. They stay there if the page is resized. */
  #pinned = false;
  readonly #whenBuilt: () => void;

  /** `built` is called after all rows are built, and after the page was resized. */
  constructor(
    scroll: HTMLElement,
    words: { readonly newMarker: string; readonly empty: string },
    built: () => void,
  ) {
    this.#scroll = scroll;
    this.#whenBuilt = built;
    this.#divider = element('li', { class: 'divider' }, span(words.newMarker));
    this.#empty = element('li', { class: 'empty', text: words.empty });
    scroll.addEventListener('scroll', () => {
      // While rows are being built, the end of the list is not the end of the thread.
      if (this.whole) this.#pinned = this.atEnd();
    });
    new ResizeObserver(() => {
      // A hidden page has no size.
      if (scroll.clientHeight === 0 || !this.whole) return;
      if (this.#pinned) this.toEnd('auto');
      built();
    }).observe(scroll);
  }

  /** Shows exactly these rows and scrolls to the goal. Without a goal the reader stays. */
  show(wanted: readonly Wanted[], goal: Goal | undefined, open: Details = {}): void {
    this.#wanted = wanted;
    this.#open = { ...this.#open, ...open };
    const keys = new Set(wanted.map(({ key }) => key));
    for (const key of this.#built.keys()) if (!keys.has(key)) this.#built.delete(key);
    this.#missing = wanted.filter(({ key, content }) => this.#built.get(key)?.content !== content);
    this.#aim(goal);
    this.#buildSome(this.#built.size === 0 ? firstStepMillis : stepMillis);
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

  /** Returns the keys of all rows, built or not. */
  get keys(): ReadonlySet<string> {
    return new Set(this.#wanted.map(({ key }) => key));
  }

  /** Whether all rows are built. Until then, the end of the list is not the end of the thread. */
  get whole(): boolean {
    return this.#missing.length === 0;
  }

  get last(): Wanted | undefined {
    return this.#wanted.at(-1);
  }

  get open(): Details {
    const open = new Map(Object.entries(this.#open));
    for (const [key, { row }] of this.#built) open.set(key, openDetails(row));
    return Object.fromEntries([...open].filter(([, numbers]) => numbers.length > 0));
  }

  /** Scrolls to a row, highlights it, and with `focus` focuses it. Returns false without such a row. */
  find(key: string, focus: boolean): boolean {
    if (!this.keys.has(key)) return false;
    this.#aim({ middle: key, mark: true, focus });
    this.#buildSome();
    return true;
  }

  /** Reports whether a row is built and partly visible. */
  inSight(key: string): boolean {
    const row = this.#built.get(key)?.row.getBoundingClientRect();
    const { top, bottom } = this.#scroll.getBoundingClientRect();
    return row !== undefined && row.top < bottom && row.bottom > top;
  }

  atEnd(near = nearEnd): boolean {
    if (this.#destination !== undefined) return false;
    const { scrollTop, clientHeight, scrollHeight } = this.#scroll;
    return scrollHeight - scrollTop - clientHeight < near;
  }

  toEnd(behavior: ScrollBehavior): void {
    this.#scroll.scrollTo({ top: this.#scroll.scrollHeight, behavior });
    this.#goal = 'end';
    this.#pinned = true;
    this.#settledAt = this.#scroll.scrollTop;
  }

  /** Gives the focus to the first visible message, or at the end to the newest. */
  focus(): void {
    const key = this.atEnd() ? this.last?.key : this.inView()?.row;
    const article = this.#built.get(key ?? '')?.row.querySelector('article');
    if (article === null || article === undefined) {
      this.#scroll.tabIndex = -1;
      this.#scroll.focus({ preventScroll: true });
    } else article.focus({ preventScroll: true });
  }

  /** Returns the first visible row and its distance from the top, or the place that is being reached. */
  inView(): { readonly row: string; readonly offset: number } | undefined {
    if (this.#destination !== undefined) return this.#destination;
    const rows = this.#wanted.flatMap(({ key }) => {
      const row = this.#built.get(key)?.row;
      return row === undefined ? [] : [[key, row] as const];
    });
    return firstInView(rows, this.#scroll.getBoundingClientRect().top);
  }

  /** Changes the height of an element without moving the visible text. A reader at the end stays there. */
  keepPlace(changing: HTMLElement, change: () => void): void {
    const wasAtEnd = this.atEnd(veryEnd);
    const above = changing.getBoundingClientRect().bottom <= this.#scroll.getBoundingClientRect().top;
    const height = this.#scroll.scrollHeight;
    change();
    if (wasAtEnd) this.toEnd('auto');
    else if (above) this.#scroll.scrollTop += this.#scroll.scrollHeight - height;
  }

  /** The place that will be reached once enough rows are built, unless the reader scrolls away. */
  get #destination(): { readonly row: string; readonly offset: number } | undefined {
    const goal = this.#goal;
    if (this.whole || this.#scroll.scrollTop !== this.#settledAt) return undefined;
    return typeof goal === 'object' && 'row' in goal ? goal : undefined;
  }

  /** Sets the goal. The rows nearest to it are built first. */
  #aim(goal: Goal | undefined): void {
    this.#goal = goal;
    if (goal !== undefined) this.#pinned = goal === 'end';
    this.#settledAt = this.#scroll.scrollTop;
    const numbers = new Map(this.#wanted.map(({ key }, number) => [key, number]));
    const number = (key: string): number => numbers.get(key) ?? 0;
    const key =
      goal === undefined || goal === 'end' ? this.last?.key : 'row' in goal ? goal.row : goal.middle;
    const aim = number(key ?? '');
    this.#missing.sort((a, b) => Math.abs(number(b.key) - aim) - Math.abs(number(a.key) - aim));
  }

  #buildSome(millis = stepMillis): void {
    clearTimeout(this.#timer);
    if (this.#scroll.scrollTop !== this.#settledAt) this.#goal = undefined;
    const goal = this.#goal ?? this.inView();
    const until = performance.now() + millis;
    do {
      const next = this.#missing.pop();
      if (next === undefined) break;
      this.#build(next);
    } while (performance.now() < until);
    this.#arrange();
    if (goal !== undefined) this.#settle(goal);
    if (this.#missing.length > 0) {
      this.list.setAttribute('aria-busy', 'true');
      this.#timer = setTimeout(() => this.#buildSome());
      return;
    }
    this.list.removeAttribute('aria-busy');
    this.#goal = undefined;
    this.#open = {};
    this.#whenBuilt();
  }

  #build({ key, content, build }: Wanted): void {
    const known = this.#built.get(key)?.row;
    const row = build();
    const focus = known === undefined ? undefined : focusIn(known);
    if (focus !== undefined) this.#focused = { row, focus };
    reopen(row, known === undefined ? (this.#open[key] ?? []) : openDetails(known));
    this.#built.set(key, { row, content });
  }

  /** Puts the built rows in order. */
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
    if (this.#focused !== undefined) refocus(this.#focused.row, this.#focused.focus);
    this.#focused = undefined;
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
        if (goal.focus) article?.focus({ preventScroll: true });
        if (article !== null) markFound(article);
        this.#goal = { ...goal, mark: false };
      }
    }
    this.#settledAt = this.#scroll.scrollTop;
  }
}
