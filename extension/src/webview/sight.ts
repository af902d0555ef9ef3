// A part of the page that must have been in sight whole before something is allowed. It
// scrolls on its own; a button leads further until its end was reached.

import { fill } from '../fill';
import { button } from './dom';

interface SightWords {
  readonly more: string;
  readonly oneMore: string;
}

/** So many pixels may be out of sight: browsers round. */
const slack = 2;

export class Sight {
  /** Leads further; hidden once all was seen. */
  readonly more: HTMLButtonElement;
  readonly #region: HTMLElement;
  readonly #words: SightWords;
  readonly #changed: () => void;
  #seen = false;

  /** `changed` is called once all was seen. */
  constructor(region: HTMLElement, words: SightWords, changed: () => void) {
    this.#region = region;
    this.#words = words;
    this.#changed = changed;
    this.more = button('', 'link more', () => this.#further());
    this.more.hidden = true;
    region.tabIndex = 0;
    region.addEventListener('scroll', () => this.#look());
    // What unfolds in it is no part of what was to be seen.
    new ResizeObserver(() => this.#look()).observe(region);
  }

  get seen(): boolean {
    return this.#seen;
  }

  get #below(): number {
    const { scrollHeight, clientHeight, scrollTop } = this.#region;
    return scrollHeight - clientHeight - scrollTop;
  }

  #look(): void {
    // A page that is hidden shows nothing.
    if (this.#seen || this.#region.clientHeight === 0) return;
    const lines = Math.ceil(this.#below / this.#lineHeight());
    this.#seen = this.#below <= slack;
    this.more.hidden = this.#seen;
    this.more.textContent = lines === 1 ? this.#words.oneMore : fill(this.#words.more, String(lines));
    if (this.#seen) this.#changed();
  }

  #lineHeight(): number {
    const shown = this.#region.querySelector('pre') ?? this.#region;
    return Number.parseFloat(getComputedStyle(shown).lineHeight) || 18;
  }

  /** Makes the part taller first, then goes on by pages. */
  #further(): void {
    if (!this.#region.classList.contains('tall')) this.#region.classList.add('tall');
    else this.#region.scrollBy({ top: this.#region.clientHeight - this.#lineHeight() });
    this.#look();
  }
}
