// The lines above the box: the outcome of the message that was sent last, and the next thing
// that needs the user.

import { fill } from '../../fill';
import type { FromView, NextNeed } from '../../thread/messages';
import { traceLine, type Trace } from '../../thread/foot/trace';
import type { ThreadWords } from '../../thread/words';
import { button, drawing, element, span } from '../dom';
import type { Page } from '../frame';
import { countdown } from '../times';

export class TraceLines {
  readonly root = element('div', { class: 'traces' });
  readonly #page: Page<ThreadWords, FromView>;
  readonly #trace = element('p', { class: 'trace', attributes: { role: 'status' } });
  readonly #next = element('p', { class: 'trace next' });

  constructor(page: Page<ThreadWords, FromView>) {
    this.#page = page;
    this.#trace.hidden = true;
    this.#next.hidden = true;
    this.root.append(this.#trace, this.#next);
  }

  clear(): void {
    this.trace(undefined);
    this.next(undefined);
  }

  trace(trace: Trace | undefined): void {
    const { words, locale, post } = this.#page;
    const line = trace === undefined ? undefined : traceLine(trace, words.foot, Date.now(), locale);
    this.#trace.hidden = line === undefined;
    if (line === undefined || trace === undefined) {
      this.#trace.replaceChildren();
      return;
    }
    this.#trace.className = `trace ${line.icon}`;
    const parts: HTMLElement[] = [span(line.text, 'text')];
    if (line.act === 'undo' && trace.kind === 'held') parts.push(...this.#undo(trace.until));
    if (line.act === 'continue')
      parts.push(button(words.reach.continue.button, 'link', () => post({ type: 'resume' })));
    this.#trace.replaceChildren(drawing(line.icon), ...parts);
  }

  /** Offers the next thing that needs the user. */
  next(next: NextNeed | undefined): void {
    this.#next.hidden = next === undefined;
    if (next === undefined) {
      this.#next.replaceChildren();
      return;
    }
    const { words, post } = this.#page;
    const { nextNeed, nextAlone } = words.foot;
    const text = next.who === '' ? fill(nextAlone, next.title) : fill(nextNeed, next.title, next.who);
    const go = button(text, 'link text', () => post({ type: 'next' }));
    go.setAttribute('aria-keyshortcuts', 'n');
    this.#next.replaceChildren(
      drawing('down'),
      go,
      element('kbd', { text: 'N', attributes: { 'aria-hidden': 'true' } }),
    );
  }

  get offersNext(): boolean {
    return !this.#next.hidden;
  }

  /** Makes the button that takes a message back, and its countdown. */
  #undo(until: number): readonly HTMLElement[] {
    const { words, post } = this.#page;
    const undo = button(words.foot.undo, 'link', () => post({ type: 'undo' }));
    return [span('·'), undo, countdown(until, words.foot.seconds)];
  }
}
