// Navigation in a long conversation with an agent: the last prompt above the visible part, with
// buttons to the previous and next prompt, and marks for prompts, edits and failures beside the
// scroll bar.

import type { ThreadWords } from '../../thread/words';
import { button, drawing, element } from '../dom';

/** The mark of a row beside the scroll bar. */
export type Mark = 'prompt' | 'edit' | 'failure';

/** The most marks beside the scroll bar, and the least distance between two of a kind, in pixels. */
const maxMarks = 400;
const markDistance = 3;
/** The most characters of a prompt in the line. */
const promptChars = 200;
/** A prompt this near to the top, in pixels, counts as the one that is being read. */
const nearTop = 8;

export class Outline {
  readonly root: HTMLElement;
  readonly #scroll: HTMLElement;
  readonly #list: HTMLElement;
  readonly #text: HTMLButtonElement;
  readonly #back: HTMLButtonElement;
  readonly #next: HTMLButtonElement;
  readonly #marks = element('div', { class: 'outline', attributes: { 'aria-hidden': 'true' } });
  #drawing = 0;

  constructor(scroll: HTMLElement, list: HTMLElement, { agent: words }: ThreadWords) {
    this.#scroll = scroll;
    this.#list = list;
    this.#text = button('', 'prompt', () => this.#go(this.#above().at(-1)));
    this.#back = step(words.previousPrompt, 'up', () => this.#go(this.#above().at(-1)));
    this.#next = step(words.nextPrompt, 'down', () => this.#go(this.#below()[0]));
    this.root = element(
      'nav',
      { class: 'prompts', attributes: { 'aria-label': words.prompts } },
      this.#text,
      this.#back,
      this.#next,
    );
    this.root.hidden = true;
    document.body.append(this.#marks);
    const soon = (): void => {
      if (this.#drawing === 0) this.#drawing = requestAnimationFrame(() => this.#draw());
    };
    scroll.addEventListener('scroll', soon, { passive: true });
    const sizes = new ResizeObserver(soon);
    sizes.observe(list);
    sizes.observe(scroll);
  }

  #draw(): void {
    this.#drawing = 0;
    const above = this.#above();
    const last = above.at(-1);
    this.root.hidden = last === undefined;
    const text = last?.querySelector('.body')?.textContent.replace(/\s+/g, ' ').trim() ?? '';
    this.#text.textContent = text.slice(0, promptChars);
    this.#next.disabled = this.#below().length === 0;
    this.#drawMarks();
  }

  #drawMarks(): void {
    const box = this.#scroll.getBoundingClientRect();
    const { scrollHeight, scrollTop } = this.#scroll;
    if (scrollHeight <= box.height) {
      this.#marks.replaceChildren();
      return;
    }
    this.#marks.style.top = `${box.top}px`;
    this.#marks.style.height = `${box.height}px`;
    const last: Partial<Record<Mark, number>> = {};
    const made: HTMLElement[] = [];
    for (const row of this.#rows()) {
      const mark = row.dataset['mark'] as Mark;
      const from = row.getBoundingClientRect().top - box.top + scrollTop;
      const at = (from / scrollHeight) * box.height;
      if (at - (last[mark] ?? -markDistance) < markDistance || made.length === maxMarks) continue;
      last[mark] = at;
      const place = element('div', { class: mark });
      place.style.top = `${at}px`;
      place.addEventListener('click', () => this.#go(row));
      made.push(place);
    }
    this.#marks.replaceChildren(...made);
  }

  #rows(mark = ''): readonly HTMLElement[] {
    const which = mark === '' ? '[data-mark]' : `[data-mark="${mark}"]`;
    return [...this.#list.querySelectorAll<HTMLElement>(`:scope > li${which}`)];
  }

  /** Returns the prompts above the visible part. */
  #above(): readonly HTMLElement[] {
    const { top } = this.#scroll.getBoundingClientRect();
    return this.#rows('prompt').filter((row) => row.getBoundingClientRect().top < top - nearTop);
  }

  #below(): readonly HTMLElement[] {
    const { top } = this.#scroll.getBoundingClientRect();
    return this.#rows('prompt').filter((row) => row.getBoundingClientRect().top > top + nearTop);
  }

  #go(row: HTMLElement | undefined): void {
    row?.scrollIntoView({ block: 'start' });
    row?.querySelector<HTMLElement>('article')?.focus({ preventScroll: true });
  }
}

function step(label: string, icon: 'up' | 'down', press: () => void): HTMLButtonElement {
  const made = button('', 'icon', press);
  made.title = label;
  made.setAttribute('aria-label', label);
  made.append(drawing(icon));
  return made;
}
