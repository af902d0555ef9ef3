// The open part of a row of "Needs You": the whole request, question or text, and its buttons.
// It is made once for a row, so that text typed in it is not lost.

import { fill } from '../../fill';
import { cardKeys } from '../../keys';
import type { Ending } from '../../needs/outcomes';
import type { FromNeeds } from '../../needs/needsMessages';
import type { NeedsWords } from '../../needs/needsWords';
import { noChoice, type Choice } from '../../request/request';
import type { NeedAct, NeedRow } from '../../needs/row';
import type { AgentRequest } from '../../protocol';
import { element, span } from '../dom';
import type { Page } from '../frame';
import { setDead, wordButton } from '../list/listRow';
import { optionButtons } from '../options';
import { showRequest } from '../request/request';
import type { ShownRequest } from '../request/shownRequest';
import { exactText } from '../request/requestParts';
import { richText } from '../richText';
import { countdown } from '../times';
import { moreButton, toolButton } from '../tools';

export type NeedsPage = Page<NeedsWords, FromNeeds>;

/** The choices and texts in a row, saved while the page is hidden. */
export interface SavedMore {
  readonly choices: readonly Choice[];
  /** The reason of a no, or an answer in the user's own words. */
  readonly why: string;
}

export interface MoreHost {
  decide(key: string, decision: Extract<FromNeeds, { readonly type: 'decide' }>['decision']): void;
  option(key: string, index: number): void;
  act(key: string, act: NeedAct): void;
  changed(): void;
}

/** The whole of a request or text that may be cut in the list. It is requested once. */
interface Whole {
  readonly html?: string;
  readonly text?: string;
  readonly request?: AgentRequest;
}

/** How long a new row takes no answer: a key or click was meant for another row. */
const deadMillis = 600;

export class NeedMore {
  readonly root = element('div', { class: 'more' });
  readonly #page: NeedsPage;
  readonly #host: MoreHost;
  readonly #result = element('p', { class: 'result' });
  #row: NeedRow;
  #card: ShownRequest | undefined;
  #acts: HTMLElement | undefined;
  #options: readonly HTMLButtonElement[] = [];
  #whole: Whole = {};
  #saved: SavedMore | undefined;
  #shown = performance.now();
  #waking = 0;

  constructor(row: NeedRow, page: NeedsPage, host: MoreHost, saved: SavedMore | undefined) {
    this.#row = row;
    this.#page = page;
    this.#host = host;
    this.#saved = saved;
    this.#fill();
    if (row.more) page.post({ type: 'whole', key: row.key });
  }

  get saved(): SavedMore | undefined {
    const why = this.#whyBox?.value ?? '';
    const choices = this.#card?.choices ?? [];
    const chosen = choices.some(({ options, text }) => options.length > 0 || text !== '');
    return why !== '' || chosen ? { choices, why } : undefined;
  }

  /** Whether the row has only just come into view, so that it takes no answer yet. */
  get dead(): boolean {
    return performance.now() - this.#shown < deadMillis;
  }

  /** Notes that the row was opened, so that its content has just come into view. */
  opened(): void {
    this.#shown = performance.now();
    this.#wake();
  }

  /** Disables the options while the row takes no answer, and enables them afterwards. */
  #wake(): void {
    clearTimeout(this.#waking);
    const { dead } = this;
    for (const option of this.#options) setDead(option, dead);
    if (dead)
      this.#waking = setTimeout(() => this.#wake(), deadMillis - (performance.now() - this.#shown) + 1);
  }

  /** Shows the row and its ending as they are now. The height stays after it has ended. */
  update(row: NeedRow, ending: Ending | undefined): void {
    const buttons = JSON.stringify([row.buttons, row.acts, row.options]);
    const same = buttons === JSON.stringify([this.#row.buttons, this.#row.acts, this.#row.options]);
    this.#row = row;
    if (!same) this.#fill();
    const over = ending !== undefined && ending.failed !== true;
    if (over) this.#keepHeight();
    else this.root.style.minHeight = '';
    this.root.classList.toggle('over', over);
    if (this.#card !== undefined) this.#card.busy = over && !ending.over;
    this.#say(ending);
  }

  /** Shows the whole of a request or text that was cut in the list. */
  complete(whole: Whole): void {
    this.#saved = this.saved ?? this.#saved;
    this.#whole = whole;
    this.#fill();
  }

  yes(): boolean {
    if (this.#card !== undefined) this.#card.yes();
    else if (this.#row.buttons.some(({ act }) => act === 'acknowledge'))
      this.#host.act(this.#row.key, 'acknowledge');
    else return false;
    return true;
  }

  no(): boolean {
    this.#card?.no();
    return this.#card !== undefined;
  }

  option(index: number): boolean {
    if (this.#card !== undefined) this.#card.option(index);
    else this.#options[index]?.click();
    return this.#card !== undefined || index < this.#options.length;
  }

  /** Opens the box for the user's own words, if the row has one. */
  write(): boolean {
    return this.#card?.write() ?? false;
  }

  run(act: 'always' | 'refuse'): void {
    this.#card?.act(act);
  }

  get #whyBox(): HTMLTextAreaElement | null {
    return this.root.querySelector('.why textarea');
  }

  #keepHeight(): void {
    if (this.root.classList.contains('over') || this.root.offsetHeight === 0) return;
    this.root.style.minHeight = `${this.root.offsetHeight}px`;
  }

  #fill(): void {
    const request = this.#whole.request ?? this.#row.request;
    const focused = this.root.contains(document.activeElement);
    this.#card = undefined;
    this.#acts = undefined;
    this.#options = [];
    const content = request === undefined ? this.#plain() : this.#request(request);
    this.root.replaceChildren(...content, this.#result);
    const why = this.#whyBox;
    if (why !== null && (this.#saved?.why ?? '') !== '') {
      why.value = this.#saved?.why ?? '';
      why.dispatchEvent(new Event('input', { bubbles: true }));
    }
    if (focused) this.root.closest('.row')?.querySelector<HTMLElement>('.head')?.focus();
  }

  #request(request: AgentRequest): readonly HTMLElement[] {
    const { key, who, notes } = this.#row;
    // The agent's description of a command is in the note below it.
    const command = request.input.some(({ name }) => name === 'command');
    const input = command ? request.input.filter(({ name }) => name !== 'description') : request.input;
    const card = showRequest(
      { ...request, input },
      {
        name: who,
        choices: this.#saved?.choices ?? (request.questions ?? []).map(() => noChoice),
        keys: cardKeys(this.#page.words.mac, 'list'),
        inRow: true,
        tools: this.#tools(),
        decide: (decision) => this.#host.decide(key, decision),
        changed: () => this.#host.changed(),
      },
      this.#page,
    );
    // The part below the head is the group.
    for (const name of ['role', 'aria-label']) card.root.removeAttribute(name);
    const acts = card.root.querySelector(':scope > .acts');
    for (const text of notes) acts?.before(noteElement(text));
    this.#card = card;
    return [card.root];
  }

  #plain(): readonly HTMLElement[] {
    const { key, command, notes, options, text = '', buttons } = this.#row;
    const { words } = this.#page;
    const acts = buttons.map(({ act, label, main }) =>
      wordButton(label, { class: main === true ? 'main' : '', ...keyOf(act) }, () =>
        this.#host.act(key, act),
      ),
    );
    this.#options = optionButtons(options, '{0}', (index) => {
      if (!this.dead) this.#host.option(key, index);
    });
    this.#wake();
    const tools = this.#tools();
    this.#acts = element(
      'div',
      { class: 'acts' },
      ...acts,
      tools.length === 0 ? undefined : element('span', { class: 'tools' }, ...tools),
    );
    return [
      this.#text(text),
      ...notes.map(noteElement),
      command === undefined ? undefined : exactText(command, words.request.command),
      this.#options.length === 0
        ? undefined
        : element(
            'div',
            { class: 'opts', attributes: { role: 'group', 'aria-label': words.answers } },
            ...this.#options,
          ),
      this.#acts,
    ].filter((part) => part !== undefined);
  }

  #text(text: string): HTMLElement | undefined {
    const { html = '', text: whole = '' } = this.#whole;
    if (html === '') {
      const shown = whole === '' ? text : whole;
      return shown === ''
        ? undefined
        : element('p', { class: 'plain', text: shown, attributes: { dir: 'auto' } });
    }
    const made = richText(element('div', { class: 'body', attributes: { dir: 'auto' } }), html, this.#page);
    // The options are shown below as buttons.
    if (this.#row.options.length > 0)
      for (const item of made.querySelectorAll('li.task')) {
        const list = item.parentElement;
        item.remove();
        if (list?.childElementCount === 0) list.remove();
      }
    // A text that line 2 shows is not repeated.
    const shownText = made.textContent.trim();
    return shownText === '' || shownText === this.#row.open ? undefined : made;
  }

  /** Makes the buttons at the right. In a narrow view, all except the terminal are in the menu. */
  #tools(): readonly HTMLElement[] {
    const { key, acts, request, section, who } = this.#row;
    const { words } = this.#page;
    const waits = request !== undefined || section === 'blocked';
    const tool = (
      icon: Parameters<typeof toolButton>[0],
      label: string,
      letter: string,
      act: NeedAct,
      wide = true,
    ): HTMLElement => {
      const made = toolButton(icon, label, letter, () => this.#host.act(key, act));
      if (wide) made.classList.add('wide');
      if (waits && (act === 'snooze' || act === 'done'))
        made.title = fill(words.keepsWaiting, label, letter, who);
      return made;
    };
    const main = new Set(this.#row.buttons.map(({ act }) => act));
    const has = (act: NeedAct): boolean => acts.includes(act) && !main.has(act);
    const slim = moreButton(words.moreActions, 'Shift+F10');
    slim.classList.add('slim');
    return [
      has('terminal') ? tool('terminal', words.terminal, 'T', 'terminal', false) : undefined,
      has('changes') ? tool('changes', words.changes, 'C', 'changes') : undefined,
      has('snooze') ? tool('snooze', words.snooze, 'Z', 'snooze') : undefined,
      has('done') ? tool('denied', waits ? words.dismiss : words.noReply, 'D', 'done') : undefined,
      acts.length === 0 ? undefined : slim,
    ].filter((made) => made !== undefined);
  }

  /** Shows below the content how it ended, or why an answer failed. */
  #say(ending: Ending | undefined): void {
    const { words } = this.#page;
    this.#result.hidden = ending === undefined;
    this.#result.classList.toggle('failed', ending?.failed === true);
    this.#result.replaceChildren(span(ending?.words ?? ''));
    if (ending?.undo !== undefined) this.#result.append(takeBack(this.#page, this.#row.key, ending.undo));
    if (ending?.terminal === true && this.#row.acts.includes('terminal'))
      this.#result.append(wordButton(words.terminal, {}, () => this.#host.act(this.#row.key, 'terminal')));
    if (this.#acts !== undefined)
      for (const made of this.#acts.querySelectorAll<HTMLElement>('.btn'))
        setDead(made, ending !== undefined && ending.failed !== true);
  }
}

/** Makes the link that takes an answer back, and its countdown. Screen readers skip the countdown. */
export function takeBack(page: NeedsPage, key: string, until: number): HTMLElement {
  const link = wordButton(page.words.undo, { shortcut: 'Control+Z' }, () => page.post({ type: 'undo', key }));
  link.className = 'link';
  // After the countdown the answer is sent and cannot be taken back.
  const left = countdown(until, page.words.undoSeconds, () => root.remove());
  const root = element('span', { class: 'takeback' }, span('·'), link, left);
  return root;
}

function noteElement(text: string): HTMLElement {
  return element('p', { class: 'meta', text, attributes: { dir: 'auto' } });
}

const letters: Readonly<Partial<Record<NeedAct, string>>> = {
  ...{ reply: 'R', message: 'R', continue: 'R', respond: 'R', acknowledge: 'A', done: 'D', terminal: 'T' },
};

/** Returns the key that presses a button. */
function keyOf(act: NeedAct): { readonly key?: string; readonly shortcut?: string } {
  if (act === 'open') return { key: '↵', shortcut: 'Enter' };
  const letter = letters[act];
  return letter === undefined ? {} : { key: letter, shortcut: letter.toLowerCase() };
}
