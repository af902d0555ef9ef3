// The timeline as a sequence diagram: a lane for each participant and an arrow for each step,
// with words beside it. A step opens to show its message.

import { refKey } from '../../refs';
import { fill, join } from '../../fill';
import { type Ref, type TaskEvent } from '../../protocol';
import type { FromTaskView, ShownTask } from '../../task/messages';
import type { TaskWords } from '../../task/words';
import { eventKey } from '../../task/model';
import { arrowOf, lanesOf, strokeOf } from '../../task/timeline';
import { exactTime } from '../../when';
import { button, drawing, element, folded, markFound, span } from '../dom';
import type { Page } from '../frame';
import { Pager } from '../pager';
import { richText } from '../richText';
import { timeElement } from '../times';

interface Row {
  readonly content: string;
  readonly item: HTMLLIElement;
  readonly details: HTMLDetailsElement;
}

export class Timeline {
  readonly root = element('section', { class: 'timeline' });
  readonly #page: Page<TaskWords, FromTaskView>;
  readonly #lanes = element('div', { class: 'lanes names', attributes: { 'aria-hidden': 'true' } });
  readonly #older: Pager;
  readonly #list = element('ol', { class: 'events' });
  readonly #text = element('pre');
  readonly #textNote: HTMLElement;
  readonly #rows = new Map<string, Row>();
  readonly #toggled: () => void;

  /** `toggled` is called when a step is opened or closed. */
  constructor(page: Page<TaskWords, FromTaskView>, toggled: () => void) {
    const { words, post } = page;
    this.#page = page;
    this.#toggled = toggled;
    this.#older = new Pager(words.loadOlder, words.loading, 'older', () => post({ type: 'older' }));
    this.#text.tabIndex = 0;
    this.#textNote = element('p', { class: 'quiet', text: words.asTextNewest });
    const astext = folded('astext', [span(words.asText)], this.#textNote, this.#text);
    this.#list.setAttribute('aria-label', words.timeline);
    const head = element(
      'div',
      { class: 'grid sticky' },
      this.#lanes,
      element('h2', { text: words.timeline }),
    );
    this.root.append(head, this.#older.root, this.#list, astext);
  }

  get open(): readonly string[] {
    return [...this.#rows].filter(([, { details }]) => details.open).map(([key]) => key);
  }

  clear(): void {
    this.#rows.clear();
    this.#list.replaceChildren();
  }

  failed(): void {
    this.#older.rest();
  }

  show({ timeline, older, text }: ShownTask, open: readonly string[]): void {
    const lanes = lanesOf(timeline);
    this.root.style.setProperty('--lanes', String(lanes.length));
    this.#lanes.replaceChildren(...lanes.map((name) => span(name)));
    this.#older.offer(older);
    this.#text.textContent = text;
    this.#textNote.hidden = !older;
    const rows = new Map(timeline.map((event) => [eventKey(event), this.#row(event, lanes, open)] as const));
    this.#rows.clear();
    for (const [key, row] of rows) this.#rows.set(key, row);
    const items = [...rows.values()].map(({ item }) => item);
    if (items.length === 0)
      items.push(element('li', { class: 'empty', text: this.#page.words.timelineEmpty }));
    this.#list.replaceChildren(...items);
  }

  /** Opens a step, scrolls to it and highlights it. Returns false if the timeline does not have it. */
  reveal(ref: Ref): boolean {
    const row = this.#rows.get(eventKey({ kind: 'message', ref }));
    if (row === undefined) return false;
    const { details } = row;
    details.open = true;
    details.scrollIntoView({ block: 'center' });
    details.querySelector('summary')?.focus({ preventScroll: true });
    markFound(details);
    return true;
  }

  #row(event: TaskEvent, lanes: readonly string[], open: readonly string[]): Row {
    const key = eventKey(event);
    const known = this.#rows.get(key);
    const content = JSON.stringify([event, lanes]);
    if (known?.content === content) return known;
    const details = element('details', { class: `event ${event.tone}`.trim() }, this.#summary(event, lanes));
    let filled = false;
    const fillIn = (): void => {
      if (filled || !details.open) return;
      filled = true;
      details.append(this.#payload(event));
    };
    details.addEventListener('toggle', () => {
      fillIn();
      this.#toggled();
    });
    details.open = known?.details.open ?? open.includes(key);
    fillIn();
    const item = element('li', { attributes: { 'data-ref': refKey(event.ref) } }, details);
    return { content, item, details };
  }

  #summary(event: TaskEvent, lanes: readonly string[]): HTMLElement {
    const { from, to, type, title, time } = event;
    const what = type === '' ? this.#page.words.resumeType : (type.split('_').at(-1) ?? '');
    const name = span(title, 'name');
    const first = element('span', { class: 'first' }, drawing('chevron'), this.#tone(event), name);
    const second = element(
      'span',
      { class: 'second quiet' },
      span(join([from, to], ' → ')),
      title.toLowerCase().includes(what) ? undefined : span(what),
      timeElement(time, this.#page.locale),
      this.#ack(event),
    );
    const points = event.points.map((text) => span(text, 'point quiet'));
    const words = element('span', { class: 'what' }, first, second, ...points);
    return element('summary', { class: 'grid' }, this.#drawLanes(event, lanes), words);
  }

  /** Draws the lanes with the arrow of a step. The words beside it have the same meaning. */
  #drawLanes(event: TaskEvent, lanes: readonly string[]): HTMLElement {
    const drawn = element('span', { class: 'lanes', attributes: { 'aria-hidden': 'true' } });
    for (const [index] of lanes.entries()) {
      const lane = element('span', { class: 'lane' });
      lane.style.gridColumn = String(index + 1);
      drawn.append(lane);
    }
    const arrow = arrowOf(event, lanes);
    if (arrow === undefined) return drawn;
    const line = element('span', { class: `arrow ${arrow.heads} ${strokeOf(event)}` });
    line.style.gridColumn = `${arrow.first + 1} / ${arrow.last + 2}`;
    drawn.append(line);
    return drawn;
  }

  /** Makes the icon and the hidden word for the colour of a step. */
  #tone({ tone }: TaskEvent): HTMLElement | undefined {
    if (tone === '') return undefined;
    const sign = drawing(tone === 'good' ? 'ok' : tone === 'bad' ? 'failed' : 'critical');
    const title = this.#page.words.tones[tone];
    return element('span', { class: `tone ${tone}`, title }, sign, span(title, 'spoken'));
  }

  #ack({ ack }: TaskEvent): HTMLElement | undefined {
    const words = this.#page.words;
    const { by = '', time = 0, deadline = 0 } = ack;
    const at = (millis: number): string => exactTime(millis, this.#page.locale);
    switch (ack.state) {
      case 'none':
        return undefined;
      case 'acknowledged':
        return mark('acknowledged', 'ok', words.ackDone, time > 0 ? fill(words.ackBy, by, at(time)) : '');
      case 'waiting': {
        const text = this.#until(words.ackUntil, words.ackWaiting, deadline);
        return mark('waiting', 'clock', text, deadline > 0 ? at(deadline) : '');
      }
      case 'overdue': {
        const text = this.#until(words.ackOverdueSince, words.ackOverdue, deadline);
        return mark('overdue', 'warn', text, deadline > 0 ? at(deadline) : '');
      }
    }
  }

  #until(words: string, without: string, deadline: number): string {
    if (deadline <= 0) return without;
    const date = new Date(deadline);
    if (Number.isNaN(date.getTime())) return without;
    const today = new Date().toDateString() === date.toDateString();
    const format = new Intl.DateTimeFormat(
      this.#page.locale,
      today ? { timeStyle: 'short' } : { dateStyle: 'short', timeStyle: 'short' },
    );
    return fill(words, format.format(date));
  }

  #payload(event: TaskEvent): HTMLElement {
    const words = this.#page.words;
    const inside = element(
      'div',
      { class: 'inside' },
      element('p', { class: 'quiet id' }, span(event.id), span(exactTime(event.time, this.#page.locale))),
      richText(element('div', { class: 'body' }), event.html, this.#page),
    );
    if (event.warnings.length > 0) {
      const remarks = event.warnings.map(({ rule, message }) =>
        element('li', {}, drawing('note'), span(`${message} (${rule})`)),
      );
      const label = { 'aria-label': words.warningsOf };
      inside.append(element('ul', { class: 'plain remarks', attributes: label }, ...remarks));
    }
    if (event.path !== '' && event.kind === 'message') {
      inside.append(button(words.openFile, 'link', () => this.#page.post({ type: 'file', ref: event.ref })));
    }
    return inside;
  }
}

function mark(kind: string, sign: 'ok' | 'clock' | 'warn', text: string, title: string): HTMLElement {
  return element('span', { class: `ack ${kind}`, title }, drawing(sign), span(text));
}
