// Sections of rows, for the views in the side bar: a section folds, a row opens. Unchanged rows
// keep their elements, so that neither the focus nor text typed in them is lost. Tab stops once
// for all rows, and then at the open row's buttons.

import { shifted, sliceOf } from '../../views/listRules';
import { arrange, drawing, element, span } from '../dom';
import { isTypedIn } from '../keys';
import {
  noListState,
  type ListHost,
  type ListRow,
  type ListSection,
  type ListState,
  type RowLook,
} from './listHost';

interface ListWords {
  /** The text of the line above new rows. */
  readonly newLine: string;
}

interface Entry<R> {
  readonly root: HTMLLIElement;
  row: R;
  lookKey: string;
  look: RowLook;
  readonly head: HTMLButtonElement;
  /** The sentence that screen readers read as the head's name. The visible parts are hidden from them. */
  readonly spoken: HTMLElement;
  more: HTMLElement | undefined;
}

const tickMillis = 30_000;

/** About the duration of a frame. */
const frameMillis = 16;

/** The keys that move to another row, and by how many. */
const moves: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  n: 1,
  ArrowUp: -1,
  k: -1,
  p: -1,
  Home: -Infinity,
  End: Infinity,
};

export class List<R extends ListRow> {
  readonly root: HTMLElement;
  readonly #host: ListHost<R>;
  readonly #newLine: HTMLLIElement;
  readonly #sections = new Map<string, HTMLElement>();
  readonly #entries = new Map<string, Entry<R>>();
  readonly #open: Set<string>;
  readonly #folded: Map<string, boolean>;
  #shown: readonly ListSection<R>[] = [];
  #current: string;
  /** The timer that makes more rows, or 0. */
  #making = 0;

  constructor(host: ListHost<R>, words: ListWords, saved: ListState = noListState) {
    this.#host = host;
    this.#open = new Set(saved.open);
    this.#folded = new Map(Object.entries(saved.folded));
    this.#current = saved.current;
    this.root = element('div', { class: 'list' });
    this.#newLine = element(
      'li',
      { attributes: { role: 'presentation' } },
      element('div', { class: 'newline', text: words.newLine }),
    );
    this.root.addEventListener('keydown', (event) => this.#pressed(event));
    this.root.addEventListener('focusin', ({ target }) => {
      const key = rowOf(target);
      if (key !== undefined) this.#setCurrent(key);
    });
    setInterval(() => {
      for (const { spoken, look } of this.#entries.values()) spoken.textContent = look.label();
    }, tickMillis);
  }

  /** Returns the state to save while the page is hidden. */
  state(scroll: number): ListState {
    const folded = Object.fromEntries(this.#folded);
    return { folded, open: [...this.#open], current: this.#current, scroll };
  }

  /** The row that keys act on. */
  get current(): R | undefined {
    return this.#entries.get(this.#current)?.row;
  }

  isOpen(key: string): boolean {
    return this.#open.has(key);
  }

  /** Shows sections. If the current row is gone, another row becomes the current one. */
  show(sections: readonly ListSection<R>[]): void {
    const before = this.#visible();
    const focused = this.#entries.get(this.#current)?.root.contains(document.activeElement) === true;
    const open = this.#open.has(this.#current);
    const first = this.#current === '' || this.#shown.every(({ rows }) => rows.length === 0);
    this.#shown = sections;
    const all = new Set(sections.flatMap(({ rows }) => rows.map(({ key }) => key)));
    const now = this.#visible();
    const next = shifted({ current: this.#current, open, first, before, now, all });
    this.#forget(all);
    if (next.opens && !(first && this.#host.closedAtFirst === true)) this.#open.add(next.current);
    const was = this.#current;
    this.#setCurrent(next.current);
    arrange(
      this.root,
      sections.map((section) => this.#section(section)),
    );
    if (next.current === was) return;
    this.#draw(next.current);
    if (focused) this.#focus(next.current);
  }

  /** Redraws a row after its part below the head may have changed. */
  redraw(key: string): void {
    this.#draw(key);
  }

  /** Makes a row the current one and the only open one. */
  select(key: string, focus = true): void {
    if (!this.#entries.has(key)) this.makeAll();
    this.#openOnly(key);
    this.#setCurrent(key);
    if (focus) this.#focus(key);
    this.#entries.get(key)?.root.scrollIntoView({ block: 'nearest' });
    this.#host.changed();
  }

  /** Closes the rows that clicks left open, after the pointer has left. */
  settle(): void {
    if (this.#open.size > 1) this.#openOnly(this.#open.has(this.#current) ? this.#current : '');
  }

  /** Makes all remaining rows at once. */
  makeAll(): void {
    clearTimeout(this.#making);
    this.#making = 0;
    for (const section of this.#shown) this.#fill(section, Infinity);
  }

  /** Gives the focus to the current row, or without one to the first. */
  focus(): void {
    this.#focus(this.#entries.has(this.#current) ? this.#current : (this.#visible()[0] ?? ''));
  }

  #visible(): readonly string[] {
    return this.#shown.flatMap((section) =>
      this.#isFolded(section) ? [] : section.rows.map(({ key }) => key),
    );
  }

  /** Makes the first visible row the current one if that is folded away, so that Tab reaches a row. */
  #keepTabStop(): void {
    const visible = this.#visible();
    if (visible[0] !== undefined && !visible.includes(this.#current)) this.#setCurrent(visible[0]);
  }

  #isFolded({ id, folded }: ListSection<R>): boolean {
    return this.#folded.get(id) ?? folded;
  }

  #forget(known: ReadonlySet<string>): void {
    for (const key of this.#open) if (!known.has(key)) this.#open.delete(key);
    for (const key of this.#entries.keys()) if (!known.has(key)) this.#entries.delete(key);
  }

  #section(section: ListSection<R>): HTMLElement {
    const { id, title, count } = section;
    const root = this.#sections.get(id) ?? this.#makeSection(id);
    const folded = this.#isFolded(section);
    const heading = root.querySelector('button');
    heading?.setAttribute('aria-expanded', String(!folded));
    heading?.replaceChildren(drawing('chevron'), `${title} `, span(String(count), 'c'));
    this.#fill(section);
    return root;
  }

  /** Shows the rows of a section. Rows of a folded section are not made, and many rows are made in steps. */
  #fill(section: ListSection<R>, most?: number): void {
    const { id, newFrom, rows, title } = section;
    const list = this.#sections.get(id)?.querySelector('ul') ?? undefined;
    if (list === undefined) return;
    const folded = this.#isFolded(section);
    list.hidden = folded;
    list.setAttribute('aria-label', title);
    const there = (key: string): boolean => key === this.#current || this.#entries.has(key);
    const shown = folded ? [] : sliceOf(rows, there, most);
    const items = shown.map((row) => this.#entry(row).root);
    const at = shown.findIndex(({ key }) => key === newFrom);
    if (at !== -1) items.splice(at, 0, this.#newLine);
    arrange(list, items);
    if (!folded && shown.length < rows.length) this.#makeMore();
  }

  /** Makes more rows after the existing ones have been drawn. */
  #makeMore(): void {
    if (this.#making !== 0) return;
    this.#making = setTimeout(() => {
      this.#making = 0;
      for (const section of this.#shown) this.#fill(section);
    }, frameMillis);
  }

  #makeSection(id: string): HTMLElement {
    const button = element('button', { attributes: { type: 'button' } });
    button.addEventListener('click', () => {
      const section = this.#shown.find((one) => one.id === id);
      if (section === undefined) return;
      this.#folded.set(id, !this.#isFolded(section));
      this.#section(section);
      this.#keepTabStop();
      this.#host.changed();
    });
    const root = element('section', { class: 'group' }, element('h3', {}, button), element('ul'));
    this.#sections.set(id, root);
    return root;
  }

  #entry(row: R): Entry<R> {
    const lookKey = this.#host.lookKey(row);
    const known = this.#entries.get(row.key);
    if (known !== undefined) {
      known.row = row;
      if (known.lookKey !== lookKey) {
        known.lookKey = lookKey;
        this.#draw(row.key);
      }
      return known;
    }
    const look = this.#host.draw(row);
    const head = element('button', { attributes: { type: 'button' } });
    const spoken = span('', 'sr');
    const root = element('li', { attributes: { 'data-key': row.key } }, head);
    const made: Entry<R> = { root, row, lookKey, look, head, spoken, more: undefined };
    this.#entries.set(row.key, made);
    head.addEventListener('click', (event) => this.#clicked(row.key, event));
    this.#draw(row.key, look);
    return made;
  }

  #draw(key: string, drawn?: RowLook): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    const look = drawn ?? this.#host.draw(entry.row);
    const open = this.#open.has(key);
    entry.look = look;
    entry.root.className = `row ${look.class}${open ? ' open' : ''}`;
    if (look.context !== undefined) entry.root.dataset['vscodeContext'] = JSON.stringify(look.context);
    const { head, spoken } = entry;
    head.className = 'head';
    const seen = look.head.filter((part) => part !== undefined);
    for (const part of seen) part.setAttribute('aria-hidden', 'true');
    spoken.textContent = look.label();
    head.replaceChildren(...seen, spoken);
    head.setAttribute('aria-expanded', String(open));
    head.tabIndex = key === this.#current ? 0 : -1;
    entry.more = open ? this.#more(entry) : entry.more;
    const shown = open ? entry.more : undefined;
    if (shown === undefined) head.removeAttribute('aria-controls');
    else head.setAttribute('aria-controls', shown.id);
    arrange(
      entry.root,
      [head, look.tools, shown].filter((part) => part !== undefined),
    );
  }

  #more(entry: Entry<R>): HTMLElement | undefined {
    const more = this.#host.more(entry.row, entry.more);
    if (more === undefined) return undefined;
    more.id = `more ${entry.row.key}`.replaceAll(/\s/g, '-');
    more.setAttribute('role', 'group');
    more.setAttribute('aria-label', entry.look.moreLabel);
    return more;
  }

  /** Opens or closes a row by a click. Open rows above it stay, so that nothing moves under the pointer. */
  #clicked(key: string, event: MouseEvent): void {
    // A click by the Space key has the detail 0. Enter is handled before.
    const pointer = event.detail > 0;
    this.#setCurrent(key);
    if (this.#open.delete(key)) this.#draw(key);
    else if (pointer) {
      const all = this.#visible();
      for (const other of [...this.#open]) if (all.indexOf(other) > all.indexOf(key)) this.#close(other);
      this.#open.add(key);
      this.#draw(key);
    } else this.#openOnly(key);
    this.#host.changed();
  }

  #close(key: string): void {
    if (this.#open.delete(key)) this.#draw(key);
  }

  #openOnly(key: string): void {
    for (const other of [...this.#open]) if (other !== key) this.#close(other);
    if (this.#open.has(key) || !this.#entries.has(key)) return;
    this.#open.add(key);
    this.#draw(key);
  }

  #setCurrent(key: string): void {
    const was = this.#entries.get(this.#current);
    if (was !== undefined) was.head.tabIndex = -1;
    this.#current = key;
    const now = this.#entries.get(key);
    if (now !== undefined) now.head.tabIndex = 0;
  }

  #focus(key: string): void {
    this.#entries.get(key)?.head.focus({ preventScroll: true });
  }

  #pressed(event: KeyboardEvent): void {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || event.defaultPrevented) return;
    if (key === 'Escape') {
      this.#escape(target);
      event.preventDefault();
      return;
    }
    if (isTypedIn(target)) return;
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const by = plain ? moves[key] : undefined;
    if (by !== undefined) {
      event.preventDefault();
      this.#move(target, by);
      return;
    }
    const entry = this.#entries.get(rowOf(target) ?? '');
    if (key === 'Enter' && plain && target === entry?.head) {
      event.preventDefault();
      this.#host.enter(entry.row);
    } else this.#host.key(event, entry?.row ?? this.current);
  }

  /** Moves to another row, or to the heading of a folded section. */
  #move(from: HTMLElement, by: number): void {
    this.makeAll();
    const stops = [
      ...this.root.querySelectorAll<HTMLElement>('.group > h3 > button[aria-expanded=false], .row > .head'),
    ];
    const at = stops.indexOf(from.closest('.row')?.querySelector<HTMLElement>('.head') ?? from);
    const fallback = stops.findIndex((stop) => rowOf(stop) === this.#current);
    const to = Math.min(Math.max((at === -1 ? fallback : at) + by, 0), stops.length - 1);
    const stop = stops[to];
    const key = stop === undefined ? undefined : rowOf(stop);
    if (key !== undefined) this.select(key);
    else stop?.focus();
  }

  /** Moves the focus from a box to its row, then closes the row, then leaves the list. */
  #escape(target: HTMLElement): void {
    const entry = this.#entries.get(rowOf(target) ?? '');
    if (entry !== undefined && target !== entry.head) entry.head.focus();
    else if (entry !== undefined && this.#open.has(entry.row.key)) this.#close(entry.row.key);
    else this.#host.leave();
  }
}

/** Returns the key of the row that contains a target. */
function rowOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('.row')?.dataset['key'] : undefined;
}
