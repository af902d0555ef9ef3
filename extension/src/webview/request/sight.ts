// A part of the page that the user must have seen whole before something can be allowed. It
// scrolls on its own, and a button scrolls it further until its end was seen.

import { fill } from '../../fill';
import { button } from '../dom';

interface SightWords {
  readonly more: string;
  readonly oneMore: string;
}

/** The number of pixels that may be out of sight, because browsers round. */
const slack = 2;

export class Sight {
  /** The button that scrolls further. It is hidden once all was seen. */
  readonly more: HTMLButtonElement;
  readonly #region: HTMLElement;
  readonly #words: SightWords;
  readonly #changed: () => void;
  /** How far down the region was seen without a gap, in pixels, at `#width`. */
  #seenTo = 0;
  #width = 0;
  #seen = false;

  /** `changed` is called once all was seen. */
  constructor(region: HTMLElement, words: SightWords, changed: () => void) {
    this.#region = region;
    this.#words = words;
    this.#changed = changed;
    this.more = button('', 'primary', () => this.#scrollFurther());
    this.more.hidden = true;
    region.tabIndex = 0;
    region.addEventListener('scroll', () => this.#measure());
    // Content that the user unfolds need not be seen, so only the region itself is observed.
    new ResizeObserver(() => this.#measure()).observe(region);
  }

  get seen(): boolean {
    return this.#seen;
  }

  /** Brings a part of the region into sight. */
  lead(to: HTMLElement): void {
    this.#region.classList.add('tall');
    to.scrollIntoView({ block: 'center' });
    this.#region.focus({ preventScroll: true });
    this.#measure();
  }

  /** The pixels that were not seen yet. After a jump to the end, the skipped part is not seen. */
  get #below(): number {
    const { clientHeight, clientWidth, scrollHeight, scrollTop } = this.#region;
    if (clientWidth !== this.#width) this.#seenTo = 0;
    this.#width = clientWidth;
    if (scrollTop <= this.#seenTo + slack) this.#seenTo = Math.max(this.#seenTo, scrollTop + clientHeight);
    return scrollHeight - this.#seenTo;
  }

  #measure(): void {
    // In a hidden page nothing is seen.
    if (this.#seen || this.#region.clientHeight === 0) return;
    const below = this.#below;
    const lines = Math.ceil(below / this.#lineHeight());
    this.#seen = below <= slack;
    const focused = this.#seen && document.activeElement === this.more;
    this.more.hidden = this.#seen;
    this.more.textContent = lines === 1 ? this.#words.oneMore : fill(this.#words.more, String(lines));
    if (!this.#seen) return;
    this.#changed();
    // A key that was meant for this button must not press the button for yes.
    if (focused) this.#region.focus({ preventScroll: true });
  }

  #lineHeight(): number {
    const shown = this.#region.querySelector('pre') ?? this.#region;
    return Number.parseFloat(getComputedStyle(shown).lineHeight) || 18;
  }

  /** Makes the region taller at the first call, then scrolls by pages. */
  #scrollFurther(): void {
    if (!this.#region.classList.contains('tall')) this.#region.classList.add('tall');
    else this.#region.scrollTo({ top: this.#seenTo - this.#lineHeight() });
    this.#measure();
  }
}
