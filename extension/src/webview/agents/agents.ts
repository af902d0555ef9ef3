// The page of "Agents": one row for each agent and work tree, in an order independent of states.

import type { FromAgents, ToAgents } from '../../agents/messages';
import type { AgentAct, AgentRow, AgentsShown } from '../../agents/model';
import type { AgentsWords } from '../../agents/words';
import { meaningOf } from '../../keys';
import { AgentMore } from './agentMore';
import { drawAgent, labelOf, linesElement, setMenu } from './agentRow';
import { Announcer } from '../announce';
import { drawing, element, type Drawing } from '../dom';
import { startPage, type Page, type Storage } from '../frame';
import { showKeys } from '../keysDialog';
import { List } from '../list/list';
import { noListState, type ListHost, type ListState, type RowLook } from '../list/listHost';
import { wordButton } from '../list/listRow';
import { openMenu } from '../tools';
import { search } from '../typedAhead';

/** The state that is saved while the page is hidden. */
interface Saved {
  readonly list: ListState;
  /** Texts that were typed and not sent, by the keys of their rows. */
  readonly drafts: Readonly<Record<string, string>>;
}

class AgentsPage implements ListHost<AgentRow> {
  readonly closedAtFirst = true;
  readonly #page: Page<AgentsWords, FromAgents>;
  readonly #root: HTMLElement;
  readonly #storage: Storage<Saved>;
  readonly #list: List<AgentRow>;
  readonly #announcer = new Announcer();
  readonly #head: HTMLElement;
  readonly #none = element('div', { class: 'none quiet' });
  readonly #mores = new Map<string, AgentMore>();
  readonly #drafts: Map<string, string>;
  #states = new Map<string, string>();
  #placed: readonly string[] = [];
  #shown: AgentsShown | undefined;
  #pointed = false;
  #scroll: number;

  constructor(page: Page<AgentsWords, FromAgents>, root: HTMLElement, storage: Storage<Saved>) {
    const saved = storage.getState();
    this.#page = page;
    this.#root = root;
    this.#storage = storage;
    this.#drafts = new Map(Object.entries(saved?.drafts ?? {}));
    this.#list = new List<AgentRow>(this, page.words, saved?.list ?? noListState);
    this.#scroll = saved?.list.scroll ?? 0;
    this.#head = element('p', { class: 'heading' });
    this.#head.hidden = true;
    this.#none.hidden = true;
    root.setAttribute('aria-label', page.words.title);
    root.append(this.#head, this.#none, this.#list.root, this.#announcer.root);
    this.#listen();
  }

  receive(message: ToAgents | { readonly type: 'typed' }): void {
    switch (message.type) {
      case 'agents':
        this.#show(message);
        break;
      case 'unknown':
        this.#showNone('unknown');
        break;
      case 'starting':
        // Existing rows stay while a server restarts.
        if (this.#shown === undefined) this.#sayNone('spin', message.type);
        break;
      case 'whole':
        this.#mores.get(message.key)?.fill(message.html, message.files);
        break;
      case 'write':
        this.#list.select(message.key);
        this.#write(message.key);
        break;
      case 'sent':
        this.#announcer.say(message.words);
        this.#mores.get(message.key)?.sent(message.words);
        this.#list.select(message.key);
        break;
      case 'notSent':
        this.#mores.get(message.key)?.failed(message.failure);
        break;
      case 'typed':
    }
  }

  lookKey(row: AgentRow): string {
    return JSON.stringify(row);
  }

  draw(row: AgentRow): RowLook {
    return drawAgent(row, this.#page.words, this.#page.locale, (act) => this.#act(row.key, act));
  }

  more(row: AgentRow): HTMLElement {
    const known = this.#mores.get(row.key);
    this.#page.post({ type: 'whole', key: row.key });
    if (known !== undefined) {
      known.update(row);
      return known.root;
    }
    const { key } = row;
    const more = new AgentMore(
      {
        words: this.#page.words,
        press: (act) => this.#act(key, act),
        file: (path) => this.#page.post({ type: 'file', key, path }),
        send: (text) => this.#page.post({ type: 'send', key, text }),
        typed: (text) => this.#typed(key, text),
      },
      row,
    );
    this.#mores.set(key, more);
    const draft = this.#drafts.get(key);
    if (draft !== undefined) queueMicrotask(() => more.write(draft, false));
    return more.root;
  }

  enter(row: AgentRow): void {
    this.#act(row.key, 'open');
  }

  key(event: KeyboardEvent, row: AgentRow | undefined): void {
    const meaning = meaningOf(event, 'list');
    if (meaning === undefined || event.repeat) return;
    const { post } = this.#page;
    if (meaning.act === 'keys') showKeys(this.#page.words.map);
    else if (meaning.act === 'search') search(post);
    else if (row === undefined) return;
    else if (meaning.act === 'reply') this.#reply(row);
    else if (meaning.act === 'changes' || meaning.act === 'terminal' || meaning.act === 'window') {
      if (!row.acts.includes(meaning.act)) return;
      post({ type: 'act', key: row.key, act: meaning.act });
    } else if (meaning.act === 'actions') this.#menu(row);
    else return;
    event.preventDefault();
  }

  changed(): void {
    this.#save();
  }

  leave(): void {
    this.#page.post({ type: 'leave' });
  }

  #listen(): void {
    const root = this.#root;
    root.addEventListener('pointermove', () => {
      this.#pointed = true;
    });
    root.addEventListener('pointerleave', () => {
      this.#pointed = false;
      this.#list.settle();
      this.#place();
    });
    root.addEventListener('scroll', () => {
      this.#scroll = root.scrollTop;
      this.#save();
    });
    root.addEventListener('keydown', (event) => this.#boxKey(event));
    window.addEventListener('focus', () => this.#page.post({ type: 'focused', focused: true }));
    window.addEventListener('blur', () => this.#page.post({ type: 'focused', focused: false }));
    // When the view gets the focus, a row gets it.
    window.addEventListener('focus', () => {
      if (document.activeElement === document.body) this.#list.focus();
    });
    root.addEventListener(
      'contextmenu',
      ({ target }) => {
        const row = this.#rowAt(target);
        if (row !== undefined && target instanceof Element) {
          const at = target.closest<HTMLElement>('.row');
          if (at !== null) setMenu(at, row);
        }
      },
      true,
    );
  }

  /** Ctrl+Enter in the box presses its button. */
  #boxKey(event: KeyboardEvent): void {
    if (!(event.target instanceof HTMLTextAreaElement) || meaningOf(event, 'box')?.act !== 'send') return;
    const row = this.#rowAt(event.target);
    if (row !== undefined && this.#mores.get(row.key)?.sendNow() === true) event.preventDefault();
  }

  #rowAt(target: EventTarget | null): AgentRow | undefined {
    const key = target instanceof Element ? target.closest<HTMLElement>('.row')?.dataset['key'] : undefined;
    return key === undefined ? undefined : this.#all().find((row) => row.key === key);
  }

  #all(): readonly AgentRow[] {
    return this.#shown === undefined ? [] : [...this.#shown.rows, ...this.#shown.older];
  }

  #show({ counts, place, shown }: Extract<ToAgents, { readonly type: 'agents' }>): void {
    const first = this.#shown === undefined;
    document.body.classList.toggle('tab', place === 'tab');
    this.#shown = shown;
    this.#head.hidden = place !== 'tab';
    this.#head.replaceChildren(
      element('b', { text: this.#page.words.title }),
      element('span', { text: counts }),
      linesElement(shown),
    );
    this.#announce(shown);
    if (this.#all().length === 0) this.#showNone('nothing');
    else {
      this.#none.hidden = true;
      this.#place();
    }
    if (!first) return;
    if (this.#scroll > 0) {
      this.#list.makeAll();
      this.#root.scrollTop = this.#scroll;
    }
    if (document.hasFocus()) this.#list.focus();
  }

  /** Shows the rows in order. While the pointer is on the page no row moves: new rows come last. */
  #place(): void {
    const shown = this.#shown;
    if (shown === undefined) return;
    const { words } = this.#page;
    const rows = this.#pointed ? this.#held(shown.rows) : shown.rows;
    this.#placed = rows.map(({ key }) => key);
    for (const key of this.#mores.keys())
      if (!this.#all().some((row) => row.key === key)) this.#mores.delete(key);
    this.#list.show([
      { id: 'agents', title: words.title, count: rows.length, folded: false, rows },
      ...(shown.older.length === 0
        ? []
        : [{ id: 'older', title: words.older, count: shown.older.length, folded: true, rows: shown.older }]),
    ]);
  }

  #held(rows: readonly AgentRow[]): readonly AgentRow[] {
    const known = new Map(rows.map((row) => [row.key, row]));
    const before = this.#placed.flatMap((key) => known.get(key) ?? []);
    return [...before, ...rows.filter(({ key }) => !this.#placed.includes(key))];
  }

  /** Announces the agents that have just begun to need the user. */
  #announce({ rows }: AgentsShown): void {
    const { words, locale } = this.#page;
    const states = new Map(rows.map((row) => [row.key, row.needs ? row.state : '']));
    if (this.#states.size > 0)
      for (const row of rows)
        if (row.needs && (this.#states.get(row.key) ?? '') === '')
          this.#announcer.say(labelOf(row, words, Date.now(), locale));
    this.#states = states;
  }

  #showNone(why: 'nothing' | 'unknown'): void {
    const { post, words } = this.#page;
    const acts = element('div', { class: 'acts' });
    if (why === 'nothing')
      acts.append(
        wordButton(words.setUp, { class: 'main' }, () => post({ type: 'run', command: 'setUp' })),
        wordButton(words.start, {}, () => post({ type: 'run', command: 'start' })),
      );
    else acts.append(wordButton(words.restart, {}, () => post({ type: 'run', command: 'restart' })));
    this.#sayNone(why === 'nothing' ? 'idle' : 'warn', why, acts);
    this.#list.show([]);
  }

  #sayNone(icon: Drawing, why: 'nothing' | 'unknown' | 'starting', acts?: HTMLElement): void {
    const text = element('p', { text: this.#page.words[why] });
    this.#none.replaceChildren(drawing(icon), text, ...(acts === undefined ? [] : [acts]));
    this.#none.hidden = false;
  }

  #act(key: string, act: AgentAct): void {
    const row = this.#all().find((one) => one.key === key);
    if (row === undefined) return;
    if (act === 'message' || act === 'continue') this.#reply(row);
    else this.#page.post({ type: 'act', key, act });
  }

  /** Opens the box of a row, or without a box starts or sets up the agent. */
  #reply({ acts, key }: AgentRow): void {
    const other = acts.find((act) => act === 'start' || act === 'setUp');
    if (acts.includes('message') || acts.includes('continue')) {
      this.#list.select(key, false);
      this.#write(key);
    } else if (other !== undefined) this.#page.post({ type: 'act', key, act: other });
  }

  #write(key: string): void {
    this.#mores.get(key)?.write(this.#drafts.get(key));
  }

  #menu(row: AgentRow): void {
    const at = this.#root.querySelector<HTMLElement>(`.row[data-key="${CSS.escape(row.key)}"]`);
    if (at === null) return;
    setMenu(at, row);
    openMenu(at);
  }

  #typed(key: string, text: string | undefined): void {
    if (text === undefined || text === '') this.#drafts.delete(key);
    else this.#drafts.set(key, text);
    this.#page.post({ type: 'typing', empty: this.#drafts.size === 0 });
    this.#save();
  }

  #save(): void {
    this.#storage.setState({
      list: this.#list.state(this.#scroll),
      drafts: Object.fromEntries(this.#drafts),
    });
  }
}

startPage<AgentsWords, ToAgents, FromAgents, Saved>(
  'agents',
  { type: 'ready' },
  (page, root, storage) => new AgentsPage(page, root, storage),
);
