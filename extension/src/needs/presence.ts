// Tracks whether somebody is at a list: the pointer or the focus is in it. Nothing moves under
// their hands. The clock is passed in.

/** A list counts as left this long after both the pointer and the focus left. */
export const awayMillis = 1_000;
/** A pointer that rests this long, and not on the open row, was forgotten there. */
export const restMillis = 30_000;

export class Presence {
  #inside = false;
  #onOpen = false;
  #moved = -Infinity;
  #focused = false;
  #left = -Infinity;
  #blurred = -Infinity;

  /** Notes that the pointer moved in the list, over the open row or beside it. */
  pointer(now: number, onOpen: boolean): void {
    this.#inside = true;
    this.#onOpen = onOpen;
    this.#moved = now;
  }

  pointerLeft(now: number): void {
    if (!this.#inside) return;
    this.#inside = false;
    this.#left = now;
  }

  focus(now: number, focused: boolean): void {
    if (this.#focused && !focused) this.#blurred = now;
    this.#focused = focused;
  }

  /** Reports whether the pointer is in the list and was not forgotten there. */
  pointed(now: number): boolean {
    return this.#inside && (this.#onOpen || now < this.#moved + restMillis);
  }

  /** Reports whether nothing may move now. */
  holds(now: number): boolean {
    return this.#focused || this.pointed(now) || now < this.#goneAt(now) + awayMillis;
  }

  /** Reports whether the pointer is there or has just left: an answered row keeps its place. */
  pointing(now: number): boolean {
    return this.pointed(now) || now < this.#pointerGoneAt(now) + awayMillis;
  }

  /** Returns when pointing turns false by itself, or undefined. */
  pointingUntil(now: number): number | undefined {
    if (!this.pointing(now)) return undefined;
    if (this.pointed(now)) return this.#onOpen ? undefined : this.#moved + restMillis + awayMillis;
    return this.#pointerGoneAt(now) + awayMillis;
  }

  /** Returns when holds turns false by itself, or undefined. */
  holdsUntil(now: number): number | undefined {
    if (!this.holds(now) || this.#focused) return undefined;
    if (this.pointed(now)) return this.#onOpen ? undefined : this.#moved + restMillis + awayMillis;
    return this.#goneAt(now) + awayMillis;
  }

  #goneAt(now: number): number {
    return Math.max(this.#blurred, this.#pointerGoneAt(now));
  }

  #pointerGoneAt(now: number): number {
    const rested = this.#inside && !this.pointed(now) ? this.#moved + restMillis : -Infinity;
    return Math.max(this.#left, rested);
  }
}
