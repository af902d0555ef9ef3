// A part of the page that must have been in sight whole before something is allowed. It
// scrolls on its own; a button leads further until its end was reached.

import { fill } from '../../fill';
import { button } from '../dom';

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
  /** How far down it was in sight without a gap, in pixels, at the width of then. */
  #seenTo = 0;
  #width = 0;
  #seen = false;

  /** `changed` is called once all was seen. */
  constructor(region: HTMLElement, words: SightWords, changed: () => void) {
    this.#region = region;
    this.#words = words;
    this.#changed = changed;
    this.more = button('', 'primary', () => this.#further());
    this.more.hidden = true;
    region.tabIndex = 0;
    region.addEventListener('scroll', () => this.#look());
    // What unfolds in it is no part of what was to be seen.
    new ResizeObserver(() => this.#look()).observe(region);
  }

  get seen(): boolean {
    return this.#seen;
  }

  /** Brings a part of the region into sight. */
  lead(to: HTMLElement): void {
    this.#region.classList.add('tall');
    to.scrollIntoView({ block: 'center' });
    this.#region.focus({ preventScroll: true });
    this.#look();
  }

  /** How much of it was not in sight yet. Who jumps to the end has not seen what is before it. */
  get #below(): number {
    const { clientHeight, clientWidth, scrollHeight, scrollTop } = this.#region;
    if (clientWidth !== this.#width) this.#seenTo = 0;
    this.#width = clientWidth;
    if (scrollTop <= this.#seenTo + slack) this.#seenTo = Math.max(this.#seenTo, scrollTop + clientHeight);
    return scrollHeight - this.#seenTo;
  }

  #look(): void {
    // A page that is hidden shows nothing.
    if (this.#seen || this.#region.clientHeight === 0) return;
    const below = this.#below;
    const lines = Math.ceil(below / this.#lineHeight());
    this.#seen = below <= slack;
    const focused = this.#seen && document.activeElement === this.more;
    this.more.hidden = this.#seen;
    this.more.textContent = lines === 1 ? this.#words.oneMore : fill(this.#words.more, String(lines));
    if (!this.#seen) return;
    this.#changed();
    // What can be allowed now must not be allowed by a key that was for this button.
    if (focused) this.#region.focus({ preventScroll: true });
  }

  #lineHeight(): number {
    const shown = this.#region.querySelector('pre') ?? this.#region;
    return Number.parseFloat(getComputedStyle(shown).lineHeight) || 18;
  }

  /** Makes the part taller first, then goes on by pages. */
  #further(): void {
    if (!this.#region.classList.contains('tall')) this.#region.classList.add('tall');
    else this.#region.scrollTo({ top: this.#seenTo - this.#lineHeight() });
    this.#look();
  }
}
